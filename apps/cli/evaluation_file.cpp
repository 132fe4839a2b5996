// SPDX-License-Identifier: Apache-2.0
#include "evaluation_file.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace summand::cli {

namespace {

const std::string parameter_prefix = "parameter.";
const std::string also_prefix = "also.";
const std::vector<std::string> incomplete = {"waiting", "running", "lost", "abandoned", "failed"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t value_column_of(const CsvTable& table, const std::string& given,
                            const std::vector<std::string>& parameters) {
    const std::vector<std::string> candidates =
        given.empty() ? std::vector<std::string>{"value", "y"} : std::vector<std::string>{given};
    for (const std::string& name : candidates) {
        const auto column = table.find(name);
        if (!column) continue;
        if (given.empty() && contains(parameters, name) && !table.find(parameter_prefix + name)) {
            if (name == "y") continue;
            throw InvalidArgument(table.file + ": line 1: \"" + name +
                                  "\" is a parameter of the study; name the column of the values with --value, or call "
                                  "the parameter's column " +
                                  parameter_prefix + name);
        }
        return *column;
    }
    throw InvalidArgument(table.file + ": line 1: there is no column " +
                          (given.empty() ? std::string("\"value\" or \"y\"") : "\"" + given + "\"") +
                          " with the values; name it with --value COLUMN");
}

}  // namespace

std::string state_of(const CsvTable& table, const CsvRow& row, const EvaluationColumns& columns) {
    if (!columns.state) return "";
    const std::string& state = row.fields[*columns.state];
    if (state.empty() || state == "completed" || contains(incomplete, state)) return state;
    throw InvalidArgument(table.at(row, *columns.state) + ": \"" + state +
                          "\" is no state of an evaluation; write completed, failed, waiting, running, lost, abandoned "
                          "or nothing, or give the column another name if it means something else");
}

const std::vector<std::string>& trial_columns() {
    static const std::vector<std::string> names = {"id",      "state",    "value",      "reason",   "added",
                                                   "attempt", "asked_at", "started_at", "ended_at", "late"};
    return names;
}

std::string also_column(const std::string& name) {
    return also_prefix + name;
}

std::string parameter_column(const std::string& name) {
    const bool taken =
        contains(trial_columns(), name) || name.starts_with(parameter_prefix) || name.starts_with(also_prefix);
    return taken ? parameter_prefix + name : name;
}

EvaluationColumns evaluation_columns(const CsvTable& table, const std::string& value_column,
                                     const std::vector<std::string>& parameters) {
    const bool exported = std::all_of(trial_columns().begin(), trial_columns().end(),
                                      [&](const std::string& name) { return table.find(name).has_value(); });
    const auto about_the_trial = [&](const std::string& name) {
        if (!contains(trial_columns(), name)) return false;
        return exported || (!parameters.empty() && !contains(parameters, name));
    };
    EvaluationColumns columns;
    columns.value = value_column_of(table, value_column, parameters);
    for (std::size_t c = 0; c < table.header.size(); ++c) {
        const std::string& name = table.header[c];
        if (c == columns.value) continue;
        if (exported && name.starts_with(also_prefix))
            columns.also.emplace_back(name.substr(also_prefix.size()), c);
        else if (name.starts_with(parameter_prefix))
            columns.others.emplace_back(name.substr(parameter_prefix.size()), c);
        else if (!about_the_trial(name))
            columns.others.emplace_back(name, c);
        else if (name == "state")
            columns.state = c;
        else if (name == "reason")
            columns.reason = c;
    }
    return columns;
}

std::optional<double> value_of(const CsvTable& table, const CsvRow& row, const EvaluationColumns& columns) {
    const std::string& text = row.fields[columns.value];
    if (contains(incomplete, state_of(table, row, columns)) || text.empty()) return {};
    const auto value = number_in(text);
    if (!value)
        throw InvalidArgument(table.at(row, columns.value) + ": \"" + text +
                              "\" is not a number; write one such as 0.5 or 1e-3, or nothing for a failed evaluation");
    return std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace summand::cli
