// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include "errors.hpp"

#include <algorithm>
#include <cctype>

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace summand::server {

namespace {

constexpr std::size_t most_addresses = 10000;
constexpr double cost_of_a_wrong_token = 100.0;

std::string hash_of(const std::string& text) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
    return {reinterpret_cast<const char*>(digest), sizeof digest};
}

/// In a time that does not depend on where they differ.
bool equal(const std::string& a, const std::string& b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

}  // namespace

std::string host_without_port(const std::string& host) {
    if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
    return host.substr(0, host.rfind(':'));
}

Access::Access(AccessOptions options) : options_(std::move(options)) {
    if (!options_.token.empty()) token_hash_ = hash_of(options_.token);
    if (!options_.read_token.empty()) read_token_hash_ = hash_of(options_.read_token);
    options_.token.clear();
    options_.read_token.clear();
    for (const char* local : {"localhost", "127.0.0.1", "[::1]"}) options_.hosts.push_back(local);
}

void Access::spend(const std::string& address, double cost, double now) {
    const std::lock_guard guard(mutex_);
    const double most = options_.requests_per_second;
    if (buckets_.size() > most_addresses)
        std::erase_if(buckets_, [&](const auto& entry) { return now - entry.second.at > 1.0; });
    const auto [found, fresh] = buckets_.try_emplace(address, Bucket{most, now});
    Bucket& bucket = found->second;
    bucket.left = std::min(most, bucket.left + (now - bucket.at) * options_.requests_per_second);
    bucket.at = now;
    if (bucket.left < 1.0) throw HttpError(429, "too many requests from this address; wait a moment");
    bucket.left -= cost;
}

void Access::check_names(const Request& request) const {
    const std::string host = lower(request.header("host"));
    if (options_.check_host &&
        std::find(options_.hosts.begin(), options_.hosts.end(), host_without_port(host)) == options_.hosts.end())
        throw HttpError(403,
                        "the Host \"" + host +
                            "\" is not one of this server's names; use localhost, or start it with --allow-host NAME");
    // A page of another site may send a request, but the browser says where it comes from.
    const std::string origin = lower(request.header("origin"));
    const std::string own = origin.starts_with("https://") ? "https://" + host : "http://" + host;
    if ((!origin.empty() && origin != own) || lower(request.header("sec-fetch-site")) == "cross-site")
        throw HttpError(403, "the request comes from another site (Origin \"" + origin +
                                 "\"); only pages of this server may send any");
}

void Access::greet(const Request& request, double now) {
    spend(request.address, 1.0, now);
    check_names(request);
}

bool Access::may_write(const Request& request, double now) {
    if (token_hash_.empty() && read_token_hash_.empty()) return true;
    const std::string& given = request.header("authorization");
    const std::string scheme = "Bearer ";
    const std::string hash = hash_of(given.starts_with(scheme) ? given.substr(scheme.size()) : "");
    if (equal(hash, token_hash_)) return true;
    if (equal(hash, read_token_hash_)) return false;
    if (!given.empty()) spend(request.address, cost_of_a_wrong_token, now);
    throw HttpError(401, given.empty() ? "a token is needed: Authorization: Bearer TOKEN" : "the token is wrong");
}

}  // namespace summand::server
