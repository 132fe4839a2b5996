// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/decompositions.hpp"
#include "experiments/statistics.hpp"
#include "summand/plot/figure.hpp"
#include "summand/plot/terminal.hpp"

#include <algorithm>

// Fig. 3: how much lower the regret is than without a partition, function by function: the runs of `decompositions`.
namespace summand::experiments {
namespace {

constexpr const char* baseline = "NP";

/// Regret of NP - regret of the method at each t, over the repeats both have; divided by the maximum if `normalised`.
Curve improvement_of(const std::map<int, Run>& method, const std::map<int, Run>& base, Measure measure,
                     bool normalised) {
    std::vector<std::vector<double>> gains;
    for (const auto& [repeat, run] : method) {
        const auto other = base.find(repeat);
        if (other == base.end()) continue;
        std::vector<double> gain = curve_of(other->second.regret, measure);
        const auto& own = curve_of(run.regret, measure);
        for (std::size_t t = 0; t < gain.size(); ++t) gain[t] = (gain[t] - own[t]) / (normalised ? run.optimum : 1.0);
        gains.push_back(std::move(gain));
    }
    return mean_curve(gains);
}

/// One line of the figure.
struct Gain {
    std::string panel = {}, method = {};
    Curve curve = {};
    plot::Color color = {};  ///< of the panel: the two methods differ by their dashes
};

std::vector<Gain> gains_of(const Race& race, const Runs& runs, Measure measure, bool normalised) {
    std::vector<Gain> gains;
    for (const Method& method : race.methods)
        for (std::size_t p = 0; p < race.panels.size(); ++p) {
            const Panel& panel = race.panels[p];
            const auto of_panel = runs.find(panel.name);
            if (method.name == baseline || of_panel == runs.end()) continue;
            const auto& methods = of_panel->second;
            if (!methods.contains(baseline) || !methods.contains(method.name)) continue;
            Curve curve = improvement_of(methods.at(method.name), methods.at(baseline), measure, normalised);
            if (!curve.mean.empty())
                gains.push_back({panel.name, method.name, std::move(curve), plot::Color::series(static_cast<int>(p))});
        }
    return gains;
}

void add_line(plot::Panel& axes, const Gain& gain) {
    const Curve& curve = gain.curve;
    plot::Band band{.name = gain.method + ", " + gain.panel, .color = gain.color, .opacity = 0.12};
    plot::Line line{.name = band.name, .color = gain.color, .dash = gain.method == "Gibbs" ? "" : "5 3"};
    for (const std::size_t t : thinned_indices(curve.mean.size())) {
        line.x.push_back(static_cast<double>(t + 1));
        line.y.push_back(curve.mean[t]);
        band.low.push_back(curve.mean[t] - curve.error[t]);
        band.high.push_back(curve.mean[t] + curve.error[t]);
    }
    band.x = line.x;
    axes.series.emplace_back(std::move(band));
    axes.series.emplace_back(std::move(line));
}

Report improvement_report(const Race& race, const std::vector<Result>& results) {
    const Runs runs = runs_of(race, results);
    std::vector<plot::Panel> panels;
    plot::TextTable table{.head = {"over NP, at the end"}, .align = "l"};
    std::string csv = "panel,method,measure,normalised,t,improvement,standard_error\n";
    for (const bool normalised : {false, true})
        for (const Measure measure : {Measure::cumulative, Measure::simple}) {
            const std::string what = word_of(measure) + (normalised ? " / maximum" : "");
            plot::Panel axes{.title = what, .x = {.label = "evaluations"}, .y = {.label = "improvement"}};
            table.head.push_back(what);
            table.align += "r";
            std::size_t row = 0;
            for (const Gain& gain : gains_of(race, runs, measure, normalised)) {
                add_line(axes, gain);
                if (table.rows.size() == row) table.rows.push_back({gain.method + ", " + gain.panel});
                table.rows[row++].push_back(plus_minus(gain.curve.mean.back(), gain.curve.error.back()));
                for (const std::size_t t : thinned_indices(gain.curve.mean.size()))
                    csv += gain.panel + "," + gain.method + "," + word_of(measure) + "," + (normalised ? "yes" : "no") +
                           "," + std::to_string(t + 1) + "," + number(gain.curve.mean[t]) + "," +
                           number(gain.curve.error[t]) + "\n";
            }
            panels.push_back(std::move(axes));
        }
    Report report{.text = race.name + ": " + race.summary + " [" + race.source + "]\nThe paper: " + race.claim +
                          "\n\n" + table.plain() + "\n"};
    report.files[race.name + ".csv"] = csv;
    report.files[race.name + ".svg"] = plot::figure(
        std::move(panels),
        {.title = race.summary, .columns = 2, .panel_width = 460, .panel_height = 300, .shared_legend = true});
    return report;
}

}  // namespace

Experiment improvement(const Size& size) {
    Race race = decompositions_race(size);
    race.cells_from = size.quick ? race.name + "-quick" : race.name;
    race.name = "improvement";
    race.source = "Fig. 3";
    race.summary = "How much lower regret is than without a partition (NP)";
    race.claim = "Gibbs improves on NP at every dimension, and the gain grows with the dimension.";
    std::erase_if(race.methods, [](const Method& method) {
        return method.name != baseline && method.name != "Gibbs" && method.name != "default";
    });
    return race_experiment(race, size, improvement_report);
}

}  // namespace summand::experiments
