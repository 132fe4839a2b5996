// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace summand {

/// Φ⁻¹(p) for 0 < p < 1, relative accuracy about 1e-15 [Wichura1988, algorithm AS 241].
/// In base because drawing a normal variable needs it; numeric/normal.hpp has the rest of the normal distribution.
double normal_quantile(double p);

}  // namespace summand
