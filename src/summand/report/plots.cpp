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

constexpr double wide = 960;
constexpr std::size_t most_dots = 4000;

struct Dot {
    plot::Xy at = {};
    std::string tooltip = {};
    std::int64_t trial = 0;  ///< 0: none
};

// Thinned out if there are very many.
plot::Scatter scatter_of(const std::vector<Dot>& dots) {
    plot::Scatter scatter{.radius = dots.size() > 1000 ? 1.6 : 2.5};
    std::vector<plot::Xy> points;
    for (const Dot& dot : dots) points.push_back(dot.at);
    for (const std::size_t i : plot::decimated(points, most_dots)) {
        scatter.x.push_back(dots[i].at.x);
        scatter.y.push_back(dots[i].at.y);
        scatter.tooltips.push_back(dots[i].tooltip);
        if (dots[i].trial > 0) scatter.ids.push_back(dots[i].trial);
    }
    return scatter;
}

// The good end of the values is always shown; a long bad tail (a few terrible first points) is cut off, so that
// progress can be seen: at 0.4 times the span of the better 90 % beyond them.
plot::Range shown_range(std::vector<double> values, Goal goal) {
    std::sort(values.begin(), values.end());
    if (goal == Goal::minimize) std::reverse(values.begin(), values.end());  // worst first
    const double worst = values.front(), best = values.back();
    const double tenth = values[values.size() / 10];
    const double span = best - tenth;
    const bool long_tail = values.size() >= 10 && span != 0 && (best - worst) / span > 3;
    const double end = long_tail ? tenth - 0.4 * span : worst;
    return {std::min(end, best), std::max(end, best)};
}

}  // namespace

std::string trial_tooltip(const Trial& trial) {
    const std::string head = "trial " + std::to_string(trial.id) + ": ";
    return head + (trial.value ? short_number(*trial.value, 6) : trial.reason);
}

const Trial* ReportData::best() const {
    const Trial* found = nullptr;
    for (const Trial& trial : trials) {
        if (trial.state != TrialState::completed || !trial.value) continue;
        if (!found || better(options.goal, *trial.value, *found->value)) found = &trial;
    }
    return found;
}

const Recommended* ReportData::recommended_instead() const {
    const Trial* top = best();
    return recommended && recommended->best_misleads() && top && recommended->id != top->id ? &*recommended : nullptr;
}

std::string ReportPlot::svg(plot::Document document) const {
    return svg(document, width);
}

std::string ReportPlot::svg(plot::Document document, double new_width) const {
    return plot::figure({panel}, {.panel_width = new_width, .panel_height = height, .document = document});
}

ReportPlot ReportPlot::with_room_below() const {
    constexpr double usual = 43;  // numbers and a label
    ReportPlot result = *this;
    result.height += std::max(0.0, plot::margins_of(panel, width, height).bottom - usual);
    return result;
}

plot::Range value_range(const ReportData& data) {
    std::vector<double> values;
    for (const Trial& trial : data.trials)
        if (trial.value) values.push_back(*trial.value);
    if (values.empty()) return {};
    const plot::Range range = shown_range(values, data.options.goal);
    const double room =
        range.high > range.low ? 0.06 * (range.high - range.low) : std::max(1e-12, 0.1 * std::abs(range.low));
    return {range.low - room, range.high + room};
}

std::vector<ReportPlot> progress_plots(const ReportData& data) {
    std::vector<Dot> values, failures;
    plot::Line line{.name = "best so far", .color = Color::series(0), .width = 2.2, .step = true};
    const plot::Range shown = value_range(data);
    plot::Range range = shown;
    for (const std::optional<double>& mark : {data.target, data.optimum})
        if (mark) range = {std::min(range.low, *mark), std::max(range.high, *mark)};
    const double bottom = range.low + 0.024 * (range.high - range.low);
    std::int64_t outside = 0;
    double worst = 0.0;
    for (const Trial& trial : data.trials) {
        const auto id = static_cast<double>(trial.id);
        if (trial.state == TrialState::failed) failures.push_back({{id, bottom}, trial_tooltip(trial), trial.id});
        if (!trial.value) continue;
        const auto better_of = [&](double a, double b) { return better(data.options.goal, b, a) ? b : a; };
        line.x.push_back(id);
        line.y.push_back(values.empty() ? *trial.value : better_of(line.y.back(), *trial.value));
        worst = values.empty() ? *trial.value : -better_of(-worst, -*trial.value);
        outside += *trial.value < range.low || *trial.value > range.high;
        values.push_back({{id, *trial.value}, trial_tooltip(trial), trial.id});
    }
    if (values.empty()) return {};

    ReportPlot result{.name = "progress", .width = wide, .height = 340};
    plot::Panel& panel = result.panel;
    panel.x = {.label = "trial", .whole = true};
    panel.y = {.label = "value", .low = range.low, .high = range.high};
    plot::Scatter scatter = scatter_of(values);
    scatter.name = "value";
    scatter.color = Color::muted();
    scatter.opacity = 0.5;
    panel.series = {scatter, line};
    if (!failures.empty()) {
        plot::Scatter crosses = scatter_of(failures);
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
    if (outside > 0)
        result.caption = std::to_string(outside) + (outside == 1 ? " value lies" : " values lie") +
                         " beyond the axis, at worst " + short_number(worst) + ".";
    return {result};
}

std::vector<ReportPlot> regret_plots(const ReportData& data) {
    if (!data.optimum) return {};
    std::map<std::int64_t, std::vector<double>> by_ask;
    for (const Trial& trial : data.trials)
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
    const auto positive = [](double v) { return v > 0; };
    const auto shown = std::count_if(regret.simple.begin(), regret.simple.end(), positive);
    if (shown > 0) result.panel.y.scale = Axis::Scale::log;
    const auto tips = [&](const char* name, const std::vector<double>& values) {
        std::vector<std::string> texts;
        for (std::size_t k = 0; k < values.size(); ++k)
            texts.push_back("iteration " + std::to_string(k + 1) + ", " + name + " " + short_number(values[k]));
        return texts;
    };
    result.panel.series = {plot::Line{.name = "averaged regret",
                                      .x = iterations,
                                      .y = regret.cumulative,
                                      .tooltips = tips("averaged regret", regret.cumulative)},
                           plot::Line{.name = "simple regret",
                                      .x = iterations,
                                      .y = regret.simple,
                                      .step = true,
                                      .tooltips = tips("simple regret", regret.simple)}};
    result.caption = "From the observed values, noise included; batches without a value are left out.";
    if (shown > 0 && shown < static_cast<std::ptrdiff_t>(regret.simple.size()))
        result.caption += " From iteration " + std::to_string(shown + 1) +
                          " on the optimum was reached or passed, which a log axis cannot show.";
    return {result};
}

std::vector<ReportPlot> time_plots(const ReportData& data) {
    std::vector<Dot> evaluations, suggestions;
    for (const Trial& trial : data.trials) {
        if (!trial.ended_at || trial.added) continue;
        const double taken = std::max(0.0, *trial.ended_at - trial.started_at);
        evaluations.push_back({{static_cast<double>(trial.id), taken},
                               "trial " + std::to_string(trial.id) + ": " + plot::duration(taken),
                               trial.id});
    }
    for (const ReportAsk& ask : data.asks)
        suggestions.push_back({{static_cast<double>(ask.ask + 1), ask.seconds},
                               "suggestion " + std::to_string(ask.ask + 1) + ": " + plot::duration(ask.seconds) +
                                   " for " + std::to_string(ask.count) + (ask.count == 1 ? " trial" : " trials")});
    // What the program costs is compared with what the suggestions cost: one axis for both.
    plot::Range range{HUGE_VAL, 0};
    for (const auto* dots : {&evaluations, &suggestions})
        for (const Dot& dot : *dots)
            if (dot.at.y > 0) range = {std::min(range.low, dot.at.y), std::max(range.high, dot.at.y)};
    Axis seconds{.label = "seconds"};
    if (range.high > 50 * range.low)
        seconds.low = range.low / 1.3, seconds.high = range.high * 1.3, seconds.scale = Axis::Scale::log;
    else
        seconds.low = 0.0, seconds.high = range.high > 0 ? 1.05 * range.high : 1.0;
    std::vector<ReportPlot> results;
    const auto make = [&](std::string name, std::string title, std::string x, const std::vector<Dot>& dots, int color) {
        if (dots.empty()) return;
        ReportPlot result{.name = std::move(name), .width = 470, .height = 270};
        result.panel.title = std::move(title);
        result.panel.x = {.label = std::move(x), .whole = true};
        result.panel.y = seconds;
        plot::Scatter scatter = scatter_of(dots);
        scatter.color = Color::series(color);
        scatter.opacity = 0.7;
        result.panel.series = {scatter};
        results.push_back(result);
    };
    make("evaluation-time", "Each trial", "trial", evaluations, 2);
    make("suggestion-time", "Each suggestion", "suggestion", suggestions, 3);
    return results;
}

std::vector<ReportPlot> all_plots(const ReportData& data) {
    std::vector<ReportPlot> all;
    for (const auto& some : {progress_plots(data), regret_plots(data), structure_plots(data), slice_plots(data),
                             importance_plots(data), value_plots(data), parallel_plots(data), time_plots(data)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace summand::report
