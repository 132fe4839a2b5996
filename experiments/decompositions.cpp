// SPDX-License-Identifier: Apache-2.0
#include "experiments/decompositions.hpp"

#include "experiments/catalogue.hpp"
#include "experiments/methods.hpp"

namespace summand::experiments {

Race decompositions_race(const Size& size) {
    const PaperStrategy paper = size.quick ? quick({}) : PaperStrategy{};  // Gibbs of 100 sweeps, every 50 iterations
    Race race{
        .name = "decompositions",
        .source = "Fig. 2 and appendix",
        .summary = "Which decomposition Add-GP-UCB uses, on additive functions",
        .claim = "Gibbs is as good as Known and much better than PL-1 and PL-2; PL-1 is better than PL-2.",
        .repeats = 50,
        .figures = {{}},
        .comparisons = {
            {"Gibbs", {"PL-1", "PL-2", "NP", "FP", "Known"}}, {"PL-1", {"PL-2"}}, {"default", {"Gibbs", "Known"}}}};
    for (const int D : size.quick ? std::vector{2, 4} : std::vector{2, 10, 20, 50})
        race.panels.push_back(synthetic(D, size.quick ? 24 : 250));
    race.methods = learners(paper);
    race.methods.insert(race.methods.begin(), known(paper));
    race.methods.push_back(ours());
    return race;
}

Experiment decompositions(const Size& size) {
    return race_experiment(decompositions_race(size), size);
}

}  // namespace summand::experiments
