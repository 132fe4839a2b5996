// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <vector>

namespace summand::optimizer {

/// How likely an evaluation fails, from the failures and successes around it. Kept apart from the model of the values, so
/// that failures never bend it:
///
///     risk(x) = Σ_failed w(x, x_i) / (c + Σ_failed w(x, x_i) + Σ_told w(x, x_i)),    w = exp(-|x - x_i|² / (2 D h²)),
///
/// a kernel estimate [Nadaraya1964] with c = 1/2 of a success as prior, h = 0.1 a typical difference for each coordinate;
/// choices differ by 1. Next to a lone failure the risk is 2/3, far from everything it is 0.
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
