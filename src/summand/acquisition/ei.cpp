// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/ei.hpp"

#include "summand/numeric/normal.hpp"

#include <cmath>

namespace summand {

Score ei_score(double mean, double stddev, double threshold) {
    // E max(f - τ, 0) = s h(u), u = (mean - τ) / s, h(u) = φ(u) + u Φ(u): log EI = log s + log h(u).
    const double u = (mean - threshold) / stddev, slope = log_expected_improvement_slope(u);
    return {std::log(stddev) + log_expected_improvement(u), slope / stddev, (1.0 - u * slope) / stddev};
}

Formula formula(const Ei&, const Context& context) {
    const double threshold = best_observed_mean(context);
    return [threshold](double mean, double stddev) { return ei_score(mean, stddev, threshold); };
}

}  // namespace summand
