// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "display.hpp"
#include "evaluation_file.hpp"
#include "option_checks.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/study/json.hpp"
#include "summand/study/json_text.hpp"
#include "summand/study/quantities.hpp"
#include "summand/study/trial_filter.hpp"
#include "summand/study/view_json.hpp"
#include "trial_table.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include <unistd.h>

// summand trials | export
namespace summand::cli {

using Json = nlohmann::ordered_json;
using study::dumped;

namespace {

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json to_json(const AnyStudy& study, const Trial& trial) {
    return Json::parse(study::trial_to_json(study.space(), study.settings().literals, trial));
}

struct TrialsArguments {
    StudyArgument study = {};
    std::optional<std::int64_t> id = {};
    std::vector<std::string> states = {};
    study::TrialQuery query = {};
    std::int64_t limit = 0;
    bool log = false;
    bool json = false;
};

std::vector<Trial> selected(const AnyStudy& study, const TrialsArguments& given) {
    study::TrialQuery query = given.query;
    for (const std::string& word : given.states) query.states.push_back(trial_state_from(word, "--state"));
    std::vector<Trial> trials = study::select_trials(study.space(), study.trials(), query);
    const auto limit = static_cast<std::size_t>(given.limit);
    if (limit > 0 && trials.size() > limit) trials.resize(limit);
    return trials;
}

/// All there is to one trial, a line each.
void print_one(const SearchSpace& space, const Trial& trial) {
    std::cout << "trial " << trial.id << ": " << to_string(trial.state)
              << (trial.value ? ", value " + to_text(*trial.value) : "") << (trial.late ? " (late)" : "") << '\n';
    if (!trial.reason.empty()) std::cout << "reason: " << trial.reason << '\n';
    for (const auto& [name, value] : trial.also) std::cout << name << ": " << to_text(value) << '\n';
    for (std::size_t j = 0; j < space.size(); ++j)
        std::cout << name_of(space[j]) << " = " << to_text(trial.values[j]) << '\n';
}

void print_log(const AnyStudy& study, std::int64_t id) {
    const auto attempts = study.attempts(id);
    if (attempts.empty())
        std::cout << "No output is stored for trial " << id << ": it is still running, or was evaluated elsewhere.\n";
    for (const auto& attempt : attempts) {
        std::cout << "--- attempt " << attempt.attempt << ": " << attempt.outcome << ", "
                  << study::format_duration(attempt.ended_at - attempt.started_at) << "\n--- standard output\n"
                  << attempt.output << (attempt.output.empty() || attempt.output.back() == '\n' ? "" : "\n")
                  << "--- standard error\n"
                  << attempt.error << (attempt.error.empty() || attempt.error.back() == '\n' ? "" : "\n");
    }
}

void show_one(const AnyStudy& study, const TrialsArguments& given) {
    const auto trial = study.trial(*given.id);
    if (!trial)
        throw InvalidArgument("there is no trial " + std::to_string(*given.id) + " in study \"" + study.name() + "\"");
    const auto late = study.late_answers(trial->id);
    const auto earlier = study.earlier_answers(trial->id);
    if (given.json) {
        Json json = to_json(study, *trial);
        for (const auto& answer : late)
            json["late_answers"].push_back(
                {{"value", number_or_null(answer.value)}, {"reason", answer.reason}, {"at", answer.at}});
        for (const auto& answer : earlier)
            json["earlier_answers"].push_back(
                {{"value", number_or_null(answer.value)}, {"reason", answer.reason}, {"at", answer.at}});
        if (given.log)
            for (const auto& a : study.attempts(trial->id))
                json["attempts"].push_back({{"attempt", a.attempt},
                                            {"outcome", a.outcome},
                                            {"started_at", a.started_at},
                                            {"ended_at", a.ended_at},
                                            {"output", a.output},
                                            {"error", a.error}});
        std::cout << dumped(json) << '\n';
        return;
    }
    print_one(study.space(), *trial);
    for (const auto& answer : earlier)
        std::cout << "earlier answer: " << (answer.value ? short_number(*answer.value) : "failed: " + answer.reason)
                  << '\n';
    for (const auto& answer : late)
        std::cout << "late answer: " << (answer.value ? short_number(*answer.value) : "failed: " + answer.reason)
                  << '\n';
    if (given.log) print_log(study, trial->id);
}

void show_trials(const TrialsArguments& given) {
    const auto opened = given.study.any_existing();
    const AnyStudy& study = *opened;
    if (given.log && !given.id)
        throw InvalidArgument("trials: --log needs the ID of a trial: summand trials STUDY ID --log");
    if (given.id) {
        show_one(study, given);
        return;
    }
    const auto trials = selected(study, given);
    if (given.json) {
        Json list = Json::array();
        for (const Trial& trial : trials) list.push_back(to_json(study, trial));
        std::cout << dumped(list) << '\n';
        return;
    }
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    print_table(std::cout, study.space(), trials,
                terminal ? std::optional<std::size_t>(terminal_width(STDOUT_FILENO)) : std::nullopt);
}

struct ExportArguments {
    StudyArgument study = {};
    std::string format = "csv";
    std::string output = {};
};

void write_csv(const AnyStudy& study, std::ostream& out) {
    for (const std::string& name : trial_columns()) out << (name == trial_columns().front() ? "" : ",") << name;
    const std::vector<Trial> trials = study.trials();
    const std::vector<std::string> further = study::further_names(trials);
    for (const std::string& name : further) out << ',' << csv_field(also_column(name));
    for (const std::string& name : study.space().names()) out << ',' << csv_field(parameter_column(name));
    out << '\n';
    for (const Trial& trial : trials) {
        out << trial.id << ',' << to_string(trial.state) << ',' << (trial.value ? to_text(*trial.value) : "") << ','
            << csv_field(trial.reason) << ',' << trial.added << ',' << trial.attempt << ',' << to_text(trial.asked_at)
            << ',' << to_text(trial.started_at) << ',' << (trial.ended_at ? to_text(*trial.ended_at) : "") << ','
            << trial.late;
        for (const std::string& name : further) {
            const auto value = study::number_of(trial.also, name);
            out << ',' << (value ? to_text(*value) : "");
        }
        for (const Value& value : trial.values) out << ',' << csv_field(to_text(value));
        out << '\n';
    }
}

void write_json(const AnyStudy& study, std::ostream& out) {
    Json list = Json::array();
    for (const Trial& trial : study.trials()) list.push_back(to_json(study, trial));
    out << dumped(list, 1) << '\n';
}

void export_trials(const ExportArguments& given) {
    const auto opened = given.study.any_existing();
    const AnyStudy& study = *opened;
    std::ofstream file;
    if (!given.output.empty()) {
        file.open(given.output);
        if (!file)
            throw InvalidArgument("export: " + given.output + " cannot be written: " + std::strerror(errno) +
                                  "; check the folder and the name");
    }
    std::ostream& out = given.output.empty() ? std::cout : file;
    if (given.format == "csv")
        write_csv(study, out);
    else
        write_json(study, out);
    if (!out.flush() && !given.output.empty())
        throw InvalidArgument(given.output + " could not be written; is the disk full?");
}

}  // namespace

void add_trials(CLI::App& app) {
    {
        CLI::App* command = add_command(app, "trials", "List trials, or show one with its output",
                                        "summand trials study.toml --state completed --sort value --limit 10\n  "
                                        "summand trials study.toml 17 --log");
        auto given = std::make_shared<TrialsArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        command->add_option("ID", given->id, "Show this trial only");
        command
            ->add_option("--state", given->states, "Only these: waiting, running, lost, completed, failed, abandoned")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->check(CLI::IsMember({"waiting", "running", "lost", "completed", "failed", "abandoned"}))
            ->type_name("STATE");
        command
            ->add_option("--where", given->query.conditions,
                         "Only those with \"value<0.1\", solver=adam, \"duration>60\" ... (may be repeated)")
            ->allow_extra_args(false)
            ->type_name("COMPARISON");
        command->add_option("--sort", given->query.sort, "By id, value, time, duration, a further value or a parameter")
            ->capture_default_str();
        command->add_flag("--descending", given->query.descending, "Largest first");
        command->add_option("--limit", given->limit, "At most so many")->check(at_least_one);
        command->add_flag("--log", given->log, "What its program wrote");
        command->add_flag("--json", given->json, "As JSON");
        command->callback([given] { show_trials(*given); });
    }
    {
        CLI::App* command = add_command(app, "export", "Write all trials as CSV or JSON",
                                        "summand export study.toml --format csv -o trials.csv");
        auto given = std::make_shared<ExportArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        command->add_option("--format", given->format, "csv or json")
            ->check(CLI::IsMember({"csv", "json"}))
            ->capture_default_str();
        command->add_option("-o,--output", given->output, "The file to write (default: standard output)");
        command->callback([given] { export_trials(*given); });
    }
}

}  // namespace summand::cli
