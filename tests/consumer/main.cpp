// SPDX-License-Identifier: Apache-2.0
// Minimises a small function with the installed library.
#include <cmath>
#include <cstdio>
#include <summand/summand.hpp>

int main() {
    const summand::SearchSpace space({
        summand::Real{.name = "x", .low = -1.0, .high = 1.0},
        summand::Integer{.name = "n", .low = 0, .high = 9},
        summand::Choice{.name = "mode", .values = {"slow", "fast"}},
    });
    summand::Optimizer optimizer(space, {.goal = summand::Goal::minimize, .batch_size = 4, .seed = 7});
    for (int round = 0; round < 5; ++round)
        for (const summand::Trial& trial : optimizer.ask())
            optimizer.tell(trial.id, std::abs(trial.real("x")) +
                                         std::abs(3.0 - static_cast<double>(trial.integer("n"))) +
                                         (trial.choice("mode") == "fast" ? 0.0 : 1.0));
    const auto best = optimizer.best();
    if (!best) return 1;
    std::printf("best %.3f\n", best->value);
    return best->value < 3.0 ? 0 : 1;
}
