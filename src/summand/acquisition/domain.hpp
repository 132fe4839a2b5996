// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/space/encoding.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace summand {

/// What one column of the unit cube may take.
struct Column {
    enum class Kind { continuous, ordered, unordered };
    Kind kind = Kind::continuous;
    /// Allowed unit coordinates in increasing order; empty if continuous, or ordered with too many values to list.
    std::vector<double> values = {};
    double low = 0.0, high = 1.0;  ///< the box of a continuous column (a trust region makes it smaller)
    /// The nearest allowed coordinate, for an ordered column whose values are not listed; otherwise empty.
    std::function<double(double)> snap = {};

    static Column continuous(double low = 0.0, double high = 1.0);
    static Column ordered(std::vector<double> values);
    static Column unordered(std::vector<double> values);
};

/// The allowed rows of some columns of the unit cube: where an acquisition function is searched.
class Domain {
  public:
    Domain() = default;
    explicit Domain(std::vector<Column> columns);
    static Domain cube(Index dimension);
    /// All columns of a search space. Ordered columns of more than 1,000 values are searched as if continuous, then snapped.
    static Domain of(const Encoding& encoding);

    Index dimension() const { return static_cast<Index>(columns_.size()); }
    const Column& column(Index j) const { return columns_[static_cast<std::size_t>(j)]; }
    bool listed(Index j) const { return !column(j).values.empty(); }  ///< its values can be run through one by one
    bool all_continuous() const;

    /// The columns of one group, in the given order.
    Domain group(const std::vector<Index>& columns) const;
    /// The part inside a box (a trust region). Ordered columns keep the values inside it, at least the one nearest to
    /// its middle; unordered columns stay as they are, because a box means nothing to them.
    Domain within(const Vector& low, const Vector& high) const;

    /// The number of points if every column is listed and there are fewer than 2^62; 0 otherwise.
    std::int64_t point_count() const;
    /// All points, the last column running fastest. Needs point_count() > 0.
    Matrix enumerate() const;

    Vector low() const;                  ///< the smallest allowed coordinate of every column
    Vector high() const;                 ///< the largest
    Vector snap(const Vector& z) const;  ///< the nearest point of the domain
    bool contains(const Vector& z) const;
    Vector random(Rng& rng) const;  ///< uniform
    /// `count` rows of a scrambled Sobol sequence carried into the domain (uniform draws beyond Sobol's dimensions).
    Matrix spread(Index count, Rng& rng) const;
    /// `count` rows near a point: Gaussian steps of standard deviation `scale` times the box's width; listed ordered
    /// columns step by the same length (at least one value), unordered ones keep their value with probability 1 - scale.
    Matrix near(const Vector& z, Index count, double scale, Rng& rng) const;

  private:
    /// Carries one coordinate u of [0,1) into column j.
    double place(Index j, double u) const;
    std::vector<Column> columns_;
};

}  // namespace summand
