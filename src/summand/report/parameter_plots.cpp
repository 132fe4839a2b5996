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

constexpr std::size_t most_panels = 60;                  // values against parameters: the most important ones
constexpr std::size_t most_dots_together = 30000;        // in all of those panels together
constexpr std::size_t most_axes = 16, most_lines = 300;  // parallel coordinates

// Words and few numbers put many dots on one spot: each is moved aside by up to a quarter, always by the same for a trial.
double moved_aside(const Trial& trial) {
    return 0.5 * (std::fmod(static_cast<double>(trial.id) * 0.6180339887, 1.0) - 0.5);
}

// The axis with a little more at both ends, so that dots there are whole.
plot::Axis with_room(plot::Axis axis) {
    if (!axis.low || !axis.high) return axis;
    constexpr double room = 0.025;
    if (axis.scale == plot::Axis::Scale::log) {
        const double factor = std::pow(*axis.high / *axis.low, room);
        axis.low = *axis.low / factor, axis.high = *axis.high * factor;
    } else {
        const double more = room * (*axis.high - *axis.low);
        axis.low = *axis.low - more, axis.high = *axis.high + more;
    }
    return axis;
}

std::string end_text(const Parameter& parameter, bool high) {
    const auto shown = [&](double low_end, double high_end) { return short_number(high ? high_end : low_end, 3); };
    if (const Real* p = std::get_if<Real>(&parameter)) return shown(p->low, p->high);
    if (const Integer* p = std::get_if<Integer>(&parameter))
        return shown(static_cast<double>(p->low), static_cast<double>(p->high));
    if (const Levels* p = std::get_if<Levels>(&parameter)) return shown(p->values.front(), p->values.back());
    const Choice& choice = std::get<Choice>(parameter);
    return plot::shortened(high ? choice.values.back() : choice.values.front(), 54, 10.5);
}

}  // namespace

std::vector<ReportPlot> value_plots(const ReportData& data) {
    const std::vector<const Trial*> all = best_first(data);
    if (all.empty()) return {};
    const std::vector<std::size_t> order = by_importance(data);
    const std::size_t panels = std::min(order.size(), most_panels);
    std::vector<const Trial*> trials = some_of(all, std::min<std::size_t>(4000, most_dots_together / panels));
    std::reverse(trials.begin(), trials.end());  // the best are drawn last, above the others
    const plot::Range range = value_range(data);
    std::vector<ReportPlot> results;
    for (std::size_t k = 0; k < panels; ++k) {
        const ParameterAxis axis = parameter_axis(data.space, order[k]);
        ReportPlot result{.name = "value-" + axis.axis.label, .width = 340, .height = 240};
        result.panel.x = with_room(axis.axis);
        result.panel.y = {.label = "value", .low = range.low, .high = range.high};
        plot::Scatter dots{.color = Color::series(0), .radius = trials.size() > 1000 ? 1.4 : 2, .opacity = 0.45};
        for (const Trial* trial : trials) {
            dots.x.push_back(axis.place(*trial) + (axis.words ? moved_aside(*trial) : 0.0));
            dots.y.push_back(*trial->value);
            dots.tooltips.push_back(trial_tooltip(*trial));
            dots.ids.push_back(trial->id);
        }
        result.panel.series = {dots, plot::Scatter{.x = {dots.x.back()},
                                                   .y = {dots.y.back()},
                                                   .tooltips = {dots.tooltips.back()},
                                                   .ids = {dots.ids.back()},
                                                   .color = Color::series(1),
                                                   .radius = 4,
                                                   .marker = plot::Scatter::Marker::diamond}};
        results.push_back(result.with_room_below());
    }
    return results;
}

std::vector<ReportPlot> parallel_plots(const ReportData& data) {
    std::vector<const Trial*> trials = some_of(best_first(data), most_lines);
    if (trials.size() < 2 || data.space.size() < 2) return {};
    std::vector<std::size_t> axes = by_importance(data);
    axes.resize(std::min(axes.size(), most_axes));
    ReportPlot result{.name = "parallel", .width = 960, .height = 360};
    plot::Panel& panel = result.panel;
    plot::Labels low{.below = true}, high;
    const plot::Range range = value_range(data);
    const auto value_place = [&](double value) { return (value - range.low) / (range.high - range.low); };
    std::vector<double> places;
    for (std::size_t k = 0; k <= axes.size(); ++k) {
        const bool value = k == axes.size();
        places.push_back(static_cast<double>(k));
        panel.x.categories.push_back(value ? "value" : name_of(data.space[axes[k]]));
        low.texts.push_back(value ? short_number(range.low, 3) : end_text(data.space[axes[k]], false));
        high.texts.push_back(value ? short_number(range.high, 3) : end_text(data.space[axes[k]], true));
        panel.series.push_back(
            plot::Line{.x = {places[k], places[k]}, .y = {0, 1}, .color = Color::muted(), .width = 1});
    }
    low.x = high.x = places;
    low.y.assign(places.size(), 0.0);
    high.y.assign(places.size(), 1.0);
    panel.y = {.low = -0.09, .high = 1.09, .categories = {""}};
    panel.grid = panel.frame = false;
    std::reverse(trials.begin(), trials.end());  // the best lie on top
    for (std::size_t t = 0; t < trials.size(); ++t) {
        const Trial& trial = *trials[t];
        const bool best = t + 1 == trials.size();
        // Coloured by rank, so that a long bad tail does not leave one colour for all the others.
        const double rank = static_cast<double>(t) / static_cast<double>(trials.size() - 1);
        plot::Line line{.x = places,
                        .color = best ? Color::series(1) : Color::fixed(plot::ColorScale::sequential_hex(0.9 * rank)),
                        .width = best ? 2.5 : 1,
                        .opacity = best ? 1 : 0.15 + 0.5 * rank,
                        .id = trial.id,
                        .tooltip = trial_tooltip(trial)};
        for (const std::size_t j : axes)
            line.y.push_back(j < trial.values.size() ? share_of_range(data.space[j], trial.values[j]) : std::nan(""));
        line.y.push_back(std::clamp(value_place(*trial.value), -0.09, 1.09));
        panel.series.push_back(std::move(line));
    }
    panel.series.push_back(low);
    panel.series.push_back(high);
    return {result};
}

}  // namespace summand::report
