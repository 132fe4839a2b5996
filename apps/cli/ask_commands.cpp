// SPDX-License-Identifier: Apache-2.0
#include "answer_argument.hpp"
#include "commands.hpp"
#include "csv.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"
#include "summand/study/request.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

// summand ask | tell | abandon | add: for users with a scheduler or data of their own.
namespace summand::cli {

namespace {

using Json = nlohmann::ordered_json;

struct AskArguments {
    StudyArgument study = {};
    int count = 0;
    std::string lease = {};
    std::string key = {};
    bool json = false;
};

void ask(const AskArguments& given) {
    AskRequest request;
    request.count = given.count;
    request.key = given.key;
    if (!given.lease.empty()) {
        request.lease_seconds = study::parse_duration(given.lease);
        if (!request.lease_seconds)
            throw InvalidArgument("--lease is \"" + given.lease + "\"; write a duration such as 90s, 30m, 2h or 1d");
    }
    Study study = given.study.open();
    const std::vector<StudyTrial> trials = study.ask(request);
    if (trials.empty()) {
        const auto running = study.counts().running;
        std::cerr << "summand: no trial is left to hand out: the budget is used up or every point has been tried"
                  << (running > 0 ? "; " + std::to_string(running) + " are still running" : "") << '\n';
    }
    if (!given.json) {
        for (const StudyTrial& trial : trials)
            std::cout << trial.id << ": " << point_text(study.space(), trial.values) << '\n';
        return;
    }
    Json list = Json::array();
    for (const StudyTrial& trial : trials)
        list.push_back(
            {{"id", trial.id}, {"parameters", Json::parse(study::point_to_json(study.space(), trial.values))}});
    std::cout << list.dump() << '\n';
}

struct TellArguments {
    StudyArgument study = {};
    AnswerArgument answer = {};
};

void tell(const TellArguments& given) {
    const Outcome outcome = given.answer.outcome("tell");
    const TellRequest request = given.answer.request();
    const std::int64_t id = given.answer.id;
    Study study = given.study.open_existing();
    switch (study.tell(id, outcome, request)) {
        case TellResult::accepted:
            break;
        case TellResult::repeated:
            std::cerr << "summand: trial " << id << " had this answer already\n";
            break;
        case TellResult::kept_as_late:
            std::cerr << "summand: trial " << id << " has another answer already; this one is kept as late\n";
            break;
    }
}

struct AddArguments {
    StudyArgument study = {};
    std::string file = {};
    std::string value_column = "value";
    std::string key = {};
};

/// Which column holds what. Columns that `summand export` writes beside the parameters are understood or passed over.
struct Columns {
    std::vector<std::size_t> parameters = {};
    std::size_t value = std::string::npos;
    std::size_t state = std::string::npos;
    std::size_t reason = std::string::npos;
};

Columns columns_of(const std::vector<std::string>& header, const SearchSpace& space, const AddArguments& given) {
    const std::vector<std::string> passed_over = {"id",         "added",    "attempt", "asked_at",
                                                  "started_at", "ended_at", "late"};
    Columns columns;
    columns.parameters.assign(space.size(), std::string::npos);
    std::vector<std::string> known = space.names();
    known.insert(known.end(), {given.value_column, "state", "reason"});
    for (std::size_t c = 0; c < header.size(); ++c) {
        if (const auto j = space.find(header[c]))
            columns.parameters[*j] = c;
        else if (header[c] == given.value_column)
            columns.value = c;
        else if (header[c] == "state")
            columns.state = c;
        else if (header[c] == "reason")
            columns.reason = c;
        else if (std::find(passed_over.begin(), passed_over.end(), header[c]) == passed_over.end()) {
            const auto near = nearest_name(header[c], known);
            throw InvalidArgument(
                given.file + ":1: the column \"" + header[c] + "\" is not a parameter of the study" +
                (near ? "; did you mean \"" + *near + "\"?" : "; remove it, or name the value's column with --value"));
        }
    }
    for (std::size_t j = 0; j < space.size(); ++j)
        if (columns.parameters[j] == std::string::npos)
            throw InvalidArgument(given.file + ":1: there is no column for the parameter \"" + name_of(space[j]) +
                                  "\"");
    if (columns.value == std::string::npos)
        throw InvalidArgument(given.file + ":1: there is no column \"" + given.value_column +
                              "\" with the values; name it with --value");
    return columns;
}

Value value_from(const Parameter& parameter, const std::string& text) {
    if (std::holds_alternative<Choice>(parameter)) return text;
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw InvalidArgument("\"" + text + "\" is given for \"" + name_of(parameter) + "\"; a number is needed");
    return number;
}

std::optional<std::pair<Point, Outcome>> read_row(const std::vector<std::string>& row, const Columns& columns,
                                                  const SearchSpace& space) {
    const std::string state = columns.state == std::string::npos ? "" : row[columns.state];
    if (state == "running" || state == "lost" || state == "abandoned") return {};
    Point point;
    for (std::size_t j = 0; j < space.size(); ++j) point.push_back(value_from(space[j], row[columns.parameters[j]]));
    const std::string& text = row[columns.value];
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (state == "failed" || text.empty()) {
        const std::string reason = columns.reason == std::string::npos ? "" : row[columns.reason];
        return std::pair{space.checked(point), Outcome{Failed{reason.empty() ? "no value in the data" : reason}}};
    }
    if (error != std::errc() || end != text.data() + text.size())
        throw InvalidArgument("the value is \"" + text + "\"; a number is needed, or nothing for a failed evaluation");
    if (!std::isfinite(value)) return std::pair{space.checked(point), Outcome{Failed{"the result is not finite"}}};
    return std::pair{space.checked(point), Outcome{value}};
}

void add(const AddArguments& given) {
    std::ifstream file(given.file);
    if (!file) throw InvalidArgument(given.file + " cannot be read; check the path");
    std::stringstream text;
    text << file.rdbuf();
    Study study = given.study.open();
    const auto rows = read_csv(text);
    if (rows.empty()) throw InvalidArgument(given.file + " is empty; its first line must name the columns");
    const Columns columns = columns_of(rows[0], study.space(), given);
    std::vector<std::pair<Point, Outcome>> data;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        try {
            if (rows[r].size() != rows[0].size())
                throw InvalidArgument("there are " + std::to_string(rows[r].size()) + " fields, the first line has " +
                                      std::to_string(rows[0].size()));
            if (auto row = read_row(rows[r], columns, study.space())) data.push_back(std::move(*row));
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(given.file + ", row " + std::to_string(r) + ": " + error.what() +
                                  ". Nothing was added");
        }
    }
    // Without a key of the user's, the file is its own: added twice by mistake, every evaluation would count twice.
    const std::string key = given.key.empty() ? "file " + study::digest_of(text.str()) : given.key;
    if (study.add(data, key).repeated)
        std::cerr << "summand: these " << data.size() << " evaluations were added before; nothing was changed"
                  << (given.key.empty() ? " (to add them once more, give a --key of its own)" : "") << '\n';
    else
        std::cout << "Added " << data.size() << " evaluations to \"" << study.name() << "\".\n";
}

}  // namespace

void add_ask(CLI::App& app) {
    {
        CLI::App* command =
            add_command(app, "ask", "Hand out trials to evaluate elsewhere", "summand ask study.toml --count 4 --json");
        auto given = std::make_shared<AskArguments>();
        add_study_argument(*command, given->study);
        command->add_option("--count", given->count, "How many (default: the batch size)")->check(CLI::PositiveNumber);
        command->add_option("--lease", given->lease,
                            "Issue them again if there is no answer in this time (90s, 2h; default: the study's)");
        command->add_option("--key", given->key,
                            "A key for this request: repeated, it gives the same trials; a key belongs to one request");
        command->add_flag("--json", given->json, "A JSON array of {\"id\", \"parameters\"}");
        command->callback([given] { ask(*given); });
    }
    {
        CLI::App* command =
            add_command(app, "tell", "Give the result of a trial",
                        "summand tell study.toml 17 0.83\n  summand tell study.toml 18 --failed \"out of memory\"");
        auto given = std::make_shared<TellArguments>();
        add_study_argument(*command, given->study);
        add_answer_argument(*command, given->answer);
        command->callback([given] { tell(*given); });
    }
    {
        CLI::App* command = add_command(app, "abandon", "Give up a running trial: its answer is no longer wanted",
                                        "summand abandon study.toml 17");
        auto given = std::make_shared<TellArguments>();
        add_study_argument(*command, given->study);
        command->add_option("ID", given->answer.id, "The trial")->required();
        command->callback([given] { given->study.open_existing().abandon(given->answer.id); });
    }
    {
        CLI::App* command = add_command(
            app, "add", "Bring in evaluations made elsewhere, from a CSV file with a column for each parameter",
            "summand add study.toml data.csv --value score");
        auto given = std::make_shared<AddArguments>();
        add_study_argument(*command, given->study);
        command->add_option("FILE", given->file, "The data; its first line names the columns")->required();
        command->add_option("--value", given->value_column, "The column of the values")
            ->capture_default_str()
            ->type_name("COLUMN");
        command->add_option("--key", given->key,
                            "A key for this request: repeated, it changes nothing (default: the file's content)");
        command->callback([given] { add(*given); });
    }
}

}  // namespace summand::cli
