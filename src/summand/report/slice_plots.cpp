// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/text.hpp"
#include "summand/report/parameter_axis.hpp"
#include "summand/report/plots.hpp"

#include <algorithm>
#include <cmath>

namespace summand::report {
namespace {

using plot::Color;
using plot::short_number;

constexpr double width = 340, height = 280;
constexpr std::size_t most_points = 150;  // evaluated points drawn on a map: the best ones

std::string contribution(const GroupSlice& slice) {
    return slice.additive ? "contribution" : "value";
}

std::string word(const Value& value) {
    const double* real = std::get_if<double>(&value);
    return real ? short_number(*real) : to_text(value);
}

std::vector<std::string> words(const std::vector<Value>& values) {
    std::vector<std::string> texts;
    for (const Value& value : values) texts.push_back(word(value));
    return texts;
}

double spread(const GroupSlice& slice, std::size_t k) {
    return k < slice.stddev.size() ? 2 * slice.stddev[k] : 0.0;
}

// Parts of one function are compared by eye, so curves have one y axis and maps one scale of colours.
struct SharedScales {
    plot::Range curves{HUGE_VAL, -HUGE_VAL}, maps{HUGE_VAL, -HUGE_VAL};
};
SharedScales shared_scales(const std::vector<GroupSlice>& slices) {
    SharedScales scales;
    for (const GroupSlice& slice : slices)
        for (std::size_t k = 0; k < slice.mean.size(); ++k) {
            const bool curve = slice.axes.size() == 1;
            plot::Range& range = curve ? scales.curves : scales.maps;
            const double room = curve ? spread(slice, k) : 0.0;
            if (!std::isfinite(slice.mean[k] + room)) continue;
            range = {std::min(range.low, slice.mean[k] - room), std::max(range.high, slice.mean[k] + room)};
        }
    return scales;
}

void draw_curve(const ReportData& data, const GroupSlice& slice, const ParameterAxis& axis, plot::Range range,
                plot::Panel& panel) {
    const std::vector<double> at = axis.places(slice.axes[0]);
    panel.x = axis.axis;
    panel.y.label = contribution(slice);
    const double room = 0.04 * (range.high - range.low);
    if (range.high > range.low) panel.y.low = range.low - room, panel.y.high = range.high + room;
    std::vector<double> twice, low, high;
    std::vector<std::string> tips;
    for (std::size_t k = 0; k < slice.mean.size(); ++k) {
        twice.push_back(spread(slice, k));
        low.push_back(slice.mean[k] - twice[k]);
        high.push_back(slice.mean[k] + twice[k]);
        tips.push_back(axis.axis.label + " = " + word(slice.axes[0][k]) + ": " + short_number(slice.mean[k]) + " ± " +
                       short_number(twice[k], 2));
    }
    if (axis.words) {
        panel.series = {
            plot::ErrorBars{.x = at, .y = slice.mean, .error = twice, .tooltips = tips, .color = Color::series(0)}};
    } else {
        panel.series = {plot::Band{.x = at, .low = low, .high = high, .color = Color::series(0)},
                        plot::Line{.x = at, .y = slice.mean, .color = Color::series(0), .tooltips = tips}};
        if (at.size() <= 20)  // few allowed values: the curve is only known there
            panel.series.push_back(plot::Scatter{.x = at, .y = slice.mean, .color = Color::series(0), .radius = 3});
    }
    if (const Trial* best = data.best())
        panel.series.push_back(
            plot::Rule{.at = axis.place(*best), .vertical = true, .color = Color::series(1), .dash = "3 3"});
}

void draw_map(const GroupSlice& slice, const ParameterAxis& x, const ParameterAxis& y, plot::Range range,
              const std::vector<const Trial*>& points, plot::Panel& panel) {
    panel.x = x.axis;
    panel.y = y.axis;
    panel.grid = false;
    plot::Grid grid{x.places(slice.axes[0]), y.places(slice.axes[1]), std::vector<double>(slice.mean.size())};
    for (std::size_t i = 0; i < grid.x.size(); ++i)  // a slice's first axis varies slowest, a grid's fastest
        for (std::size_t j = 0; j < grid.y.size(); ++j)
            grid.values[j * grid.x.size() + i] = slice.mean[i * grid.y.size() + j];
    const plot::ColorScale colors{.low = range.low, .high = range.high};
    const plot::GridTip tip{.text = x.axis.label + " = {x}, " + y.axis.label + " = {y}: {z}",
                            .x = words(slice.axes[0]),
                            .y = words(slice.axes[1])};
    if (x.words || y.words || !grid.valid())
        panel.series = {plot::HeatMap{.grid = grid, .colors = colors, .tip = tip}};
    else
        panel.series = {plot::Contours{.grid = grid, .colors = colors, .tip = tip}};
    panel.color_bar = plot::ColorBar{colors, contribution(slice)};
    plot::Scatter seen{.color = Color::fixed("#ffffff"), .radius = 1.3, .opacity = 0.5};
    for (const Trial* trial : points) {
        seen.x.push_back(x.place(*trial));
        seen.y.push_back(y.place(*trial));
        seen.tooltips.push_back(trial_tooltip(*trial));
        seen.ids.push_back(trial->id);
    }
    panel.series.push_back(seen);
    if (!points.empty())
        panel.series.push_back(plot::Scatter{.x = {seen.x[0]},
                                             .y = {seen.y[0]},
                                             .tooltips = {seen.tooltips[0]},
                                             .ids = {seen.ids[0]},
                                             .color = Color::fixed("#ffffff"),
                                             .radius = 4.5,
                                             .marker = plot::Scatter::Marker::diamond});
}

bool drawable(const ReportData& data, const GroupSlice& slice) {
    if (slice.parameters.size() != slice.axes.size() || slice.axes.empty() || slice.axes.size() > 2) return false;
    std::size_t size = 1;
    for (const auto& axis : slice.axes) size *= axis.size();
    return size > 0 && slice.mean.size() == size &&
           std::all_of(slice.parameters.begin(), slice.parameters.end(),
                       [&](const std::string& name) { return data.space.find(name).has_value(); });
}

}  // namespace

std::vector<ReportPlot> slice_plots(const ReportData& data) {
    std::vector<ReportPlot> results;
    const std::vector<const Trial*> trials = best_first(data);
    const std::vector<const Trial*> points(
        trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(std::min(trials.size(), most_points)));
    const SharedScales scales = shared_scales(data.slices);
    for (const GroupSlice& slice : data.slices) {
        if (!drawable(data, slice)) continue;
        ReportPlot result{.name = "slice", .width = width, .height = height};
        std::vector<ParameterAxis> axes;
        for (const std::string& parameter : slice.parameters) {
            result.name += "-" + parameter;
            result.panel.title += (result.panel.title.empty() ? "" : " × ") + parameter;
            axes.push_back(parameter_axis(data.space, *data.space.find(parameter)));
        }
        if (axes.size() == 1)
            draw_curve(data, slice, axes[0], scales.curves, result.panel);
        else
            draw_map(slice, axes[0], axes[1], scales.maps, points, result.panel);
        results.push_back(axes.size() == 1 ? result.with_room_below() : result);
    }
    return results;
}

}  // namespace summand::report
