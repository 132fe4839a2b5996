// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/series.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace summand::plot {

/// The strip beside a map that says what its colours mean.
struct ColorBar {
    ColorScale colors = {};
    std::string label = {};
};

/// One pair of axes with what is drawn on them, in the order given.
struct Panel {
    std::string title = {};
    Axis x = {}, y = {};
    std::vector<Series> series = {};
    bool legend = true;  ///< above the axes, where it hides nothing
    std::optional<ColorBar> color_bar = {};
    bool grid = true;   ///< lines at the ticks, behind the data
    bool frame = true;  ///< the lines of the two axes
};

/// Room around the axes, in pixels.
struct Margins {
    double left = 0, right = 0, top = 0, bottom = 0;
};

/// The colour of each name, in the order in which the names appear.
using Colors = std::map<std::string, Color>;
Colors colors_of(const std::vector<Panel>& panels);

/// What a panel of this size needs around its axes; the left margin is at least `left`.
Margins margins_of(const Panel& panel, double width, double height, double left = 0);

/// Draws the panel with its upper left corner at (0, 0).
void draw(Svg& svg, const Panel& panel, double width, double height, const Margins& margins, const Colors& colors);

/// A legend for the named series of some panels, wrapped to `width`: its height in pixels, 0 if there is no name.
double legend_height(const std::vector<const Panel*>& panels, double width);
void draw_legend(Svg& svg, const std::vector<const Panel*>& panels, double width, const Colors& colors, Xy at);

}  // namespace summand::plot
