// SPDX-License-Identifier: Apache-2.0
#include "allow_list.hpp"
#include "commands.hpp"
#include "option_checks.hpp"
#include "result_journal.hpp"
#include "signal_guard.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/study/program.hpp"
#include "summand/study/quantities.hpp"
#include "token_argument.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <thread>

// summand work URL: evaluates trials of a server's study on this machine.
namespace summand::cli {

namespace {

namespace fs = std::filesystem;

struct WorkArguments {
    std::string url = {};
    std::string study = {};
    std::string token_file = {};
    std::string directory = ".";
    std::string keep = {};
    std::vector<std::string> allow = {};
    int workers = 1;
    bool quiet = false;
};

std::string the_only_study(const server::ServerAddress& server) {
    const std::vector<std::string> names = server::served_studies(server);
    if (names.size() == 1) return names.front();
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
    throw InvalidArgument(
        server.url + (names.empty() ? " has no study yet" : " has several studies; choose one with --study: " + list));
}

/// Results of one study of one server wait in one folder, whichever process made them.
fs::path default_folder(const std::string& url, const std::string& study) {
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    const fs::path base =
        state != nullptr && *state != '\0' ? fs::path(state) : fs::path(home != nullptr ? home : ".") / ".local/state";
    return base / "summand/work" / (server::escaped(url) + "_" + server::escaped(study));
}

class Lines final : public RunObserver {
  public:
    void retried(const Trial& trial, const std::string& reason) override {
        std::cerr << "trial " << trial.id << " once more: " << reason << '\n';
    }
    void finished(const Trial& trial, const Outcome& outcome, double seconds) override {
        const auto* value = std::get_if<double>(&outcome);
        std::cerr << "trial " << trial.id << ": "
                  << (value != nullptr ? short_number(*value) : "failed: " + std::get<Failed>(outcome).reason) << " ("
                  << study::format_duration(seconds) << ")\n";
    }
    void warned(const std::string& sentence) override { std::cerr << "summand: " << sentence << '\n'; }
};

/// The study's own settings, but for what names places: this worker's.
StudySettings settings_here(const server::RemoteStudy& study, const WorkArguments& given) {
    StudySettings settings = study.settings();
    settings.directory = study::with_braces_doubled(fs::absolute(given.directory).lexically_normal().string());
    settings.executor = ExecutorKind::local;
    settings.from_http = false;  // it is allowed
    settings.asynchronous = true;
    settings.stop_after_seconds.reset();
    return settings;
}

void say_the_end(const RunSummary& summary, const WorkedStudy& study) {
    const char* reason = summary.end == RunEnd::interrupted ? "Stopped."
                         : summary.end == RunEnd::target    ? "The target is reached."
                                                            : "The server has no more trials.";
    std::cout << reason << " This worker: " << summary.completed << " completed, " << summary.failed << " failed, "
              << study::format_duration(summary.seconds) << ".\n";
    if (study.waiting() > 0)
        throw StorageError(std::to_string(study.waiting()) +
                           " results could not be sent; they wait on this machine: the same command sends them first");
}

void work(const WorkArguments& given) {
    const server::ServerAddress server{given.url, token_from(given.token_file, "SUMMAND_TOKEN")};
    const std::string name = given.study.empty() ? the_only_study(server) : given.study;
    StudySettings settings;
    {
        constexpr double patience_seconds = 20.0;
        const server::RemoteStudy study(server, name, patience_seconds);
        check_allowed(name, study.settings(), allowed_commands(given.allow));
        settings = settings_here(study, given);
    }
    const fs::path folder = given.keep.empty() ? default_folder(given.url, name) : fs::path(given.keep);
    WorkedStudy study(server, name, folder, settings);
    study.send_waiting();
    RunControl control;
    RunSummary summary;
    {
        const SignalGuard guard(control);
        Lines lines;
        RunObserver silent;
        const auto executor = executor::local_processes();
        summary = run(study, *executor, control, given.quiet ? silent : lines, given.workers);
    }
    try {
        study.send_waiting();
    } catch (const StorageError&) {
        // Said below.
    }
    say_the_end(summary, study);
    if (summary.end == RunEnd::failing)
        throw ExecutorError("the first attempts all failed, the last of them " + summary.last_failure);
    if (summary.end == RunEnd::interrupted) throw CLI::RuntimeError(exit_interrupted);
}

}  // namespace

void add_work(CLI::App& app) {
    CLI::App* command = add_command(
        app, "work", "Evaluate trials of a server's study on this machine; only commands that you allow are run",
        "summand work http://head:8642 --study push --workers 4 --allow \"./simulate '{x}'\"");
    auto given = std::make_shared<WorkArguments>();
    command->add_option("URL", given->url, "The server (summand serve)")->required();
    command->add_option("--study", given->study, "Which study, if it has several")->type_name("NAME");
    command->add_option("--workers", given->workers, "Programs at a time")->check(at_least_one)->capture_default_str();
    command->add_option("--allow", given->allow, "A command that may be run, as in the file ~/.config/summand/allow")
        ->allow_extra_args(false)
        ->type_name("COMMAND");
    command->add_option("--directory", given->directory, "Where programs run")
        ->type_name("FOLDER")
        ->capture_default_str();
    command
        ->add_option("--keep", given->keep,
                     "Where results wait until the server has them (default: below ~/.local/state)")
        ->type_name("FOLDER");
    command->add_option("--token-file", given->token_file, "A file with the server's token (or SUMMAND_TOKEN)")
        ->type_name("FILE");
    command->add_flag("--quiet", given->quiet, "Show nothing but the end and errors");
    command->callback([given] { work(*given); });
}

}  // namespace summand::cli
