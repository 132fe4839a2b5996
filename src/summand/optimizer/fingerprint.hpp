// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/history.hpp"
#include "summand/optimizer/options.hpp"

#include <cstdint>
#include <string_view>

namespace summand::optimizer {

/// A 64-bit hash of a sequence of values: a product and a shift for each word of 64 bits. Tells histories apart; it is no
/// protection against someone who wants a collision.
class Fingerprint {
  public:
    void add(std::uint64_t bits);
    void add(double value);  ///< by its bits
    void add(std::string_view text);
    void add(const Value& value);
    void add(const Event& event);
    std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 14695981039346656037ULL;
};

/// Of everything but the history that decides the asks: the space and the options without the number of threads.
std::uint64_t fingerprint(const SearchSpace& space, const Options& options);

}  // namespace summand::optimizer
