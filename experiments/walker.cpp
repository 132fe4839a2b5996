// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/methods.hpp"

namespace summand::experiments {

Experiment walker(const Size& size) {
    PaperStrategy paper{.hyperparameters = HyperparameterSource::learned};  // as for the robot
    if (size.quick) paper = quick(paper);
    const int evaluations = size.quick ? 20 : 250;
    Race race{
        .name = "walker",
        .source = "appendix, figure of the walker",
        .summary = "Decompositions on the walker, 25 parameters",
        .claim = "Gibbs-L (groups of at most 2) is slightly better than PL-2 and FP; Gibbs is about as poor as NP.",
        // The sound simulation, and the one of the authors' code, whose values after a fall are numerical noise.
        .panels = {{.name = "walker", .problem = "walker", .evaluations = evaluations},
                   {.name = "walker-paper", .problem = "walker-paper", .evaluations = evaluations}},
        .methods = learners(paper),
        .figures = {{}},
        .comparisons = {
            {"Gibbs-L", {"PL-1", "PL-2", "FP", "Gibbs", "NP"}}, {"Gibbs", {"NP"}}, {"default", {"Gibbs-L"}}}};
    race.methods.push_back(gibbs_with_limit(paper, 2));
    race.methods.push_back(ours());
    return race_experiment(race, size);
}

}  // namespace summand::experiments
