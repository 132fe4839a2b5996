// SPDX-License-Identifier: Apache-2.0
#include "summand/report/page.hpp"

#include "summand/plot/text.hpp"
#include "summand/report/html.hpp"
#include "summand/report/plots.hpp"
#include "summand/report/tables.hpp"

#include <algorithm>
#include <cmath>

namespace summand::report {
namespace {

using plot::duration;
using plot::escaped;
using plot::short_number;
using State = ReportTrial::State;

std::int64_t count(const ReportData& data, State state) {
    return std::count_if(data.trials.begin(), data.trials.end(),
                         [&](const ReportTrial& t) { return t.state == state; });
}

std::string plural(std::int64_t number, const std::string& noun) {
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// A plot as wide as the page, and its twin for a telephone.
std::string wide_figure(const ReportPlot& plot) {
    return html_figure("<div class=\"wide\">" + plot.svg(plot::Document::inline_html) + "</div><div class=\"narrow\">" +
                           plot.svg(plot::Document::inline_html, 380) + "</div>",
                       plot.caption);
}

std::string figures(const std::vector<ReportPlot>& plots, const std::string& css_class) {
    std::string html = "<div class=\"" + css_class + "\">\n";
    for (const ReportPlot& plot : plots) html += html_figure(plot.svg(plot::Document::inline_html), plot.caption);
    return html + "</div>\n";
}

std::string cards(const ReportData& data) {
    std::string html = "<div class=\"cards\">\n";
    const ReportTrial* best = data.best();
    html += html_card(data.maximize() ? "Best value (highest)" : "Best value (lowest)",
                      best ? short_number(*best->value, 6) : "none yet",
                      best ? "trial " + std::to_string(best->id) : "no trial has given a value");
    const auto own =
        std::count_if(data.trials.begin(), data.trials.end(), [](const ReportTrial& t) { return t.added; });
    const std::int64_t done = count(data, State::completed) + count(data, State::failed) - own;
    html += html_card(
        "Trials", data.budget ? std::to_string(done) + " of " + std::to_string(*data.budget) : std::to_string(done),
        std::to_string(count(data, State::failed)) + " failed, " + std::to_string(count(data, State::running)) +
            " running" + (own > 0 ? ", " + std::to_string(own) + " added by hand" : ""));
    const std::size_t groups = data.structure.groups.size();
    html += html_card("Groups", groups == 0 ? "none yet" : std::to_string(groups),
                      "of " + plural(static_cast<std::int64_t>(data.space.size()), "parameter"));
    double evaluating = 0, suggesting = 0;
    for (const ReportTrial& t : data.trials)
        if (t.ended_at && !t.added) evaluating += std::max(0.0, *t.ended_at - t.started_at);
    for (const ReportAsk& ask : data.asks) suggesting += ask.seconds;
    html += html_card("Time in evaluations", duration(evaluating), duration(suggesting) + " in suggestions");
    return html + "</div>\n";
}

std::string header(const ReportData& data, const std::string& links) {
    const std::string line = std::string(data.maximize() ? "maximize" : "minimize") + " · " +
                             plural(static_cast<std::int64_t>(data.space.size()), "parameter") + " · batches of " +
                             std::to_string(data.options.batch_size) + " · seed " + std::to_string(data.options.seed) +
                             " · begun " + utc_time(data.created_at);
    return "<header><h1>" + escaped(data.name) + "</h1><p>" + escaped(line) + "</p><nav>" + links +
           "</nav></header>\n" + cards(data);
}

std::string groups_list(const StructureView& structure) {
    std::string html;
    for (std::size_t k = 0; k < structure.groups.size(); ++k) {
        html += "<div class=\"group\"><b>" + std::to_string(k + 1) + "</b>";
        for (const std::string& name : structure.groups[k]) html += "<span class=\"chip\">" + escaped(name) + "</span>";
        html += "</div>\n";
    }
    return html;
}

std::string structure_section(const ReportData& data) {
    const StructureView& structure = data.structure;
    if (structure.groups.empty())
        return html_section("structure", "Learned structure", "Nothing has been learned about the structure yet.", "");
    std::string html = "<div class=\"beside\">";
    for (const ReportPlot& plot : structure_plots(data))
        html += html_figure(plot.svg(plot::Document::inline_html), plot.caption);
    html += "<div><h3>Groups in use</h3><div class=\"groups\">" + groups_list(structure) + "</div>";
    if (!structure.verdict.empty()) html += "<h3>How sure</h3><p>" + escaped(structure.verdict) + "</p>";
    html += other_structures(structure) + models_in_use(structure) + "</div></div>\n";
    return html_section(
        "structure", "Learned structure",
        "Each tile is the probability that two parameters act together. Framed tiles are the groups in use: the "
        "function is modelled as a sum of one part for each group.",
        html);
}

struct Part {
    std::string id, title, html;
};

std::vector<Part> parts_of(const ReportData& data) {
    std::vector<Part> parts;
    const auto add = [&](const std::string& id, const std::string& title, const std::string& lead,
                         const std::string& html) {
        if (!html.empty()) parts.push_back({id, title, html_section(id, title, lead, html)});
    };
    const auto wide = [](const std::vector<ReportPlot>& plots) {
        std::string html;
        for (const ReportPlot& plot : plots) html += wide_figure(plot);
        return html;
    };
    add("progress", "Progress", "", wide(progress_plots(data)));
    add("best", "Best parameters", "", best_parameters(data));
    add("regret", "Regret",
        "How far the values stayed from the optimum, " + short_number(data.optimum.value_or(0), 6) + ".",
        wide(regret_plots(data)));
    if (data.space.size() > 1) parts.push_back({"structure", "Structure", structure_section(data)});
    if (const auto plots = slice_plots(data); !plots.empty())
        add("slices", "What the groups do",
            "The model's mean of each group's part; shaded: two standard deviations. The dashed line and the diamond "
            "mark the "
            "best trial, white dots other good trials.",
            figures(plots, "grid"));
    add("importance", "Importance of parameters",
        "Share of the variation of the model's mean that each parameter is responsible for.",
        wide(importance_plots(data)));
    add("failures", "Failures", "", failures_by_cause(data));
    if (const auto plots = time_plots(data); !plots.empty())
        add("time", "Time", "", figures(plots, "pair") + time_table(data));
    add("trials", "Best trials", "", best_trials_table(data));
    add("options", "Options", "", options_tables(data));
    return parts;
}

}  // namespace

std::string render_page(const ReportData& data) {
    const std::vector<Part> parts = parts_of(data);
    std::string links, sections;
    for (const Part& part : parts) {
        links += "<a href=\"#" + part.id + "\">" + escaped(part.title) + "</a>";
        sections += part.html;
    }
    for (const std::string& note : data.notes) sections = "<p class=\"note\">" + escaped(note) + "</p>\n" + sections;
    const std::string footer =
        "<footer>Made by summand " + escaped(data.version) + " on " + utc_time(data.made_at) + ".</footer>\n";
    return html_page(data.name + " · summand", header(data, links) + sections + footer);
}

}  // namespace summand::report
