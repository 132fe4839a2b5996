// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/series.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

// What the script of a page needs to know to say something at every point of a picture (report/page.js reads it). Data, so
// that ten thousand points cost some bytes each and not an element each.
namespace summand::plot {

using DataAttributes = std::vector<std::pair<std::string, std::string>>;

/// data-ids="3 5 8" for a path whose k-th piece "Mx yh0" is the point of the k-th id.
DataAttributes hover_ids(std::span<const std::int64_t> ids);
/// data-tips: the same with a line of text for each point.
DataAttributes hover_tips(std::span<const std::string> tips);

/// For a map: data-x and data-y, the pixels of its places; data-columns and data-rows, their names, a line each; data-z, the
/// values as two digits of base 36 on the range data-low to data-high, row by row ("--": none); data-text, as in GridTip.
DataAttributes hover_grid(const Grid& grid, const GridTip& tip, const AxisMap& x, const AxisMap& y);

/// "Mx yh0": a point of a path, a dot if the path has a stroke with round caps.
std::string point_path(Xy at);

}  // namespace summand::plot
