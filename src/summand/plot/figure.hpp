// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/panel.hpp"

#include <string>
#include <vector>

namespace summand::plot {

struct FigureOptions {
    std::string title = {};  ///< above the panels, and what a screen reader says
    int columns = 1;
    double panel_width = 480;  ///< pixels, labels included
    double panel_height = 300;
    bool shared_legend = false;  ///< one legend under the title instead of one in each panel
    Document document = Document::standalone;
};

/// Panels side by side and below one another, their axes aligned, as the text of one SVG. A name has the same colour in
/// every panel.
///
///     figure({{.title = "10 dimensions", .x = {.label = "evaluations"}, .y = {.label = "regret"},
///              .series = {Band{.name = "ours", .x = t, .low = low, .high = high}, Line{.name = "ours", .x = t, .y = mean}}}});
std::string figure(std::vector<Panel> panels, const FigureOptions& options = {});

}  // namespace summand::plot
