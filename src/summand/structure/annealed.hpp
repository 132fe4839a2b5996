// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/problem.hpp"

namespace summand::structure {

/// The AnnealedChains learner: hot chains, burn-in with resampling, samples at fixed hyperparameters, verdict. If the size
/// limit was left open and chains that agree fill a group up to it, all of that again with a larger limit.
StructurePosterior learn_annealed(const Problem& problem, const AnnealedChains& annealed, Rng rng);

}  // namespace summand::structure
