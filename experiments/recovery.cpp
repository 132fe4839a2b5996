// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/search.hpp"

namespace summand::experiments {

Experiment recovery(const Size& size) {
    using structure::AnnealedChains, structure::Gibbs;
    const Gibbs paper = size.quick ? Gibbs{.sweeps = 20, .burn_in = 10} : Gibbs{};  // 100 sweeps, 50 burn-in
    const AnnealedChains ours =
        size.quick ? AnnealedChains{.chains = 2, .max_sweeps = 40, .samples = 10} : AnnealedChains{};
    // What a function costs: Gibbs 20 minutes of a core at D = 100 and 4 at D = 50; ours 4 at D = 20 on uniform points.
    const auto by_gibbs = [](int D) { return D >= 100 ? 2 : D >= 50 ? 5 : 1000; };
    const auto by_ours = [](int D) { return D > 20 ? 0 : D == 20 ? 5 : 1000; };
    const auto by_two_level = [](int D) { return D >= 100 ? 5 : 1000; };
    Search search{
        .name = "recovery",
        .source = "Tables 1, 2 and appendix",
        .summary = "How well the groups of additive functions are found",
        .claim =
            "The more points, the better the groups are found; the higher the dimension, the more points it takes.",
        .dimensions = {2, 5, 10, 20, 50, 100},
        .points = {paper_points.begin(), paper_points.end()},
        .searchers = {{.name = "Gibbs uniform", .learner = paper, .paper = paper_recovery, .most_functions = by_gibbs},
                      {.name = "Gibbs two-level", .learner = paper, .two_level = true, .most_functions = by_gibbs},
                      {.name = "ours uniform", .learner = ours, .given = false, .most_functions = by_ours},
                      {.name = "ours two-level",
                       .learner = ours,
                       .two_level = true,
                       .given = false,
                       .most_functions = by_two_level}},
        .plotted = {"together", "separated", "rand_index"}};
    if (size.quick) {
        search.dimensions = {2, 5, 10};
        search.points = {50, 150};
    }
    return search_experiment(search, size);
}

}  // namespace summand::experiments
