// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/methods.hpp"

namespace summand::experiments {

Experiment batch_walker(const Size& size) {
    // Groups of at most 2 [sec. 5.2], learned every 50 evaluations as in section 5.1: every 10 batches of 5.
    PaperStrategy paper{.relearn_every = 10, .max_group_size = 2, .hyperparameters = HyperparameterSource::learned};
    if (size.quick) paper = quick(paper);
    const int evaluations = size.quick ? 20 : 300;
    Race race{
        .name = "batch-walker",
        .source = "Fig. 6",
        .summary = "Batches of 5 on the walker, 40 levels for each of its 25 parameters",
        .claim = "All four are far better than Rand; UCB-DPP-Fnc is a bit better than the others.",
        .panels = {{.name = "walker", .problem = "walker", .evaluations = evaluations, .batch_size = 5, .levels = 40}},
        .methods = batch_methods(paper, false),
        .figures = {{}},
        .comparisons = {{"UCB-PE", {"Rand"}},
                        {"UCB-DPP", {"Rand"}},
                        {"UCB-PE-Fnc", {"Rand"}},
                        {"UCB-DPP-Fnc", {"Rand", "UCB-PE", "UCB-DPP", "UCB-PE-Fnc"}},
                        {"default", {"UCB-DPP-Fnc"}}}};
    race.methods.push_back(ours());
    return race_experiment(race, size);
}

}  // namespace summand::experiments
