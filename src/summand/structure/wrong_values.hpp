// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <vector>

namespace summand::structure {

/// Values that may be left out as wrong: 3, or one in fifty.
Index most_wrong_values(Index points);

/// Of the standard deviation of the values: what is off by less is no wrong value, even where all else fits to eight digits.
constexpr double least_wrong_share = 1e-3;

/// Rows whose value lies far from where the other values, each parameter on its own, put it: at most most_wrong_values of
/// them, the farthest first. Main effects (a line, with enough points a parabola, for each parameter) by robust regression:
/// Tukey's bisquare, started from the median, so that a few values of any size have no say. Empty below 20 points, and where
/// half of the values are equal.
std::vector<Index> far_off_rows(const Matrix& X, const Vector& y);

}  // namespace summand::structure
