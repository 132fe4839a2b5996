// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace summand {

/// A seeded stream of random numbers, the same on every platform and compiler (no standard-library distributions).
///
/// A stream has a key and a position. `stream(purpose, indices)` derives a child from the KEY alone: it neither
/// advances its parent nor depends on how much the parent has drawn. Work keyed by purpose and index (never by thread)
/// therefore gives the same numbers at any thread count, and a new draw in one place shifts no draw elsewhere.
///
/// Generator: xoshiro256++ [Blackman2021], its state filled from the key by splitmix64 [Steele2014].
class Rng {
  public:
    static Rng from_seed(std::uint64_t seed);

    /// The child stream named by a purpose ("acquisition/start") and indices (ask number, group, start).
    Rng stream(std::string_view purpose, std::initializer_list<std::int64_t> indices = {}) const;

    std::uint64_t bits();                     ///< 64 random bits
    double uniform();                         ///< in [0, 1), 53 random bits
    double uniform(double low, double high);  ///< in [low, high)
    std::int64_t below(std::int64_t count);   ///< uniform on 0 .. count-1, unbiased; count >= 1
    double normal();                          ///< standard normal (inverse of Φ applied to one uniform draw)
    double exponential();                     ///< mean 1
    double gumbel();                          ///< standard Gumbel: argmax of log weight + gumbel is a categorical draw
    double gamma(double shape);               ///< scale 1, shape > 0 [Marsaglia2000]
    bool coin(double probability = 0.5);      ///< true with this probability

    /// Index drawn with probability proportional to exp(log_weight); if nothing has any weight, all are equally likely.
    std::int64_t categorical_log(const std::vector<double>& log_weights);

    /// Fisher-Yates.
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::int64_t i = static_cast<std::int64_t>(items.size()) - 1; i > 0; --i)
            std::swap(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(below(i + 1))]);
    }
    /// 0 .. count-1 in random order.
    std::vector<std::int64_t> permutation(std::int64_t count);

    std::uint64_t key() const { return key_; }

  private:
    explicit Rng(std::uint64_t key);
    std::uint64_t key_;
    std::array<std::uint64_t, 4> state_;
};

}  // namespace summand
