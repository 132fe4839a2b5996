// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/additive_gp.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace summand {

/// Approximate marginals of one group at many points, to rank candidates before the best are evaluated exactly.
///
/// Exact variances cost N² a point: 10,000 points, 25 groups and N = 1000 would be 125 GFLOP. Here
///   mean      all N observations, in single precision;
///   variance  variance_m - ‖T k_P(z)‖²,  P the r <= 96 observed points that explain the group's kernel best (pivoted
///             Cholesky of k_m(X, X)),  T such that TᵀT = K_PP⁻¹ K_PX (K + σ² I)⁻¹ K_XP K_PP⁻¹,
/// which is the exact posterior variance once k_m(z, X) is replaced by its projection on the points P. A group of one or
/// two smooth dimensions has rank below that, and the result is exact to single precision; otherwise variances far from
/// P come out too large. Cost: N kernel values and r² multiplications a point (docs/math.md).
class GroupScreen {
  public:
    GroupScreen(const AdditiveGp& gp, Index m);
    Marginals marginals(const Matrix& Z) const;

  private:
    KernelFamily family_;
    double unit_;  // the group's prior standard deviation: single precision works in its units
    Vector lengthscale_;
    std::vector<bool> unordered_;
    Eigen::MatrixXf scaled_;     // N x d: pivots first, then the other observed points
    Eigen::VectorXf alpha_;      // in the same order
    Eigen::MatrixXf reduction_;  // T, r x r
};

/// The screens of all groups of a posterior, each made when it is first asked for. Several threads may ask at once.
/// Refers to the gp. Shared by the steps of one batch, because making a screen costs as much as using it.
class GroupScreens {
  public:
    explicit GroupScreens(const AdditiveGp& gp);
    const GroupScreen& of(Index m) const;

  private:
    const AdditiveGp& gp_;
    mutable std::vector<std::once_flag> made_;
    mutable std::vector<std::unique_ptr<GroupScreen>> screens_;
};

}  // namespace summand
