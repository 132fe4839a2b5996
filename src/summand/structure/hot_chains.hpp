// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/problem.hpp"
#include "summand/structure/two_level.hpp"

#include <memory>
#include <vector>

namespace summand::structure {

/// The data of one run of AnnealedChains and how its evidence is made. Two-level points are searched in Walsh form even if
/// hyperparameters are given; the samples then come from the given model.
struct Bench {
    const Problem& problem;
    TwoLevelData two_level = {};  ///< no blocks: general points
    int threads = 1;

    bool walsh() const { return !two_level.blocks.empty(); }
    bool walsh_samples() const { return walsh() && problem.learned(); }
    Improvement hot_limits() const { return walsh() ? Improvement{} : problem.limits(); }

    std::unique_ptr<Evidence> hot_evidence(
        int candidate_threads) const;  ///< threads for the candidates of one parameter
    std::unique_ptr<Evidence> cold_evidence() const;
};

/// Where the hot chains ended, and what they cost.
struct Hot {
    std::vector<HotEnd> ends = {};
    long factorisations = 0, likelihoods = 0;
    const HotEnd& best() const;  ///< the end of highest posterior
};

/// Rounds of two chains, whatever the number of threads, until the best partition has been found twice or
/// annealed.chains have run.
Hot run_hot_chains(const Bench& bench, const AnnealedChains& annealed, Rng rng);

/// Chains that start warm keep their partitions; hyperparameters, if learned, are polished at the first.
Hot warm_ends(const Bench& bench, const AnnealedChains& annealed);

}  // namespace summand::structure
