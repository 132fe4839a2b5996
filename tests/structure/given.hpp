// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/learner.hpp"

namespace summand::structure {

/// The usual options with hyperparameters that are known.
inline LearnOptions given(double lengthscale, double variance, double noise_variance) {
    LearnOptions options;
    options.hyperparameters = GivenHyperparameters{
        .lengthscale = Vector::Constant(1, lengthscale), .variance = variance, .noise_variance = noise_variance};
    return options;
}

}  // namespace summand::structure
