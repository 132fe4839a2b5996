// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/problem.hpp"

namespace summand::structure {

/// The AnnealedChains learner: runs (annealed_run.hpp) on the points that tell most. If the size limit was left open and chains that
/// agree fill a group up to it, again with a larger limit; if values do not fit the others, again without them.
StructurePosterior learn_annealed(const Problem& problem, const AnnealedChains& annealed, Rng rng);

}  // namespace summand::structure
