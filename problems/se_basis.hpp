// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

namespace summand::problems {

/// Functions φ_1 .. φ_n on [0,1] whose products add up to the squared-exponential kernel:
///
///     Σ_i φ_i(x) φ_i(x') = exp(-(x - x')² / (2l²)) - r(x, x'),    |r| ≤ tolerance.
///
/// They are the columns of a pivoted Cholesky factor of the kernel: φ(x) = L⁻¹ k(Z, x) with L Lᵀ = k(Z, Z) at pivots Z.
/// Σ_i φ_i(x) ε_i with independent normal ε is thus an exact draw at Z, continued by its conditional mean, whose
/// conditional variance is nowhere above the tolerance (checked on candidates l/20 apart, where pivots are chosen).
class SeBasis {
  public:
    explicit SeBasis(double lengthscale, double tolerance = 1e-10);

    Index size() const { return pivots_.size(); }
    double lengthscale() const { return lengthscale_; }
    Vector values(double x) const;  ///< φ(x)
    /// bound()[i] ≥ φ_i(x)² for every x: the pivots' residual variances, which never increase with i.
    const Vector& bound() const { return bound_; }

  private:
    double lengthscale_;
    Vector pivots_;  ///< Z
    Matrix factor_;  ///< L, lower triangle
    Vector bound_;
};

}  // namespace summand::problems
