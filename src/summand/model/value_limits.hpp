// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace summand {

/// Beyond it squares leave the range of numbers.
inline constexpr double largest_value = 1e150;
/// Values that differ by less count as equal.
inline constexpr double smallest_deviation = 1e-150;

}  // namespace summand
