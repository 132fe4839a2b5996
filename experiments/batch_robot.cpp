// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/methods.hpp"

namespace summand::experiments {

Experiment batch_robot(const Size& size) {
    // Learned every 50 evaluations as in section 5.1. One N_cyc serves both batch sizes: every 10 batches of 5, and every 10
    // batches of 10 too, which is the same number of learned structures for the same number of batches.
    PaperStrategy paper{.relearn_every = 10, .hyperparameters = HyperparameterSource::learned};
    if (size.quick) paper = quick(paper);
    Race race{
        .name = "batch-robot",
        .source = "Fig. 7",
        .summary = "Gibbs and batches of 5 and of 10 together, on robot pushing",
        .claim = "UCB-DPP-Fnc is a bit better than the other four, and the more so with batches of 10.",
        .methods = batch_methods(paper, false),
        .figures = {{}},
        .comparisons = {{"UCB-DPP-Fnc", {"Rand", "UCB-PE", "UCB-DPP", "UCB-PE-Fnc"}}, {"default", {"UCB-DPP-Fnc"}}}};
    for (const int B : {5, 10})
        race.panels.push_back({.name = "B=" + std::to_string(B),
                               .problem = "robot-push",
                               .evaluations = size.quick ? 20 : 40 * B,
                               .batch_size = B});
    race.methods.push_back(ours());
    return race_experiment(race, size);
}

}  // namespace summand::experiments
