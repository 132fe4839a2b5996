// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "experiments/runner.hpp"
#include "option_checks.hpp"
#include "summand/base/error.hpp"
#include "summand/plot/terminal.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>

// summand experiment list | run NAME ... | plot NAME ...
namespace summand::cli {
namespace {

struct ExperimentArguments {
    std::vector<std::string> names = {};
    experiments::Size size = {};
    experiments::RunOptions run = {};
    std::string part = {};
    bool quiet = false;
};

void list_experiments() {
    plot::TextTable table{.head = {"name", "of the paper", "what", "repeats", "cells"}, .align = "lllrr"};
    for (const std::string& name : experiments::names()) {
        const experiments::Experiment experiment = experiments::make(name);
        int repeats = 0;
        for (const experiments::Cell& cell : experiment.cells) repeats = std::max(repeats, cell.repeat + 1);
        table.rows.push_back({name, experiment.source, experiment.summary, std::to_string(repeats),
                              std::to_string(experiment.cells.size())});
    }
    std::cout << table.plain();
}

std::vector<std::string> expanded(const std::vector<std::string>& names) {
    if (names == std::vector<std::string>{"all"}) return experiments::names();
    return names;
}

/// "2/8": the second of eight parts.
void parse_part(const std::string& text, experiments::RunOptions& options) {
    if (text.empty()) return;
    int end = 0;
    if (std::sscanf(text.c_str(), "%d/%d%n", &options.part, &options.parts, &end) != 2 ||
        end != static_cast<int>(text.size()))
        throw InvalidArgument("--part " + text +
                              ": two numbers are needed, for example 2/8 for the second of eight parts");
}

void print_progress(const std::string& name, const experiments::Progress& progress, double minutes) {
    const experiments::Cell& cell = progress.latest->cell;
    const double left = minutes / progress.done * (progress.total - progress.done);
    char times[96];
    std::snprintf(times, sizeof times, "%.1f s; %.1f min, about %.1f min left", progress.latest->numbers.at("seconds"),
                  minutes, left);
    std::cerr << '[' << progress.done << '/' << progress.total << "] " << name << ' ' << to_text(cell) << ": " << times
              << std::endl;
}

/// However many repeats there are in the folder, unless a number was given.
experiments::Report report_all(const std::string& name, experiments::Size size, const std::filesystem::path& folder) {
    constexpr int more_than_anybody_runs = 1000;
    if (!size.repeats) size.repeats = more_than_anybody_runs;
    experiments::Report report = experiments::write_report(experiments::make(name, size), folder);
    for (const auto& [file, contents] : report.files) report.text += "wrote " + (folder / file).string() + "\n";
    return report;
}

void run_one(const std::string& name, const ExperimentArguments& given) {
    const experiments::Experiment experiment = experiments::make(name, given.size);
    const auto start = std::chrono::steady_clock::now();
    const auto minutes = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 60.0;
    };
    const experiments::Outcome outcome =
        experiments::run_cells(experiment, given.run, [&](const experiments::Progress& progress) {
            if (!given.quiet) print_progress(name, progress, minutes());
        });
    std::cout << report_all(name, {.quick = given.size.quick, .seed = given.size.seed}, given.run.folder).text;
    char times[160];
    std::snprintf(times, sizeof times,
                  "%d cells computed (%.1f core-minutes in %.1f minutes), %d were there, %d left\n", outcome.computed,
                  outcome.core_seconds / 60.0, minutes(), outcome.found, outcome.left);
    std::cout << times << '\n' << std::flush;
}

void add_common_options(CLI::App& command, ExperimentArguments& given) {
    command.add_option("names", given.names, "names of `summand experiment list`, or all")->required();
    command.add_flag("--quick", given.size.quick, "a smoke run of seconds, without meaning");
    command.add_option("--repeats", given.size.repeats, "functions for each method (the paper's number)");
    command.add_option("--seed", given.size.seed, "repeat r uses 1000 seed + r")->check(not_negative);
    command.add_option("--out", given.run.folder, "folder of results: NAME/ holds a file for each run")
        ->capture_default_str();
}

}  // namespace

void add_experiment(CLI::App& app) {
    auto* experiment = app.add_subcommand("experiment", "the paper's tables and figures, repeated");
    experiment->require_subcommand(1);
    const auto given = std::make_shared<ExperimentArguments>();

    auto* list = experiment->add_subcommand("list", "all experiments");
    list->footer("Example:\n  summand experiment list");
    list->callback(list_experiments);

    auto* run =
        experiment->add_subcommand("run", "runs what is missing in the folder, then prints and plots all of it");
    add_common_options(*run, *given);
    run->add_option("--threads", given->run.threads, "runs at a time (all cores); never changes a result");
    run->add_option("--part", given->part, "2/8: the second of eight parts, for several processes or machines");
    run->add_option("--panels", given->run.panels, "only these, for example D=20,D=50")->delimiter(',');
    run->add_option("--methods", given->run.methods, "only these, for example Gibbs,NP")->delimiter(',');
    run->add_option("--minutes", given->run.minutes, "begin no further run after so many; a later call goes on");
    run->add_flag("--quiet", given->quiet, "no line for each run");
    run->footer("Example:\n  summand experiment run decompositions --repeats 10 --panels D=20 --out results");
    run->callback([given] {
        parse_part(given->part, given->run);
        for (const std::string& name : expanded(given->names)) run_one(name, *given);
    });

    auto* plot = experiment->add_subcommand("plot", "tables and figures of what is in the folder");
    add_common_options(*plot, *given);
    plot->footer("Example:\n  summand experiment plot decompositions --out results");
    plot->callback([given] {
        for (const std::string& name : expanded(given->names))
            std::cout << report_all(name, given->size, given->run.folder).text;
    });
}

}  // namespace summand::cli
