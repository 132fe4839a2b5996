// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "display.hpp"
#include "option_checks.hpp"
#include "signal_guard.hpp"
#include "slurm_status.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/study/choose_executor.hpp"
#include "summand/study/help_text.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

// summand init [FILE] | run STUDY
namespace summand::cli {

using Json = nlohmann::ordered_json;

namespace {

struct RunArguments {
    StudyArgument study = {};
    std::optional<int> workers = {};
    std::optional<ExecutorKind> executor = {};
    bool quiet = false;
    bool json = false;
};

std::string reason_of(RunEnd end, const Study& study) {
    switch (end) {
        case RunEnd::budget:
            return "The budget of " + std::to_string(study.settings().budget.value_or(0)) + " trials is used up.";
        case RunEnd::target:
            return "The target " + short_number(study.settings().target.value_or(0.0)) + " is reached.";
        case RunEnd::time:
            return "The time of " + study::format_duration(study.settings().stop_after_seconds.value_or(0.0)) +
                   " is over.";
        case RunEnd::exhausted:
            return "There is nothing left to try.";
        case RunEnd::failing:
            return "The first attempts all failed.";
        case RunEnd::interrupted:
            return "Stopped; the same command goes on from here.";
    }
    return "";
}

const char* word_of(RunEnd end) {
    constexpr std::array words = {"budget", "target", "time", "exhausted", "failing", "interrupted"};
    return words[static_cast<std::size_t>(end)];
}

/// What a run leaves to Slurm, and what the user may do about it.
void print_left_running(const RunArguments& given, const std::vector<executor::Place>& left) {
    if (left.empty()) return;
    std::vector<std::string> names;
    std::set<std::string> arrays;
    std::size_t waiting = 0;
    for (const executor::Place& place : left) {
        waiting += place.stage == executor::Stage::waiting ? 1 : 0;
        if (place.name.empty()) continue;  // on its way to Slurm
        names.push_back(place.name);
        arrays.insert(place.name.substr(0, place.name.find('_')));
    }
    std::cout << left.size() << " jobs go on in Slurm (" << waiting << " waiting, " << left.size() - waiting
              << " running)" << (names.empty() ? "" : ": ") << job_list(names) << "\n  summand run " << given.study.path
              << " takes their results; summand status " << given.study.path << " shows where they are";
    if (!arrays.empty()) std::cout << "; to cancel them: scancel";
    for (const std::string& array : arrays) std::cout << ' ' << array;
    std::cout << '\n';
}

/// Where the best value may mislead.
std::string recommended_text(const Study& study, std::int64_t best) {
    const auto found = study.recommended();
    if (!found || !found->best_misleads() || found->id == best) return {};
    return std::string(found->best_doubted ? "That value is far from what the others foretell; the"
                                           : "Values are noisy; the") +
           " model recommends trial " + std::to_string(found->id) + " (" + short_number(found->value) + ").\n";
}

void print_summary(const Study& study, const RunArguments& given, const RunSummary& summary) {
    const storage::Counts counts = study.counts();
    std::cout << reason_of(summary.end, study) << " This run: " << summary.completed << " completed, " << summary.failed
              << " failed, " << study::format_duration(summary.seconds) << ".\n";
    print_left_running(given, summary.left_running);
    if (counts.running > 0) std::cout << counts.running << " trials are with other workers.\n";
    if (const auto best = study.best())
        std::cout << "Best: " << short_number(*best->value) << " (trial " << best->id << ")\n  "
                  << point_text(study.space(), best->values, true) << '\n'
                  << recommended_text(study, best->id);
    std::cout << structure_text(study.structure());
    const std::string which =
        given.study.path + (given.study.name.empty() ? "" : " --study '" + given.study.name + "'");
    std::cout << "More: summand best " << which << ", summand report " << which << " -o report.html\n";
}

void print_json_summary(const Study& study, const RunSummary& summary) {
    Json json = {{"event", "end"},           {"end", word_of(summary.end)}, {"completed", summary.completed},
                 {"failed", summary.failed}, {"seconds", summary.seconds},  {"ask_seconds", summary.ask_seconds}};
    for (const executor::Place& place : summary.left_running)
        json["left_running"].push_back({{"id", place.id}, {"job", place.name}});
    if (const auto best = study.best())
        json["best"] = {
            {"id", best->id},
            {"value", *best->value},
            {"parameters", Json::parse(study::point_to_json(study.space(), best->values, study.settings().literals))}};
    std::cout << json.dump() << std::endl;
}

void run_study(const RunArguments& given) {
    RunControl control;
    StudyArgument argument = given.study;
    argument.trouble = [&control](const std::string& sentence) {
        if (control.level() >= 2) throw Interrupted();
        print_trouble(sentence);
    };
    Study study = argument.open();
    const auto executor = executor_for(study, given.executor.value_or(study.settings().executor));
    RunSummary summary;
    {
        const SignalGuard guard(control);
        std::unique_ptr<RunObserver> observer = std::make_unique<RunObserver>();
        if (given.json)
            observer = json_lines(study, std::cout);
        else if (!given.quiet)
            observer = can_redraw() ? live_display(study, std::cerr) : plain_lines(study, std::cerr);
        summary = run(study, *executor, control, *observer, given.workers);
    }
    if (given.json)
        print_json_summary(study, summary);
    else if (!given.quiet && summary.end != RunEnd::failing)
        print_summary(study, given, summary);
    if (summary.end == RunEnd::failing)
        throw ExecutorError(
            "nothing was evaluated: the first " + std::to_string(study.settings().give_up_after) +
            " attempts of this run all failed, the last of them " + summary.last_failure + ". `summand trials " +
            given.study.path +
            " ID --log` shows what a program wrote; mend it and run again. ([run] give_up_after says after "
            "how many, 0: never.)");
    const bool tried_in_vain = summary.failed > 0 && summary.completed == 0 && study.counts().completed == 0;
    if (tried_in_vain && summary.end != RunEnd::interrupted)
        throw ExecutorError("no trial gave a value: all " + std::to_string(summary.failed) +
                            " of this run failed, the last of them " + summary.last_failure + ". `summand trials " +
                            given.study.path + " ID --log` shows what a program wrote; mend it, then `summand rerun " +
                            given.study.path + " ID ...` and run again");
    if (summary.end == RunEnd::interrupted) throw CLI::RuntimeError(exit_interrupted);
}

struct InitArguments {
    std::string what = "study.toml";  ///< a program, or the file to write
    std::string output = {};
};

/// What the program prints when it is asked for help; nothing if it cannot be asked.
std::string help_of(const std::string& program) {
    constexpr double patience_seconds = 10.0;
    const auto executor = executor::local_processes();
    executor->start({.id = 1, .command = {program, "--help"}, .time_limit_seconds = patience_seconds});
    for (double waited = 0.0; waited < 2 * patience_seconds; waited += 1.0)
        for (const executor::Finished& finished : executor->wait(1.0)) return finished.output + finished.error;
    return "";
}

void write_study_file(const InitArguments& given) {
    const bool program = std::filesystem::path(given.what).extension() != ".toml";
    const std::string path = !given.output.empty() ? given.output : program ? "study.toml" : given.what;
    if (std::filesystem::exists(path))
        throw InvalidArgument(path + " exists already; give another name, or delete it first");
    const std::string name = std::filesystem::path(path).stem().string();
    const auto options = program ? study::options_in_help(help_of(given.what)) : std::vector<study::HelpOption>();
    std::ofstream file(path);
    file << (options.empty() ? example_study_file(name) : study::study_from_help(name, given.what, options))
         << std::flush;
    if (program && options.empty())
        std::cout << "`" << given.what << " --help` names no option with a number or a list of values to vary.\n";
    if (program && !options.empty())
        std::cout << "Found " << options.size() << " options of " << given.what << " to vary.\n";
    if (!file) throw InvalidArgument(path + " cannot be written; check the folder");
    std::cout << "Wrote " << path << ". Edit it, then: summand run " << path << '\n';
}

}  // namespace

void add_run(CLI::App& app) {
    CLI::App* init = add_command(app, "init",
                                 "Write a study file to start from: a commented example, or what the --help of a "
                                 "program says about its options",
                                 "summand init study.toml\n  summand init ./train.py -o train.toml");
    auto wanted = std::make_shared<InitArguments>();
    init->add_option("WHAT", wanted->what, "The file to write (NAME.toml), or a program")->capture_default_str();
    init->add_option("-o,--output", wanted->output, "The file to write")->type_name("FILE");
    init->callback([wanted] { write_study_file(*wanted); });

    CLI::App* command = add_command(app, "run",
                                    "Run a study with local worker processes or on Slurm; goes on where it stopped. "
                                    "Ctrl-C ends it cleanly, a second one at once; jobs in Slurm go on",
                                    "summand run study.toml --workers 4");
    auto given = std::make_shared<RunArguments>();
    add_study_argument(*command, given->study);
    command->add_option("--workers", given->workers, "Programs at a time (default: what the study says)")
        ->check(at_least_one);
    const std::map<std::string, ExecutorKind> kinds = {{"local", ExecutorKind::local}, {"slurm", ExecutorKind::slurm}};
    command
        ->add_option("--executor", given->executor,
                     "Who runs the programs: local or slurm (default: what the study says)")
        ->transform(CLI::CheckedTransformer(kinds).description(""));
    add_strategy_flag(*command, given->study);
    command->add_flag("--quiet", given->quiet, "Show nothing but errors");
    command->add_flag("--json", given->json, "Show each event as a JSON object on a line of its own");
    command->callback([given] { run_study(*given); });
}

}  // namespace summand::cli
