// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "evaluation_file.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/study/request.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>

// summand add: evaluations made elsewhere.
namespace summand::cli {

namespace {

struct AddArguments {
    StudyArgument study = {};
    std::string file = {};
    std::string value_column = {};
    std::string key = {};
};

/// All that stands in a table: the same table, the same text.
std::string text_of(const CsvTable& table) {
    std::string text;
    const auto append = [&](const std::vector<std::string>& fields) {
        for (const std::string& field : fields) text += csv_field(field) + ",";
        text += "\n";
    };
    append(table.header);
    for (const CsvRow& row : table.rows) append(row.fields);
    return text;
}

Value value_from(const Parameter& parameter, const std::string& text) {
    if (std::holds_alternative<Choice>(parameter)) return text;
    if (const auto number = number_in(text)) return *number;
    throw InvalidArgument("\"" + text + "\" is given for \"" + name_of(parameter) +
                          "\"; a number such as 0.5 or 1e-3 is needed");
}

/// The column of each parameter; columns that are no parameter's are passed over, and said so.
std::vector<std::size_t> parameter_columns(const CsvTable& table, const EvaluationColumns& columns,
                                           const SearchSpace& space) {
    std::vector<std::optional<std::size_t>> found(space.size());
    std::vector<std::string> unknown;
    for (const auto& [name, column] : columns.others)
        if (const auto j = space.find(name))
            found[*j] = column;
        else
            unknown.push_back(name);
    std::vector<std::size_t> result;
    for (std::size_t j = 0; j < space.size(); ++j) {
        const auto near = nearest_name(name_of(space[j]), unknown);
        if (!found[j])
            throw InvalidArgument(table.file + ": line 1: there is no column for the parameter \"" + name_of(space[j]) +
                                  "\"" + (near ? "; is it the column \"" + *near + "\"? Rename that" : ""));
        result.push_back(*found[j]);
    }
    std::string list;
    for (const std::string& name : unknown) list += (list.empty() ? "" : ", ") + name;
    if (!list.empty()) std::cerr << "summand: columns that are not parameters were passed over: " << list << '\n';
    return result;
}

std::optional<Evaluation> read_row(const CsvTable& table, const CsvRow& row, const EvaluationColumns& columns,
                                   const std::vector<std::size_t>& parameters, const SearchSpace& space) {
    const std::string state = state_of(table, row, columns);
    if (state == "waiting" || state == "running" || state == "lost" || state == "abandoned") return {};
    Point point;
    for (std::size_t j = 0; j < space.size(); ++j) {
        const std::string& text = row.fields[parameters[j]];
        const Value value = value_from(space[j], text);
        if (const std::string problem = problem_with(space[j], value); !problem.empty()) throw InvalidArgument(problem);
        point.push_back(canonical(space[j], value));
    }
    NamedValues also;
    for (const auto& [name, column] : columns.also)
        if (const auto number = number_in(row.fields[column]); number && std::isfinite(*number))
            also.emplace_back(name, *number);
    if (const auto value = value_of(table, row, columns)) return Evaluation{point, *value, also};
    const std::string reason = columns.reason ? row.fields[*columns.reason] : "";
    const bool missing = row.fields[columns.value].empty();
    return Evaluation{point,
                      Failed{!reason.empty() ? reason
                             : missing       ? "no value in the data"
                                             : "the result is not finite"},
                      also};
}

void add(const AddArguments& given) {
    const CsvTable table = read_csv(given.file);
    const auto opened = given.study.any();
    AnyStudy& study = *opened;
    const EvaluationColumns columns = evaluation_columns(table, given.value_column, study.space().names());
    const std::vector<std::size_t> parameters = parameter_columns(table, columns, study.space());
    std::vector<Evaluation> data;
    for (const CsvRow& row : table.rows) {
        try {
            if (auto read = read_row(table, row, columns, parameters, study.space())) data.push_back(std::move(*read));
        } catch (const InvalidArgument& error) {
            const std::string what = error.what();
            const std::string where = what.starts_with(table.file) ? "" : table.at(row) + ": ";
            throw InvalidArgument(where + what + ". Nothing was added");
        }
    }
    // Without a key of the user's, the data are their own: added twice by mistake, every evaluation would count twice.
    const std::string key =
        given.key.empty() ? "data " + study::digest_of(text_of(table) + given.value_column) : given.key;
    if (study.add(data, key).repeated)
        std::cerr << "summand: these " << data.size() << " evaluations were added before; nothing was changed"
                  << (given.key.empty() ? " (to add them once more, give a --key of its own)" : "") << '\n';
    else
        std::cout << "Added " << data.size() << " evaluations to \"" << study.name() << "\".\n";
    if (const std::size_t skipped = table.rows.size() - data.size(); skipped > 0)
        std::cout << skipped << (skipped == 1 ? " line was" : " lines were")
                  << " passed over: waiting, running, lost or abandoned, by the column \"state\".\n";
}

}  // namespace

void add_add(CLI::App& app) {
    CLI::App* command =
        add_command(app, "add", "Bring in evaluations made elsewhere, from a CSV file with a column for each parameter",
                    "summand add study.toml data.csv --value score");
    auto given = std::make_shared<AddArguments>();
    add_study_argument(*command, given->study, Where::anywhere);
    command->add_option("FILE", given->file, "The data; its first line names the columns")->required();
    command->add_option("--value", given->value_column, "The column of the values (default: value, or else y)")
        ->type_name("COLUMN");
    command->add_option("--key", given->key,
                        "A key for this request: repeated, it changes nothing (default: the file's content)");
    command->callback([given] { add(*given); });
}

}  // namespace summand::cli
