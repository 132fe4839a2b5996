// SPDX-License-Identifier: Apache-2.0
#include "summand/report/plots.hpp"

#include "summand/optimizer/regret.hpp"
#include "summand/plot/decimate.hpp"
#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace summand::report {
namespace {

using plot::Axis;
using plot::Color;
using plot::short_number;
using State = ReportTrial::State;

constexpr double wide = 960;
constexpr std::size_t most_dots = 4000;

std::string trial_tooltip(const ReportTrial& trial) {
    const std::string head = "trial " + std::to_string(trial.id) + ": ";
    return head + (trial.value ? short_number(*trial.value, 6) : trial.reason);
}

// Dots with tooltips, thinned out if there are very many.
plot::Scatter dots(const std::vector<plot::Xy>& points, std::vector<std::string> tooltips) {
    plot::Scatter scatter{.tooltips = std::move(tooltips), .radius = points.size() > 1000 ? 1.6 : 2.5};
    for (const plot::Xy& p : plot::decimate(points, most_dots)) {
        scatter.x.push_back(p.x);
        scatter.y.push_back(p.y);
    }
    return scatter;
}

// The good end of the values is always shown; a long bad tail (a few terrible first points) is cut off, so that
// progress can be seen: at 0.4 times the span of the better 90 % beyond them.
plot::Range shown_range(std::vector<double> values, bool maximize) {
    std::sort(values.begin(), values.end());
    if (!maximize) std::reverse(values.begin(), values.end());  // worst first
    const double worst = values.front(), best = values.back();
    const double tenth = values[values.size() / 10];
    const double span = best - tenth;
    const bool long_tail = values.size() >= 10 && span != 0 && (best - worst) / span > 3;
    const double end = long_tail ? tenth - 0.4 * span : worst;
    return {std::min(end, best), std::max(end, best)};
}

bool spans_decades(const std::vector<double>& values) {
    double low = HUGE_VAL, high = 0;
    for (const double v : values)
        if (v > 0) low = std::min(low, v), high = std::max(high, v);
    return high > 50 * low;
}

}  // namespace

const ReportTrial* ReportData::best() const {
    const ReportTrial* found = nullptr;
    for (const ReportTrial& trial : trials) {
        if (trial.state != State::completed || !trial.value) continue;
        if (!found || (maximize() ? *trial.value > *found->value : *trial.value < *found->value)) found = &trial;
    }
    return found;
}

std::string ReportPlot::svg(plot::Document document) const {
    return svg(document, width);
}

std::string ReportPlot::svg(plot::Document document, double new_width) const {
    return plot::figure({panel}, {.panel_width = new_width, .panel_height = height, .document = document});
}

std::vector<ReportPlot> progress_plots(const ReportData& data) {
    std::vector<plot::Xy> values, failures;
    std::vector<std::string> value_tips, failure_tips;
    plot::Line line{.name = "best so far", .color = Color::series(0), .width = 2.2, .step = true};
    double best = 0.0;
    std::vector<double> numbers;
    for (const ReportTrial& trial : data.trials) {
        const auto id = static_cast<double>(trial.id);
        if (trial.state == State::failed) {
            failures.push_back({id, 0.0});
            failure_tips.push_back(trial_tooltip(trial));
        }
        if (!trial.value) continue;
        best = numbers.empty()   ? *trial.value
               : data.maximize() ? std::max(best, *trial.value)
                                 : std::min(best, *trial.value);
        numbers.push_back(*trial.value);
        values.push_back({id, *trial.value});
        value_tips.push_back(trial_tooltip(trial));
        line.x.push_back(id);
        line.y.push_back(best);
    }
    if (numbers.empty()) return {};
    plot::Range range = shown_range(numbers, data.maximize());
    for (const std::optional<double>& mark : {data.target, data.optimum})
        if (mark) range = {std::min(range.low, *mark), std::max(range.high, *mark)};
    const double room =
        range.high > range.low ? 0.06 * (range.high - range.low) : std::max(1e-12, 0.1 * std::abs(range.low));
    range = {range.low - room, range.high + room};

    ReportPlot result{.name = "progress", .width = wide, .height = 340};
    plot::Panel& panel = result.panel;
    panel.x = {.label = "trial", .whole = true};
    panel.y = {.label = "value", .low = range.low, .high = range.high};
    plot::Scatter scatter = dots(values, value_tips);
    scatter.name = "value";
    scatter.color = Color::muted();
    scatter.opacity = 0.5;
    panel.series = {scatter, line};
    if (!failures.empty()) {
        for (plot::Xy& p : failures) p.y = range.low + 0.4 * room;
        plot::Scatter crosses = dots(failures, failure_tips);
        crosses.name = "failed";
        crosses.color = Color::warning();
        crosses.radius = 3;
        crosses.marker = plot::Scatter::Marker::cross;
        panel.series.push_back(crosses);
    }
    if (data.target)
        panel.series.push_back(plot::Rule{.name = "target", .at = *data.target, .color = Color::series(2)});
    if (data.optimum)
        panel.series.push_back(plot::Rule{.name = "optimum", .at = *data.optimum, .color = Color::series(1)});
    const auto outside =
        std::count_if(numbers.begin(), numbers.end(), [&](double v) { return v < range.low || v > range.high; });
    if (outside > 0)
        result.caption = std::to_string(outside) + (outside == 1 ? " value lies" : " values lie") +
                         " beyond the axis, at worst " +
                         short_number(data.maximize() ? *std::min_element(numbers.begin(), numbers.end())
                                                      : *std::max_element(numbers.begin(), numbers.end())) +
                         ".";
    return {result};
}

std::vector<ReportPlot> regret_plots(const ReportData& data) {
    if (!data.optimum) return {};
    std::map<std::int64_t, std::vector<double>> by_ask;
    for (const ReportTrial& trial : data.trials)
        if (trial.value && !trial.added) by_ask[trial.ask].push_back(*trial.value);
    if (by_ask.empty()) return {};
    std::vector<std::vector<double>> batches;
    for (auto& [ask, batch] : by_ask) batches.push_back(std::move(batch));
    const Regret regret = batch_regret(batches, *data.optimum, data.options.goal);
    std::vector<double> iterations(batches.size());
    std::iota(iterations.begin(), iterations.end(), 1.0);

    ReportPlot result{.name = "regret", .width = wide, .height = 300};
    result.panel.x = {.label = "iteration (one batch each)", .whole = true};
    result.panel.y = {.label = "regret"};
    if (spans_decades(regret.cumulative) || spans_decades(regret.simple)) result.panel.y.scale = Axis::Scale::log;
    result.panel.series = {plot::Line{.name = "averaged regret", .x = iterations, .y = regret.cumulative},
                           plot::Line{.name = "simple regret", .x = iterations, .y = regret.simple, .step = true}};
    result.caption = "From the observed values, noise included; batches without a value are left out.";
    return {result};
}

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
    plot::HeatMap map{.colors = {.map = plot::ColorScale::Map::tint}};
    std::vector<std::size_t> place;  // row of the matrix for each name
    for (const std::string& name : names)
        place.push_back(static_cast<std::size_t>(std::find(structure.names.begin(), structure.names.end(), name) -
                                                 structure.names.begin()));
    for (std::size_t j = 0; j < count; ++j) {
        map.grid.x.push_back(static_cast<double>(j));
        for (std::size_t i = 0; i < count; ++i) {
            const double probability = structure.pair_probability[place[j]][place[i]];
            map.grid.values.push_back(probability);
            map.tooltips.push_back(names[j] + " and " + names[i] + ": " + short_number(100 * probability, 3) + " %");
        }
    }
    map.grid.y = map.grid.x;
    panel.series.push_back(map);
    double first = -0.5;
    for (const auto& group : structure.groups) {  // a frame around each group
        const double end = first + static_cast<double>(group.size());
        if (group.size() > 1)
            panel.series.push_back(plot::Line{.x = {first, end, end, first, first},
                                              .y = {first, first, end, end, first},
                                              .color = Color::ink(),
                                              .width = 1.5});
        first = end;
    }
    panel.color_bar = plot::ColorBar{map.colors, "probability"};
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
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return data.importance[a] > data.importance[b]; });
    ReportPlot result{.name = "importance", .width = 720};
    plot::Bars bars{.horizontal = true};
    const auto add = [&](const std::string& name, double share) {
        result.panel.y.categories.push_back(name);
        bars.values.push_back(100 * share);
        bars.labels.push_back(short_number(100 * share, 2) + " %");
        bars.tooltips.push_back(name + ": " + short_number(100 * share, 3) + " %");
    };
    for (std::size_t k = 0; k < std::min(order.size(), most); ++k) add(names[order[k]], data.importance[order[k]]);
    double rest = 0;
    for (std::size_t k = most; k < order.size(); ++k) rest += data.importance[order[k]];
    if (order.size() > most) add("the other " + std::to_string(order.size() - most), rest);
    result.panel.series = {bars};
    result.panel.x = {.label = "share of the variation, %", .low = 0.0};
    result.panel.y.reversed = true;
    result.height = 56 + 23 * static_cast<double>(bars.values.size());
    return {result};
}

std::vector<ReportPlot> time_plots(const ReportData& data) {
    std::vector<plot::Xy> evaluations, suggestions;
    std::vector<std::string> evaluation_tips, suggestion_tips;
    std::vector<double> seconds;
    for (const ReportTrial& trial : data.trials) {
        if (!trial.ended_at || trial.added) continue;
        const double taken = std::max(0.0, *trial.ended_at - trial.started_at);
        evaluations.push_back({static_cast<double>(trial.id), taken});
        evaluation_tips.push_back("trial " + std::to_string(trial.id) + ": " + plot::duration(taken));
        seconds.push_back(taken);
    }
    std::vector<double> suggestion_seconds;
    for (const ReportAsk& ask : data.asks) {
        suggestions.push_back({static_cast<double>(ask.ask + 1), ask.seconds});
        suggestion_tips.push_back("suggestion " + std::to_string(ask.ask + 1) + ": " + plot::duration(ask.seconds) +
                                  " for " + std::to_string(ask.count) + (ask.count == 1 ? " trial" : " trials"));
        suggestion_seconds.push_back(ask.seconds);
    }
    std::vector<ReportPlot> results;
    const auto make = [&](std::string name, std::string title, std::string x, const std::vector<plot::Xy>& points,
                          const std::vector<std::string>& tips, const std::vector<double>& all, int color) {
        if (points.empty()) return;
        ReportPlot result{.name = std::move(name), .width = 470, .height = 270};
        result.panel.title = std::move(title);
        result.panel.x = {.label = std::move(x), .whole = true};
        result.panel.y = {.label = "seconds"};
        if (spans_decades(all))
            result.panel.y.scale = Axis::Scale::log;
        else
            result.panel.y.low = 0.0;
        plot::Scatter scatter = dots(points, tips);
        scatter.color = Color::series(color);
        scatter.opacity = 0.7;
        result.panel.series = {scatter};
        results.push_back(result);
    };
    make("evaluation-time", "Each trial", "trial", evaluations, evaluation_tips, seconds, 2);
    make("suggestion-time", "Each suggestion", "suggestion", suggestions, suggestion_tips, suggestion_seconds, 3);
    return results;
}

std::vector<ReportPlot> all_plots(const ReportData& data) {
    std::vector<ReportPlot> all;
    for (const auto& some : {progress_plots(data), regret_plots(data), structure_plots(data), slice_plots(data),
                             importance_plots(data), time_plots(data)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace summand::report
