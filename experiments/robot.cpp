// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/methods.hpp"

namespace summand::experiments {

Experiment robot(const Size& size) {
    // The paper names no kernel parameters for its real functions: they are learned, for every method.
    PaperStrategy paper{.hyperparameters = HyperparameterSource::learned};
    if (size.quick) paper = quick(paper);
    Race race{.name = "robot",
              .source = "Fig. 4",
              .summary = "Decompositions on robot pushing, 14 parameters",
              .claim = "Gibbs is better than PL-1, PL-2, NP and FP.",
              .panels = {{.name = "robot", .problem = "robot-push", .evaluations = size.quick ? 24 : 250}},
              .methods = learners(paper),
              .figures = {{}},
              .comparisons = {{"Gibbs", {"PL-1", "PL-2", "NP", "FP"}}, {"default", {"Gibbs"}}}};
    race.methods.push_back(ours());
    return race_experiment(race, size);
}

}  // namespace summand::experiments
