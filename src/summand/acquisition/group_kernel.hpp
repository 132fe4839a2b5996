// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/surface.hpp"
#include "summand/base/matrix.hpp"
#include "summand/model/additive_gp.hpp"

#include <vector>

namespace summand {

/// k_m between the observed points of a posterior and points of group m, for blocks of points at once.
/// Refers to the gp it was made from.
class GroupKernel {
  public:
    GroupKernel(const AdditiveGp& gp, Index m);

    Index dimension() const { return static_cast<Index>(group_.size()); }
    double variance() const { return variance_; }
    /// N x n: prior covariances between the observed points (rows) and the rows of Z.
    Matrix cross(const Matrix& Z) const;
    /// The same, and dk/d(r²).
    void cross(const Matrix& Z, Matrix& kernel, Matrix& slope) const;
    /// Kᵀ α at the rows of Z: the posterior mean of the group.
    Vector mean(const Matrix& Z) const;
    /// Row i: the gradient with respect to z_i of Σ_n weight(n, i) k_m(x_n, z_i); slope from cross().
    Matrix gradient(const Matrix& Z, const Matrix& slope, const Matrix& weight) const;
    /// The observed points' coordinates in the group: N x |A_m|.
    Matrix observed() const;

  private:
    Vector scaled(const Matrix& Z, Index i) const;
    const AdditiveGp& gp_;
    double variance_;
    std::vector<Index> group_;  // 0 .. |A_m|-1: the inputs below hold the group's columns only
    std::vector<Index> columns_;
    Vector lengthscale_;
    ScaledInputs inputs_;
};

}  // namespace summand
