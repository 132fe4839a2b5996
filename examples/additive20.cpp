// SPDX-License-Identifier: Apache-2.0
// A function of 20 parameters that is a sum over small groups nobody tells the optimiser about; 300 evaluations in batches
// of 10. Prints a line after every batch, and at the end what was found against what is true.
#include "problems/problem.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <summand/summand.hpp>

namespace {

constexpr int evaluations = 300, batch_size = 10;

void show_progress(const summand::Optimizer& optimizer, double maximum) {
    const double best = optimizer.best()->value;
    const int width = 40, full = static_cast<int>(width * optimizer.evaluation_count() / evaluations);
    std::printf("%4d of %d  [%s%s]  best %8.3f   regret %7.3f\n", static_cast<int>(optimizer.evaluation_count()),
                evaluations, std::string(static_cast<std::size_t>(full), '#').c_str(),
                std::string(static_cast<std::size_t>(width - full), '.').c_str(), best, maximum - best);
    std::fflush(stdout);
}

}  // namespace

int main() {
    const summand::problems::Problem problem = summand::problems::make("additive-20", {.seed = 1});
    const double maximum = problem.best_known().value();
    std::printf("maximise %s; its maximum is %.3f\n", problem.name.c_str(), maximum);

    summand::Optimizer optimizer{problem.space(),
                                 {.goal = summand::Goal::maximize,
                                  .batch_size = batch_size,
                                  .seed = 1,
                                  .budget = evaluations,
                                  .initial_design = summand::InitialDesign::structure_finding}};
    while (optimizer.evaluation_count() < evaluations) {
        for (const summand::Trial& trial : optimizer.ask()) optimizer.tell(trial.id, problem.evaluate(trial.values));
        show_progress(optimizer, maximum);
    }

    const summand::StructureView found = optimizer.structure();
    for (const std::string& sentence : summand::in_sentences(found)) std::printf("%s\n", sentence.c_str());
    std::vector<std::vector<std::string>> truth;
    for (const auto& group : problem.true_partition->groups()) {
        truth.emplace_back();
        for (const summand::Index j : group) truth.back().push_back(found.names[static_cast<std::size_t>(j)]);
    }
    std::printf("The truth: %s\n", summand::groups_text(truth).c_str());
}
