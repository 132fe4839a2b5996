// SPDX-License-Identifier: Apache-2.0
#include "experiments/race.hpp"

#include "problems/problem.hpp"
#include "summand/base/error.hpp"
#include "summand/optimizer/optimizer.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace summand::experiments {
namespace {

using nlohmann::json;
using problems::Problem;

Problem problem_of(const Panel& panel, std::uint64_t seed) {
    return problems::make(panel.problem, {.seed = seed, .levels = panel.levels});
}

Options options_of(const Panel& panel, const Method& method, std::uint64_t seed) {
    Options options = method.options;
    options.goal = Goal::maximize;  // all of the paper's functions
    options.batch_size = panel.batch_size;
    options.budget = panel.evaluations;
    options.seed = seed;
    options.threads = 1;  // threads go over cells
    return options;
}

std::vector<std::vector<std::string>> true_groups(const Problem& problem) {
    if (!problem.true_partition)
        throw InvalidArgument("experiment: problem \"" + problem.name + "\" has no known groups to tell");
    const std::vector<std::string> names = problem.space().names();
    std::vector<std::vector<std::string>> groups;
    for (const auto& group : problem.true_partition->groups()) {
        groups.emplace_back();
        for (const Index j : group) groups.back().push_back(names[static_cast<std::size_t>(j)]);
    }
    return groups;
}

std::string definition_of(const Panel& panel, const Method& method, std::uint64_t seed) {
    json definition = {{"problem", panel.problem},
                       {"evaluations", panel.evaluations},
                       {"seed", seed},
                       {"told_groups", method.told_groups},
                       {"options", json::parse(options_to_json(options_of(panel, method, seed)))}};
    if (panel.levels) definition["levels"] = *panel.levels;
    return definition.dump();
}

template <class Named>
const Named& named(const std::vector<Named>& all, const std::string& name) {
    return *std::ranges::find(all, name, &Named::name);
}

}  // namespace

Result run_race(const Panel& panel, const Method& method, std::uint64_t seed) {
    const Problem problem = problem_of(panel, seed);
    Options options = options_of(panel, method, seed);
    if (method.told_groups) options.groups = true_groups(problem);

    Result result{.definition = definition_of(panel, method, seed)};
    Optimizer optimizer(problem.space(), options);
    while (optimizer.evaluation_count() < panel.evaluations)
        for (const Trial& trial : optimizer.ask()) {
            const double value = problem.evaluate(trial.values);
            optimizer.tell(trial.id, value);
            result.values.push_back(value);
        }
    if (const auto best = problem.best_known()) result.numbers["optimum"] = *best;
    result.numbers["groups"] = static_cast<double>(optimizer.structure().groups.size());
    return result;
}

Experiment race_experiment(Race race, const Size& size,
                           const std::function<Report(const Race&, const std::vector<Result>&)>& report) {
    if (size.quick) race.name += "-quick";
    if (race.cells_from.empty()) race.cells_from = race.name;
    Experiment experiment{
        .name = race.name, .source = race.source, .summary = race.summary, .cells_from = race.cells_from};
    const int repeats = size.repeats.value_or(size.quick ? 2 : race.repeats);
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (auto panel = race.panels.rbegin(); panel != race.panels.rend(); ++panel)  // the largest takes longest
            for (auto method = race.methods.rbegin(); method != race.methods.rend(); ++method)
                experiment.cells.push_back({.panel = panel->name, .method = method->name, .repeat = repeat});
    const auto seed_of = [seed = size.seed](const Cell& cell) {
        return 1000 * seed + static_cast<std::uint64_t>(cell.repeat);
    };
    experiment.definition = [=](const Cell& cell) {
        return definition_of(named(race.panels, cell.panel), named(race.methods, cell.method), seed_of(cell));
    };
    experiment.run = [=](const Cell& cell) {
        Result result = run_race(named(race.panels, cell.panel), named(race.methods, cell.method), seed_of(cell));
        result.cell = cell;
        return result;
    };
    experiment.report = [=](const std::vector<Result>& results) {
        return report ? report(race, results) : race_report(race, results);
    };
    return experiment;
}

Runs runs_of(const Race& race, const std::vector<Result>& results) {
    std::map<std::string, double> best_seen;  // by panel
    for (const Result& result : results) {
        auto& best = best_seen.try_emplace(result.cell.panel, -std::numeric_limits<double>::infinity()).first->second;
        best = std::max(best, *std::ranges::max_element(result.values));
    }
    Runs runs;
    for (const Result& result : results) {
        const auto known = result.numbers.find("optimum");
        const double optimum = known != result.numbers.end() ? known->second : best_seen.at(result.cell.panel);
        const int batch_size = named(race.panels, result.cell.panel).batch_size;
        runs[result.cell.panel][result.cell.method][result.cell.repeat] = {
            .regret = regret(result.values, optimum, Goal::maximize, batch_size),
            .optimum = optimum,
            .seconds = result.numbers.at("seconds")};
    }
    return runs;
}

const std::vector<double>& curve_of(const Regret& regret, Measure measure) {
    return measure == Measure::simple ? regret.simple : regret.cumulative;
}

std::string word_of(Measure measure) {
    return measure == Measure::simple ? "simple regret" : "averaged cumulative regret";
}

}  // namespace summand::experiments
