// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/series.hpp"

// The series that show a function of two variables; draw() of series.hpp calls them.
namespace summand::plot {

void draw_heat_map(Svg& svg, const HeatMap& map, const Placement& placement);
void draw_contours(Svg& svg, const Contours& contours, const Placement& placement);

}  // namespace summand::plot
