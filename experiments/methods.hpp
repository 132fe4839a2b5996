// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/race.hpp"

// The methods of the paper's figures, by its names, and ours. `paper` holds what an experiment changes in its strategy.
namespace summand::experiments {

Method known(const PaperStrategy& paper);  ///< Known: the true groups are given
/// NP, FP, PL-1, PL-2, Gibbs [Wang2017, sec. 5.1].
std::vector<Method> learners(const PaperStrategy& paper);
Method gibbs_with_limit(const PaperStrategy& paper, int largest_group);  ///< Gibbs-L
/// Rand, UCB-PE, UCB-DPP, UCB-PE-Fnc, UCB-DPP-Fnc [Wang2017, sec. 5.2]; told the groups if `told_groups`, else Gibbs.
std::vector<Method> batch_methods(const PaperStrategy& paper, bool told_groups);
Method ours();              ///< default: what a user gets who sets nothing
Method ours_told_groups();  ///< default-known: the same, given the true groups

/// additive-D, the paper's functions: bandwidth 0.1, scale 5, groups of at most 3, at least two of them.
Panel synthetic(int dimension, int evaluations, int batch_size = 1);

/// The strategy of a smoke run: a few sweeps, learned every few asks.
PaperStrategy quick(PaperStrategy paper);

}  // namespace summand::experiments
