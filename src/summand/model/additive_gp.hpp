// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/kernel.hpp"
#include "summand/model/partition.hpp"

#include <memory>
#include <vector>

namespace summand {

/// Mean and variance at some points.
struct Marginals {
    Vector mean = {};
    Vector variance = {};  ///< of the function, without noise; never below 0
};

/// Value and gradient of mean and variance at one point, with respect to the group's own coordinates in order.
struct MarginalGradient {
    double mean = 0.0, variance = 0.0;
    Vector mean_gradient = {}, variance_gradient = {};
};

/// The posterior of f(x) = Σ_m f_m(x_{A_m}) given noisy values of the sum [Wang2017, sec. 2].
///
/// Inputs are rows of [0,1]^D; y and every result are in the user's units. y is standardised inside for conditioning;
/// this changes no result beyond rounding. Exact duplicates of inputs are fine (their noise is independent).
/// Immutable but for append(); const methods may be called from several threads at once.
/// Memory: one N x N factor plus O(N D).
class AdditiveGp {
  public:
    /// Throws InvalidArgument for NaN or infinite data or sizes that do not fit, and NumericalError, naming the likely
    /// cause, if the covariance stays indefinite after the largest jitter (numeric/cholesky.hpp).
    /// unordered[j]: parameter j is a choice; empty = none is.
    AdditiveGp(KernelFamily family, Partition partition, Hyperparameters hyperparameters, Matrix X, Vector y,
               std::vector<bool> unordered = {});

    /// Adds one observation in O(N²).
    void append(const Vector& x, double y);
    /// The posterior if the sum were observed at these rows with just the value the mean predicts: every mean stays,
    /// variances shrink. This is how pending points and the first point of a batch enter ("hallucinated" values).
    AdditiveGp with_pending(const Matrix& X) const;

    Index size() const;       ///< N, pending points included
    Index dimension() const;  ///< D
    const Partition& partition() const;
    const Hyperparameters& hyperparameters() const;
    KernelFamily family() const;
    const std::vector<bool>& unordered() const;
    const Matrix& inputs() const;  ///< N x D
    const Vector& values() const;  ///< N, user's units
    double jitter() const;         ///< added to the diagonal beyond the noise, in variance units; 0 almost always

    double log_marginal_likelihood() const;  ///< eq. (1) of the paper for values(), pending ones included

    // One group. Z has |A_m| columns, the group's coordinates in increasing order of parameter; rows are points.
    // The prior mean belongs to the sum and is NOT part of any group's mean.
    Marginals group_marginals(Index m, const Matrix& Z) const;
    Matrix group_covariance(Index m, const Matrix& Z) const;  ///< joint posterior covariance of f_m at the rows of Z
    MarginalGradient group_gradient(Index m, const Vector& z) const;
    /// Value of f_m's posterior cross-covariance between the rows of Z and the rows of Z2.
    Matrix group_cross_covariance(Index m, const Matrix& Z, const Matrix& Z2) const;

    // The sum f = mean + Σ f_m. Its variance is NOT the sum of the groups' variances: posterior groups are correlated.
    Marginals sum_marginals(const Matrix& X) const;
    Matrix sum_covariance(const Matrix& X) const;
    MarginalGradient sum_gradient(const Vector& x) const;
    /// Σ_m variance of f_m: an upper bound used by Add-GP-UCB, not the variance of the sum.
    Vector sum_of_group_variances(const Matrix& X) const;

    // For exact Thompson draws: K = L Lᵀ of the (standardised) training covariance, α = K⁻¹ (y - mean), in user's units.
    const Vector& alpha() const;
    /// Solves (K + noise) S = B for a matrix B of N rows, user's units.
    Matrix solve(const Matrix& B) const;

  private:
    class Alpha;
    struct State;
    // Value semantics with the factor shared between copies until append().
    std::shared_ptr<State> state_;
};

}  // namespace summand
