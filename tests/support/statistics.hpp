// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/normal_quantile.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace summand::test {

/// Σ (observed - expected)² / expected. Every expected count must be positive.
inline double chi_square(const std::vector<double>& observed, const std::vector<double>& expected) {
    double sum = 0;
    for (std::size_t i = 0; i < observed.size(); ++i)
        sum += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
    return sum;
}

/// The quantile of the chi-square distribution by Wilson and Hilferty's cube-root normal approximation (1931): within
/// 1 % for 5 or more degrees of freedom and p up to 1 - 1e-6.
inline double chi_square_quantile(double degrees_of_freedom, double p) {
    const double c = 2.0 / (9.0 * degrees_of_freedom);
    const double root = 1.0 - c + normal_quantile(p) * std::sqrt(c);
    return degrees_of_freedom * root * root * root;
}

}  // namespace summand::test
