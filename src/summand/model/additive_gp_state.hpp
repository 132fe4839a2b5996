// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/additive_gp.hpp"
#include "summand/numeric/cholesky.hpp"

#include <memory>
#include <mutex>

namespace summand {

/// α = K⁻¹ (y - mean), computed when first asked for: appending several observations then solves for it once.
class AdditiveGp::Alpha {
  public:
    const Vector& inner(const State& state) const;  ///< in the state's own units
    const Vector& user(const State& state) const;   ///< in the user's units
    void set(const State& state, Vector inner);

  private:
    void compute(const State& state) const;
    mutable std::once_flag once_;
    mutable Vector inner_, user_;
};

/// What an AdditiveGp knows. Inside, y is (y - mean) / unit and covariances are divided by unit², so the factor's
/// numbers are near 1 whatever the user's units.
struct AdditiveGp::State {
    KernelFamily family = KernelFamily::matern52;
    Partition partition = {};
    Hyperparameters hyperparameters = {};
    std::vector<bool> unordered = {};
    Matrix X = {};
    Vector y = {};
    double unit = 1.0;  ///< standard deviation of the y at construction; 1 if they are equal (or below 1e-150)
    ScaledInputs inputs = {};
    Cholesky factor = {};                                        ///< of K + (noise + jitter) I
    double jitter = 0.0;                                         ///< in units of unit²
    Vector whitened = {};                                        ///< L⁻¹ (y - mean)
    std::shared_ptr<Alpha> weights = std::make_shared<Alpha>();  ///< shared by copies until the data change

    const Vector& alpha() const { return weights->inner(*this); }
    Index size() const { return X.rows(); }
    double group_variance(Index m) const { return hyperparameters.variance[m] / (unit * unit); }
    double diagonal() const;  ///< prior variance of the sum, noise and jitter included
    void factorise();
    void add_row(const Vector& x, const Vector& scaled, double value);  ///< to X, y and inputs, not to the factor
    /// Prior covariance of f_m between the training points and one point, D scaled coordinates.
    void group_column(Index m, const Vector& scaled, double* column) const;
    /// Prior covariance of the sum between the training points (from `row` on) and one point.
    Vector sum_column(const Vector& scaled, Index row = 0) const;
    /// A point of the cube in scaled coordinates; of a group's coordinates, the others left 0.
    Vector scaled_point(const Vector& x) const;
    Vector scaled_group_point(Index m, const Vector& z) const;
    /// Of the sum of some groups (one, or all), with respect to the given columns.
    MarginalGradient gradient(const std::vector<Index>& groups, const Vector& scaled,
                              const std::vector<Index>& columns) const;
};

}  // namespace summand
