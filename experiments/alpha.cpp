// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"
#include "experiments/search.hpp"
#include "experiments/statistics.hpp"

namespace summand::experiments {

Experiment alpha(const Size& size) {
    Search search{.name = "alpha",
                  .source = "appendix, sensitivity to alpha",
                  .summary = "Groups found by Gibbs sampling for different alpha",
                  .claim = "The quality of the groups found hardly depends on alpha.",
                  .dimensions = {size.quick ? 5 : 20},
                  .points = size.quick ? std::vector{50} : std::vector(paper_points.begin(), paper_points.end()),
                  .plotted = {"rand_index"},
                  .plotted_from = 0.7};
    for (const double value : {0.2, 0.5, 1.0, 2.0, 5.0})
        search.searchers.push_back(
            {.name = "alpha=" + number(value),
             .learner = size.quick ? structure::Gibbs{.sweeps = 20, .burn_in = 10} : structure::Gibbs{},
             .alpha = value,
             .paper = [value](const std::string& quantity, int) {
                 return quantity == "rand_index" ? paper_alpha(value) : std::nullopt;
             }});
    return search_experiment(search, size);
}

}  // namespace summand::experiments
