// SPDX-License-Identifier: Apache-2.0
// summand_peer_run PROBLEM SEED EVALUATIONS BATCH OUT [OPTIONS]: one run of Summand as benchmarks/peers/one.py runs a
// peer: the same JSON record. OPTIONS is JSON; what it leaves out is the default.
#include "problems/problem.hpp"
#include "summand/summand.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void run(const std::string& name, std::uint64_t seed, int evaluations, int batch, const std::string& out,
         const std::string& options_json) {
    const auto problem = summand::problems::make(name, {.seed = seed});
    auto options = summand::options_from_json(options_json);
    options.goal = problem.maximize ? summand::Goal::maximize : summand::Goal::minimize;
    options.batch_size = batch;
    options.budget = evaluations;
    options.seed = seed;
    options.threads = 1;
    summand::Optimizer optimizer(problem.space(), options);

    std::vector<double> values, seconds;
    while (static_cast<int>(values.size()) < evaluations) {
        const double start = cpu_seconds();
        const auto trials = optimizer.ask(std::min(batch, evaluations - static_cast<int>(values.size())));
        seconds.push_back(cpu_seconds() - start);
        for (const auto& trial : trials) {
            values.push_back(problem.evaluate(trial.values));
            optimizer.tell(trial.id, values.back());
        }
    }
    nlohmann::json record{{"method", "summand"},
                          {"problem", name},
                          {"seed", seed},
                          {"evaluations", evaluations},
                          {"batch_size", batch},
                          {"goal", problem.maximize ? "maximize" : "minimize"},
                          {"best_known", nullptr},
                          {"complete", true},
                          {"values", values},
                          {"suggest_seconds", seconds},
                          {"options", nlohmann::json::parse(summand::options_to_json(optimizer.options()))}};
    if (const auto best = problem.best_known()) record["best_known"] = *best;
    std::ofstream(out) << record.dump() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 6 || argc > 7) {
        std::cerr << "usage: summand_peer_run PROBLEM SEED EVALUATIONS BATCH OUT [OPTIONS as JSON]\n";
        return 2;
    }
    try {
        run(argv[1], std::stoull(argv[2]), std::stoi(argv[3]), std::stoi(argv[4]), argv[5], argc > 6 ? argv[6] : "{}");
    } catch (const std::exception& error) {
        std::cerr << "summand_peer_run: " << error.what() << '\n';
        return 1;
    }
}
