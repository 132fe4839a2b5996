// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/pi.hpp"

#include "summand/numeric/normal.hpp"

#include <cmath>

namespace summand {

Score pi_score(double mean, double stddev, double threshold) {
    // P(f > τ) = Φ(u), u = (mean - τ) / s.
    const double u = (mean - threshold) / stddev, slope = normal_hazard(u);
    return {log_normal_cdf(u), slope / stddev, -u * slope / stddev};
}

Formula formula(const Pi& pi, const Context& context) {
    const auto& variance = context.gp.hyperparameters().variance;
    const double prior = std::sqrt(context.group ? variance(*context.group) : variance.sum());
    const double threshold = best_observed_mean(context) + pi.margin * prior;
    return [threshold](double mean, double stddev) { return pi_score(mean, stddev, threshold); };
}

}  // namespace summand
