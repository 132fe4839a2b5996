// SPDX-License-Identifier: Apache-2.0
#include "summand/report/trials_section.hpp"

#include "summand/plot/text.hpp"
#include "summand/report/html.hpp"
#include "summand/report/parameter_axis.hpp"
#include "summand/report/tables.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace summand::report {
namespace {

using plot::short_number;

constexpr std::size_t most_columns = 8;  // parameters in the table; a trial's own line shows all of them
constexpr std::size_t best_shown = 20;   // without a script

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Whole numbers are kept whole.
std::string number(double value, int digits = 6) {
    if (!std::isfinite(value)) return "null";
    if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<std::int64_t>(value));
    return short_number(value, digits);
}

template <class Items, class Text>
std::string list(const Items& items, const Text& text) {
    std::string joined;
    for (const auto& item : items) joined += (joined.empty() ? "" : ",") + text(item);
    return "[" + joined + "]";
}

std::string parameter_json(const Parameter& parameter) {
    std::string text = "{\"name\":" + quoted(name_of(parameter));
    if (const Choice* choice = std::get_if<Choice>(&parameter)) text += ",\"words\":" + list(choice->values, quoted);
    return text + "}";
}

std::string values_json(const SearchSpace& space, const Point& values) {
    std::string text;
    for (std::size_t j = 0; j < std::min(space.size(), values.size()); ++j)
        text += (j == 0 ? "" : ",") + number(parameter_axis(space, j).place(values[j]), 5);
    return "[" + text + "]";
}

// The names of what was measured besides the value, as they appear.
std::vector<std::string> measures_of(const ReportData& data) {
    std::vector<std::string> names;
    for (const Trial& trial : data.trials)
        for (const auto& [name, value] : trial.also)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

// ",[...]" in the order of the names; nothing if there are none.
std::string also_json(const Trial& trial, const std::vector<std::string>& measures) {
    if (measures.empty()) return {};
    return "," + list(measures, [&](const std::string& name) {
               const auto found = std::find_if(trial.also.begin(), trial.also.end(),
                                               [&](const auto& measured) { return measured.first == name; });
               return found == trial.also.end() ? std::string("null") : number(found->second);
           });
}

std::string trial_json(const ReportData& data, const Trial& trial, const std::vector<std::string>& measures,
                       bool with_values) {
    const bool timed = trial.ended_at && !trial.added;
    return "[" + std::to_string(trial.id) + "," + std::to_string(static_cast<int>(trial.state)) + "," +
           (trial.value ? number(*trial.value) : "null") + "," +
           (timed ? short_number(std::max(0.0, *trial.ended_at - trial.started_at), 4) : "null") + "," +
           quoted(trial.reason) + "," + (with_values ? values_json(data.space, trial.values) : "null") +
           also_json(trial, measures) + "]";
}

}  // namespace

std::string trials_data(const ReportData& data, std::size_t most_cells) {
    const std::vector<const Trial*> best = best_first(data);
    const std::size_t most = most_cells / std::max<std::size_t>(1, data.space.size());
    std::set<std::int64_t> left_out;
    for (std::size_t k = most; k < best.size(); ++k) left_out.insert(best[k]->id);
    const std::vector<std::string> measures = measures_of(data);
    std::string logs;
    for (const auto& [id, log] : data.logs)
        logs += (logs.empty() ? "\"" : ",\"") + std::to_string(id) + "\":" + quoted(log);
    const std::string json =
        "{\"source\":" + quoted(data.source) + ",\"goal\":" + quoted(to_string(data.options.goal)) +
        ",\"parameters\":" + list(data.space.parameters(), parameter_json) + ",\"measures\":" + list(measures, quoted) +
        ",\"order\":" + list(by_importance(data), [](std::size_t j) { return std::to_string(j); }) + ",\"trials\":" +
        list(data.trials,
             [&](const Trial& t) { return "\n" + trial_json(data, t, measures, !left_out.contains(t.id)); }) +
        ",\"logs\":{" + logs + "}}";
    std::string safe;  // no text can end the element
    for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
    return "<script type=\"application/json\" id=\"study\">" + safe + "</script>\n";
}

std::string trials_table(const ReportData& data) {
    if (data.trials.empty()) return {};
    std::vector<const Trial*> trials = best_first(data);
    trials.resize(std::min(trials.size(), best_shown));
    std::vector<std::size_t> columns = by_importance(data);
    columns.resize(std::min(columns.size(), most_columns));
    std::sort(columns.begin(), columns.end());
    HtmlTable table{.head = {"trial", "value"}, .align = "rr"};
    for (const std::size_t j : columns) table.head.push_back(name_of(data.space[j])), table.align += 'r';
    for (const Trial* trial : trials) {
        std::vector<std::string> row = {std::to_string(trial->id), short_number(*trial->value, 6)};
        for (const std::size_t j : columns)
            row.push_back(j < trial->values.size() ? value_html(trial->values[j], 4) : "");
        table.rows.push_back(std::move(row));
    }
    return "<div id=\"all-trials\"><p class=\"lead\">The best " + std::to_string(trials.size()) + ".</p>" +
           table.str() + "</div>\n";
}

}  // namespace summand::report
