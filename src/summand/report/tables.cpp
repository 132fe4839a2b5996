// SPDX-License-Identifier: Apache-2.0
#include "summand/report/tables.hpp"

#include "summand/plot/text.hpp"
#include "summand/report/html.hpp"
#include "summand/report/parameter_axis.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace summand::report {
namespace {

using plot::duration;
using plot::escaped;
using plot::short_number;

template <class Items, class Text>
std::string joined(const Items& items, const Text& text, const char* separator = ", ") {
    std::string result;
    for (const auto& item : items) result += (result.empty() ? "" : separator) + text(item);
    return result;
}

std::string scale_text(Scale scale) {
    return scale == Scale::log ? ", log scale" : "";
}

struct Summary {
    double total = 0, median = 0, longest = 0;
    std::size_t count = 0;
};
Summary summary(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::sort(seconds.begin(), seconds.end());
    return {std::accumulate(seconds.begin(), seconds.end(), 0.0), seconds[seconds.size() / 2], seconds.back(),
            seconds.size()};
}

std::string pairs_table(const std::string& title, const std::vector<std::pair<std::string, std::string>>& pairs) {
    if (pairs.empty()) return {};
    HtmlTable table{.head = {"name", "value"}};
    for (const auto& [name, value] : pairs)
        table.rows.push_back({"<code>" + escaped(name) + "</code>", "<code>" + escaped(value) + "</code>"});
    return "<div><h3>" + escaped(title) + "</h3>" + table.str() + "</div>";
}

std::string trial_link(std::int64_t id) {
    const std::string text = std::to_string(id);
    return "<a href=\"#trial-" + text + "\">" + text + "</a>";
}

std::string weight_text(double weight) {
    return short_number(100 * weight, 3) + " %";
}

}  // namespace

std::string value_html(const Value& value, int digits) {
    if (const double* real = std::get_if<double>(&value)) return short_number(*real, digits);
    if (const std::string* word = std::get_if<std::string>(&value))
        return "<span class=\"word\">" + escaped(*word) + "</span>";
    return escaped(to_text(value));
}

std::optional<double> position_in_range(const Parameter& parameter, const Value& value) {
    if (std::holds_alternative<Choice>(parameter) || std::holds_alternative<std::string>(value)) return std::nullopt;
    return share_of_range(parameter, value);
}

std::string range_text(const Parameter& parameter) {
    if (const Real* p = std::get_if<Real>(&parameter))
        return short_number(p->low, 6) + " to " + short_number(p->high, 6) + scale_text(p->scale);
    if (const Integer* p = std::get_if<Integer>(&parameter))
        return std::to_string(p->low) + " to " + std::to_string(p->high) + scale_text(p->scale);
    if (const Choice* p = std::get_if<Choice>(&parameter))
        return joined(p->values, [](const std::string& word) { return word; });
    const Levels& levels = std::get<Levels>(parameter);
    if (levels.values.size() > 12)
        return std::to_string(levels.values.size()) + " levels from " + short_number(levels.values.front()) + " to " +
               short_number(levels.values.back());
    return joined(levels.values, [](double v) { return short_number(v); });
}

std::string best_parameters(const ReportData& data) {
    const Trial* best = data.best();
    if (!best || best->values.size() != data.space.size()) return {};
    const Recommended* other = data.recommended_instead();
    // Beside each other in two halves if there are many.
    const std::size_t count = data.space.size(), halves = count > 8 ? 2 : 1;
    std::string html = "<div class=\"pair\">";
    for (std::size_t half = 0; half < halves; ++half) {
        HtmlTable table{.head = {"parameter", "best", "", "allowed"}, .align = "lr"};
        if (other) table.head.insert(table.head.begin() + 2, "recommended"), table.align = "lrr";
        for (std::size_t j = (half * count + halves - 1) / halves; j < ((half + 1) * count + halves - 1) / halves;
             ++j) {
            const Value& shown = (other ? other->values : best->values)[j];
            const std::optional<double> position = position_in_range(data.space[j], shown);
            std::vector<std::string> row = {escaped(name_of(data.space[j])), value_html(best->values[j])};
            if (other) row.push_back(value_html(other->values[j]));
            row.push_back(position ? html_track(*position) : "");
            row.push_back(escaped(range_text(data.space[j])));
            table.rows.push_back(std::move(row));
        }
        html += table.str();
    }
    return html + "</div>\n";
}

std::string failures_by_cause(const ReportData& data) {
    constexpr std::size_t most = 20;
    std::map<std::string, std::vector<std::int64_t>> causes;
    std::size_t failed = 0;
    for (const Trial& trial : data.trials)
        if (trial.state == TrialState::failed) {
            // The first line is the cause; the rest, if any, is what the program said.
            const std::string line = trial.reason.substr(0, trial.reason.find('\n'));
            causes[line.empty() ? "no reason given" : line].push_back(trial.id);
            ++failed;
        }
    if (failed == 0) return {};
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> ordered(causes.begin(), causes.end());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    HtmlTable table{
        .head = {"cause", "trials", "share of failures", "first", "last"}, .align = "lrrrr", .sortable = true};
    std::size_t shown = 0;
    for (std::size_t k = 0; k < std::min(most, ordered.size()); ++k) {
        const auto& [cause, ids] = ordered[k];
        shown += ids.size();
        table.rows.push_back({escaped(cause.substr(0, 400)), std::to_string(ids.size()),
                              weight_text(static_cast<double>(ids.size()) / static_cast<double>(failed)),
                              trial_link(ids.front()), trial_link(ids.back())});
    }
    std::string html = table.str();
    if (shown < failed)
        html += "<p class=\"lead\">" + std::to_string(failed - shown) + " more failures have " +
                std::to_string(ordered.size() - most) + " other causes.</p>";
    return html;
}

std::string time_table(const ReportData& data) {
    std::vector<double> evaluations, suggestions;
    for (const Trial& trial : data.trials)
        if (trial.ended_at && !trial.added) evaluations.push_back(std::max(0.0, *trial.ended_at - trial.started_at));
    for (const ReportAsk& ask : data.asks) suggestions.push_back(ask.seconds);
    HtmlTable table{.head = {"", "number", "total", "median", "longest"}, .align = "lrrrr"};
    const auto add = [&](const char* name, const std::vector<double>& seconds) {
        const Summary s = summary(seconds);
        if (s.count > 0)
            table.rows.push_back(
                {name, std::to_string(s.count), duration(s.total), duration(s.median), duration(s.longest)});
    };
    add("evaluations", evaluations);
    add("suggestions", suggestions);
    return table.rows.empty() ? std::string() : table.str();
}

std::string options_tables(const ReportData& data) {
    HtmlTable parameters{.head = {"parameter", "type", "allowed"}};
    for (const Parameter& parameter : data.space.parameters())
        parameters.rows.push_back({escaped(name_of(parameter)), type_name(parameter), escaped(range_text(parameter))});
    return "<div class=\"pair\"><div><h3>Search space</h3>" + parameters.str() + "</div>" +
           pairs_table("Optimizer", data.option_list) + pairs_table("Study", data.setting_list) + "</div>";
}

std::string other_structures(const StructureView& structure) {
    if (structure.structures.size() < 2) return {};
    HtmlTable table{.head = {"weight", "groups"}, .align = "r"};
    for (std::size_t k = 0; k < std::min<std::size_t>(5, structure.structures.size()); ++k) {
        const WeightedStructure& s = structure.structures[k];
        std::string groups;  // groups of one are many and say little
        std::size_t alone = 0;
        for (const auto& group : s.groups) {
            if (group.size() == 1)
                ++alone;
            else
                groups += "<span class=\"chip\">" + joined(group, [](const std::string& n) { return escaped(n); }) +
                          "</span> ";
        }
        if (alone > 0) groups += std::to_string(alone) + " alone";
        table.rows.push_back({weight_text(s.weight), groups});
    }
    return "<h3>Most probable structures</h3>" + table.str();
}

std::string models_in_use(const StructureView& structure) {
    if (structure.models.size() < 2) return {};
    HtmlTable table{.head = {"weight", "model"}, .align = "r"};
    for (const WeightedModel& model : structure.models)
        table.rows.push_back({weight_text(model.weight), escaped(model.name)});
    return "<h3>Models side by side</h3>" + table.str();
}

}  // namespace summand::report
