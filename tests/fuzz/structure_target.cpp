// SPDX-License-Identifier: Apache-2.0
#include "fuzz/absurd_number.hpp"
#include "fuzz/targets.hpp"
#include "summand/base/error.hpp"
#include "summand/structure/learner.hpp"

#include <stdexcept>

namespace summand::fuzz {
namespace {

using namespace structure;

Learner learner(Choices& choices, Index dimension) {
    switch (choices.below(6)) {
        case 0:
            return Gibbs{.sweeps = 4, .burn_in = 2};
        case 1:
            return Known{Partition::singletons(dimension)};
        case 2:
            return None{};
        case 3:
            return BestOfRandom{.candidates = 3};
        default:
            return AnnealedChains{.chains = 2, .max_sweeps = 4, .samples = 2, .all_points = choices.coin()};
    }
}

double coordinate(Choices& choices) {
    const int kind = choices.below(8);
    if (kind < 4) return kind % 2 == 0 ? 0.2 : 0.8;  // two levels
    return kind == 7 ? std::clamp(absurd_number(choices), -1e100, 1e100) : choices.unit();
}

PriorOptions prior(Choices& choices) {
    const double sizes[] = {1e-300, 1.0, 1e300};
    PriorOptions result{.alpha = {sizes[choices.below(3)]}};
    if (choices.coin())
        result.family = DirichletProcess{};
    else
        result.family = DirichletMultinomial{.labels = choices.below(4)};
    return result;
}

LearnOptions options(Choices& choices, Index dimension) {
    LearnOptions result;
    if (choices.coin()) result.max_group_size = 1 + choices.below(4);
    if (choices.coin()) {
        const double sizes[] = {1e-100, 1e-15, 1e-4, 1.0, 5.0, 1e100};
        result.hyperparameters = GivenHyperparameters{.lengthscale = Vector::Constant(1, choices.coin() ? 0.1 : 3.0),
                                                      .variance = sizes[choices.below(6)],
                                                      .noise_variance = sizes[choices.below(6)],
                                                      .mean = choices.coin() ? absurd_number(choices) : 0.0};
    } else {
        result.hyperparameters = LearnedHyperparameters{.per_dimension = choices.coin()};
    }
    const int start = choices.below(4);
    if (start == 0) result.warm_start = {Partition::single(dimension)};
    if (start == 1) result.prior = prior(choices);
    if (start == 2 && choices.coin()) result.warm_start = {Partition::singletons(dimension)};
    if (choices.below(4) == 0) result.unordered = std::vector<bool>(static_cast<std::size_t>(dimension), true);
    return result;
}

}  // namespace

void learned_structure(const std::uint8_t* data, std::size_t size) {
    Choices choices(data, size);
    const Index N = 1 + choices.below(24), D = 1 + choices.below(5);
    const Learner how = learner(choices, D);
    const LearnOptions with = options(choices, D);
    Matrix X(N, D);
    Vector y(N);
    double last = 0.0;
    for (Index i = 0; i < N; ++i) {
        const bool again = i > 0 && choices.below(8) == 0;
        for (Index j = 0; j < D; ++j) X(i, j) = again ? X(i - 1, j) : coordinate(choices);
        y(i) = last = choices.below(4) == 0 ? last : absurd_number(choices);
    }
    try {
        const StructurePosterior posterior = learn_structure(X, y, how, Rng::from_seed(1), with);
        if (!posterior.pair_probability.allFinite() || std::isnan(posterior.log_likelihood) ||
            std::isnan(posterior.noise_share) || !std::isfinite(posterior.hyperparameters.variance) ||
            !std::isfinite(posterior.hyperparameters.noise_variance) || posterior.best.dimension() != D)
            throw std::logic_error("broken promise: a posterior is made of numbers");
    } catch (const InvalidArgument&) {  // too few points, a constant: said in a sentence
    }
}

}  // namespace summand::fuzz
