// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/race.hpp"

namespace summand::experiments {

/// Add-GP-UCB with Known, NP, FP, PL-1, PL-2, Gibbs, and ours, on D = 2, 10, 20, 50; `improvement` shares its runs.
Race decompositions_race(const Size& size);

}  // namespace summand::experiments
