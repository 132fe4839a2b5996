// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "option_checks.hpp"
#include "problem_points.hpp"
#include "problems/draw.hpp"
#include "problems/problem.hpp"
#include "problems/unreliable.hpp"
#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/optimizer/options.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include <unistd.h>

// summand problem list | show NAME | eval NAME V1 V2 ... | draw NAME V1 V2 ... -o FILE
namespace summand::cli {
namespace {

using problems::Problem;

/// What the four commands share: the problem and its options.
struct Given {
    std::string name = {};
    problems::Options options = {};
    std::vector<std::string> assignments = {};  ///< --param name=value
    std::string csv = {};
    bool json = false;
    std::string output = {};
    std::uint64_t repeat = 0;
    problems::MishapRates mishaps = {};
};

void list_problems() {
    for (const std::string& name : problems::names()) {
        const Problem problem = problems::make(name);
        std::string line = name;
        line.resize(std::max<std::size_t>(line.size() + 2, 20), ' ');
        const bool any = problem.options().dimension.has_value();
        std::string dimension = (any ? "any D (" : "") + std::to_string(problem.dimension()) + (any ? ")" : "");
        dimension.resize(std::max<std::size_t>(dimension.size() + 2, 13), ' ');
        std::cout << line << dimension << problem.summary << '\n';
    }
}

std::string words_of(const Parameter& parameter) {
    if (const auto* levels = std::get_if<Levels>(&parameter))
        return std::to_string(levels->values.size()) + " levels from " + to_text(levels->values.front()) + " to " +
               to_text(levels->values.back());
    const auto& real = std::get<Real>(parameter);
    return "real, " + to_text(real.low) + " to " + to_text(real.high);
}

void show_problem(const Problem& problem) {
    std::cout << problem.name << ": " << problem.summary << "\n"
              << "goal        " << to_string(problem.goal) << '\n';
    std::cout << "best known  ";
    if (const auto best = problem.best())
        std::cout << to_text(best->value) << (best->kind == problems::Best::Kind::bound ? " (a bound)" : "") << '\n';
    else
        std::cout << "none\n";
    std::cout << "citation    " << problem.citation << '\n' << "parameters  " << problem.dimension() << '\n';
    for (const Parameter& parameter : problem.space().parameters())
        std::cout << "  " << name_of(parameter) << "  " << words_of(parameter) << '\n';
    if (problem.true_partition)
        std::cout << "groups      " << to_text(*problem.true_partition, problem.space().names()) << '\n';
}

void show_problem_json(const Problem& problem) {
    nlohmann::json shown = {{"name", problem.name},
                            {"goal", to_string(problem.goal)},
                            {"best_known", nullptr},
                            {"parameters", nlohmann::json::array()}};
    if (const auto best = problem.best())
        shown["best_known"] = {{"value", best->value},
                               {"kind", best->kind == problems::Best::Kind::bound ? "bound" : "optimum"}};
    for (const Parameter& parameter : problem.space().parameters()) {
        if (const auto* levels = std::get_if<Levels>(&parameter)) {
            shown["parameters"].push_back({{"name", levels->name}, {"levels", levels->values}});
        } else {
            const auto& real = std::get<Real>(parameter);
            shown["parameters"].push_back({{"name", real.name}, {"low", real.low}, {"high", real.high}});
        }
    }
    std::cout << shown.dump() << '\n';
}

/// One number on stdout and nothing else; unless a mishap was asked for.
void print_value(const problems::Unreliable& unreliable, const Vector& values, std::uint64_t repeat) {
    using problems::Mishap;
    switch (unreliable.mishap(values, repeat)) {
        case Mishap::none:
            std::cout << to_text(unreliable.problem().evaluate(values, repeat)) << std::endl;
            return;
        case Mishap::nan:
            std::cout << "nan" << std::endl;
            return;
        case Mishap::rubbish:
            std::cout << unreliable.rubbish(values, repeat) << std::endl;
            return;
        case Mishap::hang:
            while (true) pause();
        case Mishap::crash:
            std::signal(SIGSEGV, SIG_DFL);
            std::raise(SIGSEGV);
    }
}

void evaluate(const Given& given, const std::vector<std::string>& texts) {
    const Problem problem = problems::make(given.name, given.options);
    const problems::Unreliable unreliable(problem, given.mishaps, given.options.seed);
    if (given.csv.empty()) return print_value(unreliable, point_of(problem, texts, given.assignments), given.repeat);
    if (!texts.empty() || !given.assignments.empty())
        throw InvalidArgument("values were given both by --csv and on the command line");
    const std::vector<Vector> points = points_of_csv(problem, given.csv);
    if (given.mishaps.any()) {
        for (const Vector& point : points) print_value(unreliable, point, given.repeat);
        return;
    }
    std::vector<double> values(points.size());
    parallel_for(static_cast<std::int64_t>(points.size()), resolve_threads({}), [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        values[k] = problem.evaluate(points[k], given.repeat);
    });
    for (const double value : values) std::cout << to_text(value) << '\n';
}

void draw(const Given& given, const std::vector<std::string>& texts) {
    const Problem problem = problems::make(given.name, given.options);
    const std::string picture = problems::draw(problem, point_of(problem, texts, given.assignments));
    if (given.output == "-") {
        std::cout << picture;
        return;
    }
    std::ofstream file(given.output);
    if (!(file << picture)) throw InvalidArgument("-o " + given.output + ": the file cannot be written");
}

void add_problem_options(CLI::App& command, Given& given) {
    command
        .add_option("name", given.name, "a name of `summand problem list`, with the dimension if you like: ackley-20")
        ->required();
    auto& options = given.options;
    command.add_option("--dimension", options.dimension, "number of parameters, for problems of any dimension");
    command.add_option("--seed", options.seed, "which random function, embedding or data; also of noise and failures")
        ->check(not_negative);
    command.add_option("--noise-stddev", options.noise_stddev, "of the value, or of what the problem's page says");
    add_renamed(command, "--noise", "--noise-stddev");
    command.add_option("--levels", options.levels, "restrict every parameter to this many equally spaced values");
    command.add_option("--low", options.low, "lower end of the domain, for the classics");
    command.add_option("--high", options.high, "upper end of the domain, for the classics");
    command.add_option("--lengthscale", options.lengthscale, "of the prior of \"additive\"");
    command.add_option("--variance", options.variance, "of each component of \"additive\"");
    command.add_option("--largest-group", options.largest_group, "parameters in a group of \"additive\" at most");
}

/// Values may be negative numbers, which look like options: they are taken from what the parser did not recognise.
void take_values(CLI::App& command, Given& given, const std::string& example) {
    command.allow_extras();
    command.footer(
        "Values V1 V2 ... follow the name, one for each parameter, in the order of `summand problem show`.\nExample:\n "
        " " +
        example);
    command.add_option("--param", given.assignments, "name=value, once for each parameter, instead of values in order")
        ->allow_extra_args(false);
}

}  // namespace

void add_problem(CLI::App& app) {
    auto* problem = app.add_subcommand("problem", "Functions to try an optimiser on");
    problem->require_subcommand(1);
    const auto given = std::make_shared<Given>();

    auto* list = problem->add_subcommand("list", "all problems");
    list->footer("Example:\n  summand problem list");
    list->callback(list_problems);

    auto* show = problem->add_subcommand("show", "parameters, goal, best known value and source of a problem");
    add_problem_options(*show, *given);
    show->footer("Example:\n  summand problem show robot-push");
    show->add_flag("--json", given->json, "one JSON object");
    show->callback([given] {
        const Problem shown = problems::make(given->name, given->options);
        given->json ? show_problem_json(shown) : show_problem(shown);
    });

    auto* eval = problem->add_subcommand("eval", "the value at a point: one number on stdout");
    add_problem_options(*eval, *given);
    take_values(*eval, *given, "summand problem eval ackley-2 0.5 -1");
    eval->add_option("--csv", given->csv, "many points: the first line names the parameters; - is stdin");
    eval->add_option("--repeat", given->repeat, "which of the noise draws of this point")->check(not_negative);
    eval->add_option("--crash", given->mishaps.crash, "probability to die of a signal");
    eval->add_option("--hang", given->mishaps.hang, "probability never to answer");
    eval->add_option("--nan", given->mishaps.nan, "probability to print nan");
    eval->add_option("--rubbish", given->mishaps.rubbish, "probability to print what is not a number");
    eval->callback([given, eval] { evaluate(*given, eval->remaining()); });

    auto* picture = problem->add_subcommand("draw", "a picture of what happens at a point, as SVG");
    add_problem_options(*picture, *given);
    take_values(*picture, *given, "summand problem draw robot-push V1 ... V14 -o push.svg");
    picture->add_option("-o,--output", given->output, "the file to write; - is stdout")->required();
    picture->callback([given, picture] { draw(*given, picture->remaining()); });
}

}  // namespace summand::cli
