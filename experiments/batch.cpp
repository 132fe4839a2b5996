// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/methods.hpp"

namespace summand::experiments {

Experiment batch(const Size& size) {
    Race race{.name = "batch",
              .source = "Fig. 5 and appendix",
              .summary = "Batches of 10 on additive functions, groups known",
              .claim =
                  "All four are alike and far better than Rand; UCB-PE-Fnc is among the best at D = 2 and 10, "
                  "UCB-DPP-Fnc at D = 20 and 50.",
              .methods = batch_methods({}, true),
              .repeats = 20,
              .figures = {{.suffix = "relative", .relative_to = "Rand"}, {.suffix = "absolute"}},
              .comparisons = {{"UCB-PE", {"Rand"}},
                              {"UCB-DPP", {"Rand"}},
                              {"UCB-PE-Fnc", {"Rand", "UCB-PE"}},
                              {"UCB-DPP-Fnc", {"Rand", "UCB-PE", "UCB-DPP", "UCB-PE-Fnc"}},
                              {"default-known", {"UCB-DPP-Fnc"}},
                              {"default", {"UCB-DPP-Fnc"}}}};
    for (const int D : size.quick ? std::vector{2, 4} : std::vector{2, 10, 20, 50})
        race.panels.push_back(synthetic(D, size.quick ? 30 : 500, 10));
    race.methods.push_back(ours_told_groups());
    race.methods.push_back(ours());
    return race_experiment(race, size);
}

}  // namespace summand::experiments
