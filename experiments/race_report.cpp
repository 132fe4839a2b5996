// SPDX-License-Identifier: Apache-2.0
#include "experiments/race.hpp"
#include "experiments/statistics.hpp"
#include "summand/plot/figure.hpp"
#include "summand/plot/terminal.hpp"

#include <cmath>

// What is shown of a race: means over repeats with standard errors, as the paper's figures have them.
namespace summand::experiments {
namespace {

using MethodRuns = std::map<int, Run>;

/// The runs of one method on one panel; null if there are none.
const MethodRuns* find(const Runs& runs, const std::string& panel, const std::string& method) {
    const auto methods = runs.find(panel);
    if (methods == runs.end()) return nullptr;
    const auto found = methods->second.find(method);
    return found == methods->second.end() ? nullptr : &found->second;
}

Curve curve(const MethodRuns& runs, Measure measure) {
    std::vector<std::vector<double>> curves;
    for (const auto& [repeat, run] : runs) curves.push_back(curve_of(run.regret, measure));
    return mean_curve(curves);
}

std::map<int, double> final_values(const MethodRuns& runs, Measure measure) {
    std::map<int, double> values;
    for (const auto& [repeat, run] : runs) values[repeat] = curve_of(run.regret, measure).back();
    return values;
}

Summary final_summary(const MethodRuns& runs, Measure measure) {
    std::vector<double> values;
    for (const auto& [repeat, value] : final_values(runs, measure)) values.push_back(value);
    return summarize(values);
}

Summary seconds_of(const MethodRuns& runs) {
    std::vector<double> seconds;
    for (const auto& [repeat, run] : runs) seconds.push_back(run.seconds);
    return summarize(seconds);
}

/// Methods by panels; `entry` says what stands in a field.
std::string table(const Race& race, const Runs& runs, const std::string& title,
                  const std::function<std::string(const MethodRuns&)>& entry) {
    plot::TextTable table{.head = {"method"}, .align = "l"};
    for (const Panel& panel : race.panels) {
        table.head.push_back(panel.name);
        table.align += "r";
    }
    for (const Method& method : race.methods) {
        table.rows.push_back({method.name});
        for (const Panel& panel : race.panels) {
            const MethodRuns* found = find(runs, panel.name, method.name);
            table.rows.back().push_back(found ? entry(*found) : "-");
        }
    }
    return title + "\n" + table.plain() + "\n";
}

/// Two standard errors are not chance.
std::string judged(const Summary& difference) {
    if (difference.count < 2) return "too few repeats";
    if (difference.mean == 0.0 && difference.stddev == 0.0) return "equal";
    if (difference.mean < -2 * difference.standard_error()) return "yes";
    if (difference.mean > 2 * difference.standard_error()) return "no, the reverse";
    return "undecided";
}

/// On each panel: is the regret of the one below that of the other on the same functions?
std::string comparison_table(const Race& race, const Runs& runs) {
    plot::TextTable table{
        .head = {"lower final regret", "panel", "simple, difference", "", "cumulative, difference", ""},
        .align = "llrlrl"};
    for (const Comparison& comparison : race.comparisons)
        for (const std::string& worse : comparison.worse)
            for (const Panel& panel : race.panels) {
                const MethodRuns *a = find(runs, panel.name, comparison.better), *b = find(runs, panel.name, worse);
                if (a == nullptr || b == nullptr) continue;
                table.rows.push_back({comparison.better + " than " + worse, panel.name});
                for (const Measure measure : {Measure::simple, Measure::cumulative}) {
                    const Summary difference =
                        summarize(paired_differences(final_values(*a, measure), final_values(*b, measure)));
                    table.rows.back().push_back(plus_minus(difference.mean, difference.standard_error()));
                    table.rows.back().push_back(judged(difference));
                }
            }
    return table.rows.empty() ? "" : table.plain() + "\n";
}

std::string final_csv(const Race& race, const Runs& runs) {
    std::string csv =
        "panel,method,repeats,simple_regret,simple_standard_error,cumulative_regret,cumulative_standard_error,"
        "core_seconds\n";
    for (const Panel& panel : race.panels)
        for (const Method& method : race.methods)
            if (const MethodRuns* found = find(runs, panel.name, method.name)) {
                csv += panel.name + "," + method.name + "," + std::to_string(found->size());
                for (const Measure measure : {Measure::simple, Measure::cumulative}) {
                    const Summary summary = final_summary(*found, measure);
                    csv += "," + number(summary.mean) + "," + number(summary.standard_error());
                }
                csv += "," + number(seconds_of(*found).mean) + "\n";
            }
    return csv;
}

std::string curves_csv(const Race& race, const Runs& runs) {
    std::string csv =
        "panel,method,t,simple_regret,simple_standard_error,cumulative_regret,cumulative_standard_error\n";
    for (const Panel& panel : race.panels)
        for (const Method& method : race.methods)
            if (const MethodRuns* found = find(runs, panel.name, method.name)) {
                const Curve simple = curve(*found, Measure::simple), cumulative = curve(*found, Measure::cumulative);
                for (const std::size_t t : thinned_indices(simple.mean.size()))
                    csv += panel.name + "," + method.name + "," + std::to_string(t + 1) + "," + number(simple.mean[t]) +
                           "," + number(simple.error[t]) + "," + number(cumulative.mean[t]) + "," +
                           number(cumulative.error[t]) + "\n";
            }
    return csv;
}

/// Mean and a band of a standard error on either side, divided by `scale` at each t.
void add_curve(plot::Panel& axes, const std::string& name, const plot::Color& color, const Curve& curve,
               const std::vector<double>& scale) {
    plot::Band band{.name = name, .color = color};
    plot::Line line{.name = name, .color = color};
    for (const std::size_t t : thinned_indices(curve.mean.size())) {
        const double by = scale.empty() ? 1.0 : scale[t];
        line.x.push_back(static_cast<double>(t + 1));
        line.y.push_back(curve.mean[t] / by);
        band.low.push_back((curve.mean[t] - curve.error[t]) / by);
        band.high.push_back((curve.mean[t] + curve.error[t]) / by);
    }
    band.x = line.x;
    axes.series.emplace_back(std::move(band));
    axes.series.emplace_back(std::move(line));
}

std::string label_of(Measure measure) {
    return measure == Measure::simple ? "simple regret" : "cumulative regret";
}

std::string drawn(const Race& race, const Runs& runs, const Figure& figure) {
    std::vector<plot::Panel> panels;
    for (const Measure measure : figure.measures)
        for (const Panel& panel : race.panels) {
            if (!runs.contains(panel.name)) continue;
            const std::string unit =
                panel.batch_size == 1 ? "evaluations" : "batches of " + std::to_string(panel.batch_size);
            plot::Panel axes{.title = panel.name, .x = {.label = unit}, .y = {.label = label_of(measure)}};
            std::vector<double> scale;
            if (const MethodRuns* base = find(runs, panel.name, figure.relative_to)) {
                scale = curve(*base, measure).mean;
                axes.y.label += " / " + figure.relative_to + "'s";
            }
            for (std::size_t i = 0; i < race.methods.size(); ++i)
                if (const MethodRuns* found = find(runs, panel.name, race.methods[i].name))
                    add_curve(axes, race.methods[i].name, plot::Color::series(static_cast<int>(i)),
                              curve(*found, measure), scale);
            panels.push_back(std::move(axes));
        }
    // A row for each measure; those of a single panel stand side by side.
    const std::size_t columns = runs.size() == 1 ? figure.measures.size() : runs.size();
    return plot::figure(std::move(panels), {.title = race.summary,
                                            .columns = static_cast<int>(columns),
                                            .panel_width = 340,
                                            .panel_height = 280,
                                            .shared_legend = true});
}

}  // namespace

Report race_report(const Race& race, const std::vector<Result>& results) {
    const Runs runs = runs_of(race, results);
    Report report{.text =
                      race.name + ": " + race.summary + " [" + race.source + "]\nThe paper: " + race.claim + "\n\n"};
    for (const Measure measure : {Measure::simple, Measure::cumulative})
        report.text +=
            table(race, runs, "final " + word_of(measure) + ", mean ± standard error", [=](const MethodRuns& found) {
                const Summary summary = final_summary(found, measure);
                return plus_minus(summary.mean, summary.standard_error());
            });
    report.text += table(race, runs, "repeats, and processor seconds of one", [](const MethodRuns& found) {
        return std::to_string(found.size()) + " x " + number(std::round(10 * seconds_of(found).mean) / 10) + " s";
    });
    report.text += comparison_table(race, runs);

    report.files[race.name + ".csv"] = final_csv(race, runs);
    report.files[race.name + "-curves.csv"] = curves_csv(race, runs);
    for (const Figure& figure : race.figures)
        report.files[race.name + (figure.suffix.empty() ? "" : "-" + figure.suffix) + ".svg"] =
            drawn(race, runs, figure);
    return report;
}

}  // namespace summand::experiments
