// SPDX-License-Identifier: Apache-2.0
// The library inside a program of one's own: a mixed space, batches of eight, a failed evaluation now and then.
#include <cmath>
#include <iostream>
#include <string>
#include <summand/summand.hpp>

namespace {

/// Stands for an expensive training run: the loss after training with these settings.
double loss_of(double rate, std::int64_t width, const std::string& solver) {
    const double rate_term = std::pow(std::log10(rate) + 3.0, 2.0);                               // best near 1e-3
    const double width_term = std::pow(std::log2(static_cast<double>(width)) - 7.0, 2.0) / 10.0;  // best near 128
    return rate_term + width_term + (solver == "adam" ? 0.0 : 0.5);
}

}  // namespace

int main() {
    const summand::SearchSpace space{{
        summand::Real{.name = "rate", .low = 1e-5, .high = 1e-1, .scale = summand::Scale::log},
        summand::Integer{.name = "width", .low = 8, .high = 512, .scale = summand::Scale::log},
        summand::Choice{.name = "solver", .values = {"sgd", "adam"}},
    }};
    summand::Optimizer optimizer{space, {.goal = summand::Goal::minimize, .batch_size = 8, .seed = 7}};

    for (int round = 0; round < 8; ++round)
        for (const summand::Trial& trial : optimizer.ask()) {
            if (trial.real("rate") > 0.05)  // diverged: not an error, but something to learn from
                optimizer.tell(trial.id, summand::Failed{"loss is not a number"});
            else
                optimizer.tell(trial.id, loss_of(trial.real("rate"), trial.integer("width"), trial.choice("solver")));
        }

    const summand::Best best = optimizer.best().value();
    std::cout << "best loss " << best.value << " in trial " << best.id << " with";
    for (std::size_t j = 0; j < space.size(); ++j)
        std::cout << "  " << name_of(space[j]) << " = " << summand::to_text(best.values[j]);
    std::cout << "\n"
              << optimizer.failure_count() << " of " << optimizer.failure_count() + optimizer.evaluation_count()
              << " evaluations failed\n";
}
