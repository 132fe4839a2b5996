// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/problem.hpp"

namespace summand::structure {

/// The AnnealedChains learner: hot chains in rounds of two until the best partition has been found twice, the ends
/// resampled by posterior weight, then samples at the best chain's hyperparameters.
StructurePosterior learn_annealed(const Problem& problem, const AnnealedChains& annealed, Rng rng);

}  // namespace summand::structure
