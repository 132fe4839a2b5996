// SPDX-License-Identifier: Apache-2.0
#include "http_client.hpp"

#include "wire.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cctype>

namespace summand::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;

/// Where a server listens.
struct HttpClient::Place {
    bool tls = false;
    std::string host = {};
    std::string port = {};

    explicit Place(const std::string& url);
};

namespace {

constexpr double connect_seconds = 20.0;
constexpr std::uint64_t most_reply_bytes = 1 << 30;

}  // namespace

HttpClient::Place::Place(const std::string& url) {
    const auto refuse = [&]() -> InvalidArgument {
        return InvalidArgument("\"" + url + "\" is no address of a server; it looks like http://localhost:8642");
    };
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) throw refuse();
    tls = url.substr(0, scheme) == "https";
    if (!tls && url.substr(0, scheme) != "http") throw refuse();
    const std::string rest = url.substr(scheme + 3);
    const auto end = rest.find('/');
    if (end != std::string::npos && end + 1 != rest.size()) throw refuse();
    const std::string authority = rest.substr(0, end);
    const auto bracket = authority.find(']');
    const auto colon = authority.find(':', bracket == std::string::npos ? 0 : bracket);
    host = authority.substr(0, colon);
    if (bracket != std::string::npos && host.size() > 2) host = host.substr(1, host.size() - 2);
    port = colon == std::string::npos ? (tls ? "443" : "80") : authority.substr(colon + 1);
    if (host.empty() || host.find('@') != std::string::npos) throw refuse();
}

class HttpClient::Impl {
  public:
    explicit Impl(const ServerAddress& given) : server(given), place(given.url) {
        if (!place.tls) return;
        tls_.set_default_verify_paths();
        tls_.set_verify_mode(asio::ssl::verify_peer);
    }

    /// Sends it over the connection there is, else over a new one. Throws what Asio throws.
    HttpReply exchange(const std::string& request, const std::stop_token& stop) {
        std::optional<HttpReply> reply;
        std::exception_ptr failure;
        context_.restart();
        asio::co_spawn(
            asio::any_io_executor(context_.get_executor()),
            [&]() -> awaitable<void> { reply = co_await converse(request); },
            [&](const std::exception_ptr& thrown) { failure = thrown; });
        {
            const std::stop_callback on_stop(stop, [this] {
                asio::post(context_, [this] {
                    if (wire_) wire_->close();
                });
            });
            context_.run();
        }
        if (failure || !keep_) wire_.reset();
        if (failure) std::rethrow_exception(failure);
        return *reply;
    }

    const ServerAddress server;
    const Place place;

  private:
    static void check(const Wire::Error& error) {
        if (error) throw boost::system::system_error(error);
    }

    awaitable<void> connect() {
        asio::ip::tcp::resolver resolver(context_);
        const auto found = co_await resolver.async_resolve(place.host, place.port, asio::use_awaitable);
        wire_.emplace(asio::ip::tcp::socket(context_));
        wire_->give_time(connect_seconds);
        check(co_await wire_->connect(found));
        wire_->tcp().socket().set_option(asio::ip::tcp::no_delay(true));
        if (!place.tls) co_return;
        Wire::Tls& stream = wire_->secure(tls_);
        // The macro SSL_set_tlsext_host_name, without its C cast: servers of several names choose the certificate by this.
        std::string host = place.host;
        SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, host.data());
        stream.set_verify_callback(asio::ssl::host_name_verification(place.host));
        check(co_await wire_->handshake(asio::ssl::stream_base::client));
    }

    awaitable<HttpReply> converse(const std::string& request) {
        if (!wire_) co_await connect();
        wire_->give_time(connect_seconds);
        check(co_await wire_->write(request));
        wire_->give_all_time();  // a suggestion takes as long as it takes
        http::response_parser<http::string_body> parser;
        parser.body_limit(most_reply_bytes);
        beast::flat_buffer buffer;
        check(co_await wire_->read<false>(buffer, parser, false));
        keep_ = parser.get().keep_alive();
        co_return HttpReply{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
    }

    bool keep_ = true;
    asio::io_context context_;
    asio::ssl::context tls_{asio::ssl::context::tls_client};
    std::optional<Wire> wire_;
};

HttpClient::HttpClient(const ServerAddress& server) : impl_(std::make_unique<Impl>(server)) {}
HttpClient::~HttpClient() = default;

HttpReply HttpClient::request(const std::string& method, const std::string& target, const std::string& body,
                              const std::string& key, std::stop_token stop) {
    const bool six = impl_->place.host.find(':') != std::string::npos;
    std::string request = method + " /api/v1" + target + " HTTP/1.1\r\n";
    const auto field = [&](const char* name, const std::string& value) {
        if (value.find_first_of("\r\n") != std::string::npos)
            throw InvalidArgument(std::string(name) + " of a request cannot have several lines");
        request += std::string(name) + ": " + value + "\r\n";
    };
    field("Host", (six ? "[" + impl_->place.host + "]" : impl_->place.host) + ":" + impl_->place.port);
    field("User-Agent", "summand");
    if (!body.empty()) field("Content-Type", "application/json");
    if (!key.empty()) field("Idempotency-Key", key);
    if (!impl_->server.token.empty()) field("Authorization", "Bearer " + impl_->server.token);
    if (!body.empty() || method == "POST" || method == "PUT") field("Content-Length", std::to_string(body.size()));
    request += "\r\n" + body;
    try {
        return impl_->exchange(request, stop);
    } catch (const boost::system::system_error& error) {
        if (stop.stop_requested()) throw Interrupted();
        throw Unreachable(impl_->server.url + " does not answer: " + error.code().message() +
                          "; is `summand serve` running there?");
    }
}

std::string escaped(const std::string& text) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~')
            result += c;
        else
            result += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return result;
}

}  // namespace summand::server
