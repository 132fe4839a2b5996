// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace summand {

double normal_pdf(double z);      ///< φ(z)
double normal_cdf(double z);      ///< Φ(z), full relative accuracy in the lower tail until it underflows (z < -37)
double log_normal_pdf(double z);  ///< log φ(z)
double log_normal_cdf(double z);  ///< log Φ(z) for any z; about -z²/2 far below
/// d/dz log Φ(z) = φ(z) / Φ(z), for any z; about -z far below.
double normal_hazard(double z);

/// log h(z), h(z) = φ(z) + z Φ(z) = E max(0, z + standard normal): the logarithm of expected improvement in units of the
/// standard deviation [Ament2023, sec. 4]. Accurate for any z, where the plain formula cancels to 0 or below.
double log_expected_improvement(double z);
/// d/dz log h(z) = Φ(z) / h(z).
double log_expected_improvement_slope(double z);

}  // namespace summand
