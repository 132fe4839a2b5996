// SPDX-License-Identifier: Apache-2.0
#include "summand/report/page.hpp"

#include "summand/plot/text.hpp"
#include "summand/report/html.hpp"
#include "summand/report/plots.hpp"
#include "summand/report/tables.hpp"
#include "summand/report/trials_section.hpp"

#include <algorithm>
#include <cmath>

namespace summand::report {
namespace {

using plot::duration;
using plot::escaped;
using plot::short_number;
using plot::with_uncertainty;

std::int64_t count(const ReportData& data, TrialState state) {
    return std::count_if(data.trials.begin(), data.trials.end(), [&](const Trial& t) { return t.state == state; });
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
    if (plots.empty()) return {};
    std::string html = "<div class=\"" + css_class + "\">\n";
    for (const ReportPlot& plot : plots) html += html_figure(plot.svg(plot::Document::inline_html), plot.caption);
    return html + "</div>\n";
}

// All but the first few behind a line to click on.
std::string folded(const std::vector<ReportPlot>& plots, std::size_t open) {
    if (plots.size() <= open + 3) return figures(plots, "grid");
    const auto middle = plots.begin() + static_cast<std::ptrdiff_t>(open);
    return figures({plots.begin(), middle}, "grid") + "<details><summary>" + std::to_string(plots.size() - open) +
           " less important parameters</summary>" + figures({middle, plots.end()}, "grid") + "</details>\n";
}

// A plot that cannot be narrow.
std::string scrolling(const std::vector<ReportPlot>& plots) {
    std::string html;
    for (const ReportPlot& plot : plots)
        html += "<div class=\"scroll keeps-width\">" +
                html_figure(plot.svg(plot::Document::inline_html), plot.caption) + "</div>\n";
    return html;
}

std::string groups_card(const ReportData& data) {
    const StructureView& structure = data.structure;
    const std::string parameters = "of " + plural(static_cast<std::int64_t>(data.space.size()), "parameter");
    if (structure.groups.empty()) return html_card("Groups", "none yet", parameters);
    if (structure.found) return html_card("Groups", std::to_string(structure.groups.size()), parameters);
    const WeightedModel* leader = leading_model(structure);
    return html_card("Groups", "none found", leader ? leader->name + " foretells best" : parameters);
}

// The model's word about the best value, where it may mislead.
std::string luck_of(const ReportData& data) {
    if (!data.recommended || !data.recommended->best_misleads()) return {};
    if (data.recommended_instead() && data.recommended->best_doubted)
        return ", wrong perhaps: far from what the others foretell";
    if (data.recommended_instead()) return ", the luckiest perhaps: values are noisy";
    return ", expected without noise: " + with_uncertainty(data.recommended->mean, data.recommended->stddev);
}

std::string recommended_card(const ReportData& data) {
    const Recommended* other = data.recommended_instead();
    if (!other) return {};
    return html_card("Recommended (expected without noise)", with_uncertainty(other->mean, other->stddev),
                     "trial " + std::to_string(other->id) + ", told " + short_number(other->value, 6) +
                         "; noise of one value: ± " + short_number(other->noise_stddev, 2));
}

std::string best_lead(const ReportData& data) {
    const Recommended* other = data.recommended_instead();
    if (!other) return {};
    return "Best: trial " + std::to_string(data.best()->id) + ", the best value observed. Recommended: trial " +
           std::to_string(other->id) + ", of which the model expects most. " +
           (other->best_doubted ? "The best value observed is far from what the others foretell and has no say."
                                : "With noise the best value observed is mostly the luckiest.");
}

std::string cards(const ReportData& data) {
    std::string html = "<div class=\"cards\">\n";
    const Trial* best = data.best();
    html += html_card(data.options.goal == Goal::maximize ? "Best value (highest)" : "Best value (lowest)",
                      best ? short_number(*best->value, 6) : "none yet",
                      best ? "trial " + std::to_string(best->id) + luck_of(data) : "no trial has given a value");
    html += recommended_card(data);
    const auto own = std::count_if(data.trials.begin(), data.trials.end(), [](const Trial& t) { return t.added; });
    const std::int64_t waiting = count(data, TrialState::waiting), lost = count(data, TrialState::lost);
    const std::int64_t done = count(data, TrialState::completed) + count(data, TrialState::failed) - own;
    html += html_card("Trials",
                      data.budget ? std::to_string(done) + " of " + std::to_string(*data.budget) : std::to_string(done),
                      std::to_string(count(data, TrialState::failed)) + " failed, " +
                          std::to_string(count(data, TrialState::running)) + " running" +
                          (waiting > 0 ? ", " + std::to_string(waiting) + " waiting" : "") +
                          (lost > 0 ? ", " + std::to_string(lost) + " lost" : "") +
                          (own > 0 ? ", " + std::to_string(own) + " added by hand" : ""));
    html += groups_card(data);
    double evaluating = 0, suggesting = 0;
    for (const Trial& t : data.trials)
        if (t.ended_at && !t.added) evaluating += std::max(0.0, *t.ended_at - t.started_at);
    for (const ReportAsk& ask : data.asks) suggesting += ask.seconds;
    html += html_card("Time in evaluations", duration(evaluating), duration(suggesting) + " in suggestions");
    return html + "</div>\n";
}

std::string header(const ReportData& data, const std::string& links) {
    const std::string line = to_string(data.options.goal) + " · " +
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
    if (structure.groups.empty()) return html_section("structure", "Learned structure", structure.verdict, "");
    std::string html = "<div class=\"beside\">";
    for (const ReportPlot& plot : structure_plots(data))
        html += html_figure(plot.svg(plot::Document::inline_html), plot.caption);
    html += "<div>";
    std::vector<std::string> sentences = in_sentences(structure);
    if (structure.found) {  // as chips instead of the first sentence
        sentences.erase(sentences.begin());
        html += "<h3>Groups</h3><div class=\"groups\">" + groups_list(structure) + "</div>";
    }
    html += "<h3>" + std::string(structure.found ? "How sure" : "What is known") + "</h3>";
    for (const std::string& sentence : sentences) html += "<p>" + escaped(sentence) + "</p>";
    if (structure.found) html += other_structures(structure);
    html += models_in_use(structure) + "</div></div>\n";
    const std::string lead =
        structure.found
            ? "Each tile is the probability that two parameters act together. Framed tiles are the groups that "
              "were found: the function is a sum of one part for each group."
            : "Each tile is the share of the learner's samples in which two parameters are in one group.";
    return html_section("structure", "Learned structure", lead, html);
}

enum class Shown { groups, single_parameters, one_group };
Shown shown_by_slices(const ReportData& data) {
    if (data.slices.empty() || !data.slices.front().additive) return Shown::one_group;
    const bool single = std::all_of(data.slices.begin(), data.slices.end(),
                                    [](const GroupSlice& slice) { return slice.group.size() == 1; });
    return single ? Shown::single_parameters : Shown::groups;
}

std::string slices_title(const ReportData& data) {
    switch (shown_by_slices(data)) {
        case Shown::groups:
            return "What the groups do";
        case Shown::single_parameters:
            return "What each parameter does";
        case Shown::one_group:
            break;
    }
    return "Cuts through the model";
}

std::string slices_lead(const ReportData& data) {
    const Shown shown = shown_by_slices(data);
    std::string lead = shown == Shown::one_group ? "The model's mean along each parameter, all others at the best point"
                                                 : "The model's mean of each part of the function";
    if (const WeightedModel* leader = leading_model(data.structure))
        lead += ", in the model that leads: " + leader->name;
    lead += "; shaded: two standard deviations. ";
    if (shown == Shown::groups) {
        lead += "What is not on an axis stands at the best point. ";
        if (!data.structure.found) lead += "These groups are a guess that foretells well, not a finding. ";
    }
    const auto maps = std::count_if(data.slices.begin(), data.slices.end(),
                                    [](const GroupSlice& slice) { return slice.axes.size() == 2; });
    lead += maps > 0 ? "The dashed line and the diamond mark the best trial, white dots other good trials. "
                     : "The dashed line marks the best trial. ";
    return lead + (maps > 0 ? "Curves share one axis, maps one scale of colours." : "All have the same axis.");
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
    add("best", "Best parameters", best_lead(data), best_parameters(data));
    add("regret", "Regret",
        "How far the values stayed from the optimum, " + short_number(data.optimum.value_or(0), 6) + ".",
        wide(regret_plots(data)));
    if (data.space.size() > 1) parts.push_back({"structure", "Structure", structure_section(data)});
    add("slices", slices_title(data), slices_lead(data), figures(slice_plots(data), "grid"));
    add("importance", "Importance of parameters",
        "Share of the function's variation that each parameter is responsible for, and in brackets where nine of ten "
        "functions that fit the values have it.",
        wide(importance_plots(data)));
    add("values", "Value against each parameter",
        "Each dot is a trial, the diamond the best one. All panels have the same value axis; the most important "
        "parameters come first.",
        folded(value_plots(data), 12));
    add("parallel", "Parallel coordinates",
        "Each line is a trial: where its values lie between the ends of each parameter's range, and its value. Light "
        "lines "
        "are better; the strong one is the best.",
        scrolling(parallel_plots(data)));
    add("failures", "Failures", "", failures_by_cause(data));
    if (const auto plots = time_plots(data); !plots.empty())
        add("time", "Time", plots.size() > 1 ? "Both panels have the same axis." : "",
            figures(plots, "pair") + time_table(data));
    add("trials", "Trials", "", trials_table(data));
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
    return html_page(data.name + " · summand", header(data, links) + sections + footer, trials_data(data));
}

}  // namespace summand::report
