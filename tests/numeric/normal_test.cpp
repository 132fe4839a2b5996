// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/normal.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand {
namespace {

// Golden values: mpmath 1.3 with 60 digits (tests/golden/make_normal_golden.py).
struct Golden {
    double z, log_cdf, log_h;
};
constexpr Golden golden[] = {
#include "golden/normal_golden.inc"
};

TEST(Normal, LogCdfAndLogExpectedImprovementAreAccurateInBothTails) {
    for (const auto& [z, log_cdf, log_h] : golden) {
        // log Φ is -e⁻ˣ small above, so relative accuracy; 1e-13 covers the rounding of z²/2 and of erfc.
        EXPECT_NEAR(log_normal_cdf(z) / log_cdf, 1.0, 1e-13) << "z = " << z;
        EXPECT_NEAR(log_expected_improvement(z), log_h, 2e-13 * std::max(1.0, std::abs(log_h))) << "z = " << z;
    }
}

TEST(Normal, SlopesEqualCentralDifferences) {
    for (double z = -60; z < 8; z += 0.37) {
        // Truncation h² f''' and rounding ε |f| / h, relative to slopes of about max(1, |z|).
        const double h = 1e-4 * std::max(1.0, std::abs(z));
        const auto difference = [&](auto f) { return (f(z + h) - f(z - h)) / (2 * h); };
        const double scale = std::max(1.0, std::abs(z));
        EXPECT_NEAR(log_expected_improvement_slope(z), difference(log_expected_improvement), 1e-7 * scale) << z;
        EXPECT_NEAR(normal_hazard(z), difference(log_normal_cdf), 1e-7 * scale) << z;
    }
}

TEST(Normal, IsContinuousWhereTheFormulaChanges) {
    for (const double z : {-10.0, -1.0, 0.0})
        EXPECT_NEAR(log_expected_improvement(std::nextafter(z, -100)), log_expected_improvement(std::nextafter(z, 100)),
                    1e-12);
}

TEST(Normal, DensityAndDistributionAgreeWithTheErrorFunction) {
    for (double z = -5; z <= 5; z += 0.25) {
        EXPECT_NEAR(normal_cdf(z), 0.5 * (1 + std::erf(z / std::sqrt(2.0))), 1e-15);
        EXPECT_NEAR(normal_pdf(z), std::exp(-z * z / 2) / std::sqrt(2 * M_PI), 1e-15);
    }
}

}  // namespace
}  // namespace summand
