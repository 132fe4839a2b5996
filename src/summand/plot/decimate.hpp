// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/svg.hpp"

#include <vector>

namespace summand::plot {

/// At most about `limit` of the points, in order, so that a line through them looks the same when drawn: the points are
/// cut into limit/4 runs of equal length and each run keeps its first, its lowest, its highest and its last point.
/// So the ends, the minimum and the maximum of the whole are kept, and so is every gap (a point that is not finite).
std::vector<std::size_t> decimated(const std::vector<Xy>& points, std::size_t limit);  ///< which of them
std::vector<Xy> decimate(const std::vector<Xy>& points, std::size_t limit);

}  // namespace summand::plot
