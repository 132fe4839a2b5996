// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <vector>

namespace summand::optimizer {

/// How likely an evaluation fails, from the failures and successes around it. Kept apart from the model of the values, so
/// that failures never bend it:
///
///     risk(x) = Σ_failed w(x, x_i) / (c + Σ_failed w(x, x_i) + Σ_told w(x, x_i)),    w = (|x - x_i|² / D + 1e-6)⁻³,
///
/// an inverse-distance estimate [Shepard1968]: the nearest outcomes decide at whatever scale they lie, so that the edge of
/// a failing region is found more and more sharply. c counts half a success at a root-mean-square distance of 0.1, so a
/// lone failure is avoided up to about that distance. Choices differ by 1.
class FailureRisk {
  public:
    FailureRisk(Matrix told, Matrix failed, std::vector<bool> unordered);
    bool any() const { return failed_.rows() > 0; }
    double operator()(const Vector& x) const;

  private:
    double weight_sum(const Matrix& rows, const Vector& x) const;
    Matrix told_, failed_;
    std::vector<bool> unordered_;
};

/// Points with a higher risk are avoided.
constexpr double tolerated_risk = 0.5;

}  // namespace summand::optimizer
