// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"
#include "problems/se_basis.hpp"

#include <array>

namespace summand::problems {

/// One component: a draw on [0,1]^g from the GP with kernel variance · exp(-|x - x'|² / (2l²)).
///
///     f(x) = √variance Σ_{i_1 .. i_g} ε_{i_1 .. i_g} φ_{i_1}(x_1) ... φ_{i_g}(x_g),    ε independent standard normal.
///
/// Terms whose bounds multiply to less than a threshold are left out; their sum is part of the covariance error below.
class GpComponent {
  public:
    GpComponent(std::shared_ptr<const SeBasis> basis, Index size, double variance, Rng rng);

    Index size() const { return size_; }
    Index term_count() const { return coefficients_.size(); }
    double value(const Vector& x) const;
    /// What the construction gives for cov(f(x), f(x')) over its normal draws: the kernel, up to the error.
    double covariance(const Vector& x, const Vector& y) const;

    struct Maximum {
        double value = 0.0;
        Vector at = {};
    };
    /// A grid of `per_lengthscale` points in a lengthscale, then every grid maximum within 1/4 standard deviation of the
    /// best is polished to steps of 1e-8: exact to 1e-9, unless a peak escapes the grid. With 4 points that happened in 2
    /// of 600 components (by 0.005), with 5 and with 6 in none.
    Maximum maximum(double per_lengthscale = 6.0) const;

  private:
    /// The terms that share i_1 .. i_{g-1}: i_g runs over 0 .. length-1.
    struct Row {
        std::array<std::int32_t, 3> index = {};
        Index offset = 0;
        Index length = 0;
    };
    template <class TermSum>
    double sum_rows(const std::vector<Vector>& phi, const TermSum& term_sum) const;
    std::vector<Vector> basis_values(const Vector& x) const;
    Vector grid_values(Index points) const;
    Maximum polish(Vector x, double step) const;

    std::shared_ptr<const SeBasis> basis_;
    Index size_;
    double stddev_;
    std::vector<Row> rows_;
    Vector coefficients_;
};

/// A sum of components over random groups [Wang2017, sec. 5.1]. Immutable.
class AdditiveFunction {
  public:
    AdditiveFunction(Index dimension, const Options& options);

    const Partition& partition() const { return partition_; }
    const std::vector<GpComponent>& components() const { return components_; }
    double value(const Vector& x) const;
    double covariance(const Vector& x, const Vector& y) const;
    Best maximum() const;

  private:
    Partition partition_;
    std::vector<GpComponent> components_;  ///< in the order of the partition's groups
};

/// Random order of the parameters, cut into groups of sizes drawn from 1 .. largest with weights 1, 3, 2, 2 (the first
/// three are those of the authors' generator); drawn again until there are two groups. Throws for dimension < 2.
Partition random_partition(Index dimension, int largest_group, Rng rng);

Problem make_additive(const std::string& name, const Options& options);

}  // namespace summand::problems
