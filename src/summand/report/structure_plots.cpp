// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/text.hpp"
#include "summand/report/parameter_axis.hpp"
#include "summand/report/plots.hpp"

#include <algorithm>

namespace summand::report {

using plot::Color;
using plot::short_number;

std::vector<std::string> names_by_group(const StructureView& structure) {
    std::vector<std::string> names;
    for (const auto& group : structure.groups) names.insert(names.end(), group.begin(), group.end());
    for (const std::string& name : structure.names)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

std::vector<ReportPlot> structure_plots(const ReportData& data) {
    const StructureView& structure = data.structure;
    const std::size_t count = structure.names.size();
    if (count < 2 || structure.pair_probability.size() != count) return {};
    ReportPlot result{.name = "structure"};
    plot::Panel& panel = result.panel;
    const std::vector<std::string> names = names_by_group(structure);
    panel.x.categories = panel.y.categories = names;
    panel.y.reversed = true;
    panel.grid = false;
    plot::HeatMap map{.colors = {.map = plot::ColorScale::Map::tint},
                      .tip = {.text = "{x} and {y}: {z}", .x = names, .y = names}};
    std::vector<std::size_t> place;  // row of the matrix for each name
    for (const std::string& name : names)
        place.push_back(static_cast<std::size_t>(std::find(structure.names.begin(), structure.names.end(), name) -
                                                 structure.names.begin()));
    for (std::size_t j = 0; j < count; ++j) {
        map.grid.x.push_back(static_cast<double>(j));
        for (std::size_t i = 0; i < count; ++i)
            map.grid.values.push_back(structure.pair_probability[place[j]][place[i]]);
    }
    map.grid.y = map.grid.x;
    panel.series.push_back(map);
    double first = -0.5;
    for (const auto& group : structure.groups) {  // a frame around each group that was found
        const double end = first + static_cast<double>(group.size());
        if (structure.found && group.size() > 1)
            panel.series.push_back(plot::Line{.x = {first, end, end, first, first},
                                              .y = {first, first, end, end, first},
                                              .color = Color::ink(),
                                              .width = 1.5});
        first = end;
    }
    panel.color_bar = plot::ColorBar{map.colors, structure.found ? "probability" : "share"};
    // Square cells, between 6 and 30 pixels.
    const double cells = static_cast<double>(count) * std::clamp(560.0 / static_cast<double>(count), 6.0, 30.0);
    for (int pass = 0; pass < 2; ++pass) {
        const plot::Margins m = plot::margins_of(panel, result.width, result.height);
        result.width = m.left + m.right + cells;
        result.height = m.top + m.bottom + cells;
    }
    return {result};
}

std::vector<ReportPlot> importance_plots(const ReportData& data) {
    constexpr std::size_t most = 40;
    const std::vector<std::string> names = data.space.names();
    if (data.importance.size() != names.size()) return {};
    const std::vector<std::size_t> order = by_importance(data);
    ReportPlot result{.name = "importance", .width = 720};
    plot::Bars bars{.horizontal = true};
    const auto add = [&](const std::string& name, double share, const std::string& interval) {
        result.panel.y.categories.push_back(name);
        bars.values.push_back(100 * share);
        bars.labels.push_back(short_number(100 * share, 2) + " %" + interval);
        bars.tooltips.push_back(name + ": " + short_number(100 * share, 3) + " %" + interval);
    };
    for (std::size_t k = 0; k < std::min(order.size(), most); ++k) {
        const Importance& of = data.importance[order[k]];
        add(names[order[k]], of.share,
            " (" + short_number(100 * of.low, 2) + " to " + short_number(100 * of.high, 2) + ")");
    }
    double rest = 0;
    for (std::size_t k = most; k < order.size(); ++k) rest += data.importance[order[k]].share;
    if (order.size() > most) add("the other " + std::to_string(order.size() - most), rest, "");
    result.panel.series = {bars};
    result.panel.x = {.label = "share of the variation, %", .low = 0.0};
    result.panel.y.reversed = true;
    result.height = 56 + 23 * static_cast<double>(bars.values.size());
    return {result};
}

}  // namespace summand::report
