// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/text.hpp"
#include "summand/report/plots.hpp"

#include <algorithm>
#include <cmath>

namespace summand::report {
namespace {

using plot::Color;

constexpr double width = 340, height = 280;
constexpr std::size_t most_points = 150;  // evaluated points drawn on a map: the best ones

// One axis of a slice: numbers, or places 0, 1, ... of words.
struct SliceAxis {
    plot::Axis axis = {};
    std::vector<double> at = {};
    bool words = false;
};

double number(const Value& value) {
    if (const double* real = std::get_if<double>(&value)) return *real;
    if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return 0.0;
}

bool logarithmic(const Parameter& parameter) {
    return std::visit(
        [](const auto& p) {
            if constexpr (requires { p.scale; })
                return p.scale == Scale::log;
            else
                return false;
        },
        parameter);
}

SliceAxis slice_axis(const ReportData& data, const std::string& name, const std::vector<Value>& values) {
    SliceAxis result;
    result.axis.label = name;
    result.words = !values.empty() && std::holds_alternative<std::string>(values.front());
    for (std::size_t k = 0; k < values.size(); ++k) {
        result.at.push_back(result.words ? static_cast<double>(k) : number(values[k]));
        if (result.words) result.axis.categories.push_back(std::get<std::string>(values[k]));
    }
    const auto j = data.space.find(name);
    if (j && logarithmic(data.space[*j])) result.axis.scale = plot::Axis::Scale::log;
    return result;
}

// Where a trial's value lies on the axis.
double place(const ReportData& data, const SliceAxis& axis, const ReportTrial& trial) {
    const auto j = data.space.find(axis.axis.label);
    if (!j || *j >= trial.values.size()) return std::nan("");
    const Value& value = trial.values[*j];
    if (!axis.words) return number(value);
    const std::string* word = std::get_if<std::string>(&value);
    const auto& words = axis.axis.categories;
    if (!word) return std::nan("");
    return static_cast<double>(std::find(words.begin(), words.end(), *word) - words.begin());
}

std::string contribution(const GroupSlice& slice) {
    return slice.additive ? "contribution" : "value";
}

void draw_curve(const ReportData& data, const GroupSlice& slice, plot::Panel& panel) {
    const SliceAxis axis = slice_axis(data, slice.parameters[0], slice.axes[0]);
    panel.x = axis.axis;
    panel.y.label = contribution(slice);
    std::vector<double> twice, low, high;
    for (std::size_t k = 0; k < slice.mean.size(); ++k) {
        const double spread = k < slice.stddev.size() ? 2 * slice.stddev[k] : 0.0;
        twice.push_back(spread);
        low.push_back(slice.mean[k] - spread);
        high.push_back(slice.mean[k] + spread);
    }
    if (axis.words) {
        panel.series = {plot::ErrorBars{.x = axis.at, .y = slice.mean, .error = twice, .color = Color::series(0)}};
    } else {
        panel.series = {plot::Band{.x = axis.at, .low = low, .high = high, .color = Color::series(0)},
                        plot::Line{.x = axis.at, .y = slice.mean, .color = Color::series(0)}};
        if (axis.at.size() <= 20)  // few allowed values: the curve is only known there
            panel.series.push_back(
                plot::Scatter{.x = axis.at, .y = slice.mean, .color = Color::series(0), .radius = 3});
        panel.x.low = axis.at.front();
        panel.x.high = axis.at.back();
    }
    if (const ReportTrial* best = data.best())
        panel.series.push_back(
            plot::Rule{.at = place(data, axis, *best), .vertical = true, .color = Color::series(1), .dash = "3 3"});
}

// The best completed trials, best first.
std::vector<const ReportTrial*> best_trials(const ReportData& data, std::size_t most) {
    std::vector<const ReportTrial*> trials;
    for (const ReportTrial& trial : data.trials)
        if (trial.value) trials.push_back(&trial);
    std::stable_sort(trials.begin(), trials.end(), [&](const ReportTrial* a, const ReportTrial* b) {
        return data.maximize() ? *a->value > *b->value : *a->value < *b->value;
    });
    trials.resize(std::min(trials.size(), most));
    return trials;
}

void draw_map(const ReportData& data, const GroupSlice& slice, const std::vector<const ReportTrial*>& points,
              plot::Panel& panel) {
    const SliceAxis x = slice_axis(data, slice.parameters[0], slice.axes[0]),
                    y = slice_axis(data, slice.parameters[1], slice.axes[1]);
    panel.x = x.axis;
    panel.y = y.axis;
    panel.grid = false;
    plot::Grid grid{x.at, y.at, std::vector<double>(x.at.size() * y.at.size())};
    for (std::size_t i = 0; i < x.at.size(); ++i)  // a slice's first axis varies slowest, a grid's fastest
        for (std::size_t j = 0; j < y.at.size(); ++j)
            grid.values[j * x.at.size() + i] = slice.mean[i * y.at.size() + j];
    const plot::ColorScale colors{.low = grid.lowest(), .high = grid.highest()};
    if (x.words || y.words || !grid.valid())
        panel.series = {plot::HeatMap{.grid = grid, .colors = colors}};
    else
        panel.series = {plot::Contours{.grid = grid, .colors = colors}};
    panel.color_bar = plot::ColorBar{colors, contribution(slice)};
    plot::Scatter seen{.color = Color::fixed("#ffffff"), .radius = 1.3, .opacity = 0.5};
    for (const ReportTrial* trial : points) {
        seen.x.push_back(place(data, x, *trial));
        seen.y.push_back(place(data, y, *trial));
    }
    panel.series.push_back(seen);
    if (!points.empty())
        panel.series.push_back(plot::Scatter{.x = {seen.x[0]},
                                             .y = {seen.y[0]},
                                             .color = Color::fixed("#ffffff"),
                                             .radius = 4.5,
                                             .marker = plot::Scatter::Marker::diamond});
}

bool drawable(const GroupSlice& slice) {
    if (slice.parameters.size() != slice.axes.size() || slice.axes.empty() || slice.axes.size() > 2) return false;
    std::size_t size = 1;
    for (const auto& axis : slice.axes) size *= axis.size();
    return size > 0 && slice.mean.size() == size;
}

}  // namespace

std::vector<ReportPlot> slice_plots(const ReportData& data) {
    std::vector<ReportPlot> results;
    const std::vector<const ReportTrial*> points = best_trials(data, most_points);
    for (const GroupSlice& slice : data.slices) {
        if (!drawable(slice)) continue;
        ReportPlot result{.name = "slice", .width = width, .height = height};
        for (const std::string& parameter : slice.parameters) {
            result.name += "-" + parameter;
            result.panel.title += (result.panel.title.empty() ? "" : " × ") + parameter;
        }
        if (slice.axes.size() == 1)
            draw_curve(data, slice, result.panel);
        else
            draw_map(data, slice, points, result.panel);
        if (slice.group.size() > slice.parameters.size()) {
            for (const std::string& other : slice.group)
                if (std::find(slice.parameters.begin(), slice.parameters.end(), other) == slice.parameters.end())
                    result.caption += (result.caption.empty() ? "" : ", ") + other;
            result.caption = "With " + plot::shortened(result.caption, 240, 12) + " at the best point.";
        }
        results.push_back(result);
    }
    return results;
}

}  // namespace summand::report
