// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/normal.hpp"

#include <cmath>
#include <numbers>

namespace summand {
namespace {

constexpr double half_log_two_pi = 0.91893853320467274178;

// The tail expansion Φ(-t)/φ(t) = (1/t) (1 - 1/t² + 3/t⁴ - 15/t⁶ + ..), and the sum of its terms from the second on,
// 1/t² - 3/t⁴ + .. = 1 - t Φ(-t)/φ(t). For t >= 10 the terms fall below 1e-17 of the first before they grow again.
double tail_remainder(double t) {
    const double u = 1.0 / (t * t);
    double term = u, sum = u;
    for (int k = 3; k < 60 && std::abs(term) > 1e-18 * sum; k += 2) {
        term *= -k * u;
        sum += term;
    }
    return sum;
}

constexpr double series_from = 10.0;

}  // namespace

double normal_pdf(double z) {
    return std::exp(log_normal_pdf(z));
}

double log_normal_pdf(double z) {
    return -0.5 * z * z - half_log_two_pi;
}

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
}

double log_normal_cdf(double z) {
    if (z > 0) return std::log1p(-normal_cdf(-z));
    if (z > -series_from) return std::log(normal_cdf(z));
    return log_normal_pdf(z) - std::log(-z) + std::log1p(-tail_remainder(-z));
}

double normal_hazard(double z) {
    return std::exp(log_normal_pdf(z) - log_normal_cdf(z));
}

double log_expected_improvement(double z) {
    if (z > -1) return std::log(normal_pdf(z) + z * normal_cdf(z));
    // h = φ(z) (1 - t Φ(-t)/φ(t)) with t = -z. Above the series the ratio is computed without forming tiny numbers;
    // it cancels to about 1/t², which costs t² ε <= 1e-14 of relative accuracy.
    const double t = -z;
    if (t >= series_from) return log_normal_pdf(z) + std::log(tail_remainder(t));
    return log_normal_pdf(z) + std::log1p(-t * std::exp(log_normal_cdf(z) - log_normal_pdf(z)));
}

double log_expected_improvement_slope(double z) {
    return std::exp(log_normal_cdf(z) - log_expected_improvement(z));
}

}  // namespace summand
