// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/space/search_space.hpp"

#include <cstdint>
#include <vector>

namespace summand {

/// Points of a search space as rows of [0,1]^D, one column for each parameter, and back.
///
/// - Real: (v - low) / (high - low), in logarithms on a log scale: continuous.
/// - Integer, Levels: the same map, restricted to the images of the allowed values: ordered. Levels whose images are equal to
///   rounding are moved apart by a rounding.
/// - Choice: value i of K sits at (i + 0.5) / K: unordered, only equality means anything (model/kernel.hpp).
///
/// One column for each parameter, a choice too, so a group of columns is a group of parameters
/// (docs/decisions/0002-one-column-per-parameter.md). decode(encode(p)) == p for integers, levels and choices;
/// for reals to rounding, and always within [low, high].
class Encoding {
  public:
    enum class Kind { continuous, ordered, unordered };

    explicit Encoding(const SearchSpace& space);

    Index dimension() const { return static_cast<Index>(columns_.size()); }
    Kind kind(Index j) const { return columns_[static_cast<std::size_t>(j)].kind; }
    bool all_continuous() const;
    std::vector<bool> unordered_columns() const;

    /// The number of allowed values of column j; 0 if there are infinitely many.
    std::int64_t count(Index j) const { return columns_[static_cast<std::size_t>(j)].count; }
    /// The unit coordinate of allowed value k of a column that is not continuous, 0 <= k < count(j).
    double unit(Index j, std::int64_t k) const;
    /// The nearest allowed value: its index k (not for continuous columns), or its unit coordinate.
    std::int64_t nearest(Index j, double unit) const;
    double snap(Index j, double unit) const;
    Vector snap(const Vector& unit) const;

    /// The number of points of the space, if it is finite and below 2^62; 0 otherwise.
    std::int64_t point_count() const;

    Vector encode(const Point& point) const;  ///< the point must be allowed (SearchSpace::checked)
    Point decode(const Vector& unit) const;   ///< snaps first, so every value is one the user allowed

    /// A point uniform in the encoded space: uniform on [0,1], or on the allowed values.
    Vector random(Rng& rng) const;

  private:
    struct Column {
        Kind kind = Kind::continuous;
        std::int64_t count = 0;
        std::vector<double> units = {};  ///< for levels only; integers and choices are computed
    };
    std::vector<Parameter> parameters_;
    std::vector<Column> columns_;
};

}  // namespace summand
