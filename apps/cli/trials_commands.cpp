// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "csv.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

// summand trials | export
namespace summand::cli {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json named_values(const NamedValues& also) {
    Json json = Json::object();
    for (const auto& [name, value] : also) json[name] = value;
    return json;
}

Json to_json(const SearchSpace& space, const StudyTrial& trial) {
    return {{"id", trial.id},
            {"state", trial.state},
            {"parameters", Json::parse(study::point_to_json(space, trial.values))},
            {"value", number_or_null(trial.value)},
            {"also", named_values(trial.also)},
            {"reason", trial.reason},
            {"added", trial.added},
            {"attempt", trial.attempt},
            {"asked_at", trial.asked_at},
            {"started_at", trial.started_at},
            {"ended_at", number_or_null(trial.ended_at)},
            {"late", trial.late}};
}

std::string dumped(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

struct TrialsArguments {
    StudyArgument study = {};
    std::optional<std::int64_t> id = {};
    std::vector<std::string> states = {};
    std::string sort = "id";
    bool descending = false;
    std::size_t limit = 0;
    bool log = false;
    bool json = false;
};

/// What is missing (a running trial has no value) comes last in either direction.
std::optional<double> sort_key(const StudyTrial& trial, const std::string& by, const SearchSpace& space) {
    if (by == "id") return static_cast<double>(trial.id);
    if (by == "value") return trial.value;
    if (by == "time") return trial.ended_at;
    if (by == "duration") return trial.ended_at ? std::optional(*trial.ended_at - trial.started_at) : std::nullopt;
    const Value& value = trial.values[*space.find(by)];
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    return {};
}

void check_sort(const std::string& by, const SearchSpace& space) {
    std::vector<std::string> known = {"id", "value", "time", "duration"};
    for (const std::string& name : space.names()) known.push_back(name);
    if (std::find(known.begin(), known.end(), by) != known.end()) return;
    const auto near = nearest_name(by, known);
    throw InvalidArgument("--sort is \"" + by + "\"" +
                          (near ? "; did you mean \"" + *near + "\"?"
                                : "; allowed are id, value, time, duration and the parameters' names"));
}

std::vector<StudyTrial> selected(const Study& study, const TrialsArguments& given) {
    check_sort(given.sort, study.space());
    std::vector<StudyTrial> trials = study.trials();
    std::erase_if(trials, [&](const StudyTrial& trial) {
        return !given.states.empty() &&
               std::find(given.states.begin(), given.states.end(), trial.state) == given.states.end();
    });
    std::stable_sort(trials.begin(), trials.end(), [&](const StudyTrial& a, const StudyTrial& b) {
        const auto x = sort_key(a, given.sort, study.space());
        const auto y = sort_key(b, given.sort, study.space());
        if (!x || !y) return x.has_value() && !y.has_value();
        return given.descending ? *x > *y : *x < *y;
    });
    if (given.limit > 0 && trials.size() > given.limit) trials.resize(given.limit);
    return trials;
}

void print_line(const SearchSpace& space, const StudyTrial& trial) {
    std::cout << std::setw(6) << trial.id << "  " << std::left << std::setw(10) << trial.state << std::setw(14)
              << (trial.value ? short_number(*trial.value) : "") << std::right;
    if (!trial.reason.empty()) std::cout << "(" << trial.reason << ")  ";
    if (trial.late) std::cout << "(late)  ";
    std::cout << point_text(space, trial.values) << '\n';
}

void print_log(const Study& study, std::int64_t id) {
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

void show_one(const Study& study, const TrialsArguments& given) {
    const auto trial = study.trial(*given.id);
    if (!trial)
        throw InvalidArgument("there is no trial " + std::to_string(*given.id) + " in study \"" + study.name() + "\"");
    std::vector<storage::LateAnswer> late;
    for (const auto& answer : study.late_answers())
        if (answer.trial == trial->id) late.push_back(answer);
    const auto earlier = study.earlier_answers(trial->id);
    if (given.json) {
        Json json = to_json(study.space(), *trial);
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
    print_line(study.space(), *trial);
    for (const auto& answer : earlier)
        std::cout << "        earlier answer: "
                  << (answer.value ? short_number(*answer.value) : "failed: " + answer.reason) << '\n';
    for (const auto& answer : late)
        std::cout << "        late answer: "
                  << (answer.value ? short_number(*answer.value) : "failed: " + answer.reason) << '\n';
    if (given.log) print_log(study, trial->id);
}

void show_trials(const TrialsArguments& given) {
    const Study study = given.study.open_existing();
    if (given.log && !given.id)
        throw InvalidArgument("trials: --log needs the ID of a trial: summand trials STUDY ID --log");
    if (given.id) {
        show_one(study, given);
        return;
    }
    const auto trials = selected(study, given);
    if (given.json) {
        Json list = Json::array();
        for (const StudyTrial& trial : trials) list.push_back(to_json(study.space(), trial));
        std::cout << dumped(list) << '\n';
        return;
    }
    for (const StudyTrial& trial : trials) print_line(study.space(), trial);
}

struct ExportArguments {
    StudyArgument study = {};
    std::string format = "csv";
    std::string output = {};
};

void write_csv(const Study& study, std::ostream& out) {
    out << "id,state,value,reason,added,attempt,asked_at,started_at,ended_at,late";
    for (const std::string& name : study.space().names()) out << ',' << csv_field(name);
    out << '\n';
    for (const StudyTrial& trial : study.trials()) {
        out << trial.id << ',' << trial.state << ',' << (trial.value ? to_text(*trial.value) : "") << ','
            << csv_field(trial.reason) << ',' << trial.added << ',' << trial.attempt << ',' << to_text(trial.asked_at)
            << ',' << to_text(trial.started_at) << ',' << (trial.ended_at ? to_text(*trial.ended_at) : "") << ','
            << trial.late;
        for (const Value& value : trial.values) out << ',' << csv_field(to_text(value));
        out << '\n';
    }
}

void write_json(const Study& study, std::ostream& out) {
    Json list = Json::array();
    for (const StudyTrial& trial : study.trials()) list.push_back(to_json(study.space(), trial));
    out << dumped(list, 1) << '\n';
}

void export_trials(const ExportArguments& given) {
    const Study study = given.study.open_existing();
    std::ofstream file;
    if (!given.output.empty()) file.open(given.output);
    std::ostream& out = given.output.empty() ? std::cout : file;
    if (given.format == "csv")
        write_csv(study, out);
    else
        write_json(study, out);
    out.flush();
    if (!out)
        throw InvalidArgument((given.output.empty() ? "standard output" : given.output) +
                              " could not be written; is the disk full?");
}

}  // namespace

void add_trials(CLI::App& app) {
    {
        CLI::App* command = add_command(app, "trials", "List trials, or show one with its output",
                                        "summand trials study.toml --state completed --sort value --limit 10\n  "
                                        "summand trials study.toml 17 --log");
        auto given = std::make_shared<TrialsArguments>();
        add_study_argument(*command, given->study);
        command->add_option("ID", given->id, "Show this trial only");
        command
            ->add_option("--state", given->states, "Only these: waiting, running, lost, completed, failed, abandoned")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->check(CLI::IsMember({"waiting", "running", "lost", "completed", "failed", "abandoned"}))
            ->type_name("STATE");
        command->add_option("--sort", given->sort, "By id, value, time, duration or a parameter")
            ->capture_default_str();
        command->add_flag("--descending", given->descending, "Largest first");
        command->add_option("--limit", given->limit, "At most so many");
        command->add_flag("--log", given->log, "What its program wrote");
        command->add_flag("--json", given->json, "As JSON");
        command->callback([given] { show_trials(*given); });
    }
    {
        CLI::App* command = add_command(app, "export", "Write all trials as CSV or JSON",
                                        "summand export study.toml --format csv -o trials.csv");
        auto given = std::make_shared<ExportArguments>();
        add_study_argument(*command, given->study);
        command->add_option("--format", given->format, "csv or json")
            ->check(CLI::IsMember({"csv", "json"}))
            ->capture_default_str();
        command->add_option("-o,--output", given->output, "The file to write (default: standard output)");
        command->callback([given] { export_trials(*given); });
    }
}

}  // namespace summand::cli
