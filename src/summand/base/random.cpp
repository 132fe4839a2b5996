// SPDX-License-Identifier: Apache-2.0
#include "summand/base/random.hpp"

#include "summand/base/normal_quantile.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace summand {
namespace {

// The output function of splitmix64: a bijection of 64 bits that mixes well [Steele2014].
std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

// Order matters in absorb(absorb(h, a), b), and absorb(h, 0) != h.
std::uint64_t absorb(std::uint64_t hash, std::uint64_t word) {
    return mix((hash + golden) ^ mix(word + 0x632be59bd9b4e019ULL));
}

}  // namespace

Rng::Rng(std::uint64_t key) : key_(key), state_{} {
    std::uint64_t counter = key;
    for (auto& word : state_) word = mix(counter += golden);
}

Rng Rng::from_seed(std::uint64_t seed) {
    return Rng(absorb(0x73756d6d616e64ULL, seed));
}

Rng Rng::stream(std::string_view purpose, std::initializer_list<std::int64_t> indices) const {
    std::uint64_t hash = absorb(key_, purpose.size());
    for (const char letter : purpose) hash = absorb(hash, static_cast<unsigned char>(letter));
    for (const std::int64_t index : indices) hash = absorb(hash, static_cast<std::uint64_t>(index));
    return Rng(absorb(hash, indices.size()));
}

std::uint64_t Rng::bits() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
}

double Rng::uniform() {
    return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

double Rng::uniform(double low, double high) {
    return low + (high - low) * uniform();
}

std::int64_t Rng::below(std::int64_t count) {
    assert(count >= 1);
    // Reject the incomplete last block of 2^64 mod count values, so every remainder is equally likely.
    const auto n = static_cast<std::uint64_t>(count);
    const std::uint64_t reject_below = (0 - n) % n;
    std::uint64_t word = bits();
    while (word < reject_below) word = bits();
    return static_cast<std::int64_t>(word % n);
}

double Rng::normal() {
    return normal_quantile((static_cast<double>(bits() >> 11) + 0.5) * 0x1.0p-53);
}

double Rng::exponential() {
    return -std::log1p(-uniform());
}

double Rng::gumbel() {
    // -log(E) with E exponential; the half keeps U away from 0 and 1, so the result is always finite.
    return -std::log(-std::log((static_cast<double>(bits() >> 11) + 0.5) * 0x1.0p-53));
}

double Rng::gamma(double shape) {
    assert(shape > 0);
    // Below 1, a draw of shape + 1 times U^(1/shape) has the right law.
    if (shape < 1) return gamma(shape + 1) * std::exp(-exponential() / shape);
    const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = normal(), root = 1.0 + c * x;
        if (root <= 0) continue;
        const double v = root * root * root;
        if (-exponential() < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

bool Rng::coin(double probability) {
    return uniform() < probability;
}

std::int64_t Rng::categorical_log(const std::vector<double>& log_weights) {
    std::int64_t chosen = -1;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < log_weights.size(); ++i) {
        const double score = log_weights[i] + gumbel();
        if (score > best) {
            best = score;
            chosen = static_cast<std::int64_t>(i);
        }
    }
    assert(!log_weights.empty());
    return chosen >= 0 ? chosen : below(static_cast<std::int64_t>(log_weights.size()));
}

std::vector<std::int64_t> Rng::permutation(std::int64_t count) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order);
    return order;
}

}  // namespace summand
