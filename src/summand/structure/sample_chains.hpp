// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/anneal_chains.hpp"

#include <vector>

namespace summand::structure {

/// The samples of all chains, all at one set of hyperparameters.
struct SampledChains {
    std::vector<ChainSamples> chains = {};
    int burn_in_sweeps = 0;  ///< of all chains together
};

/// Burn-in, then annealed.samples sweeps of each chain, every likelihood remembered for all of them.
///
/// Burn-in: rounds of a few sweeps of every chain, started at ends resampled in proportion to their posterior. A round that
/// finds a partition more probable than any before is followed by another, at hyperparameters polished for that partition
/// if they are learned. So a chain that stuck in a poor place is replaced before the samples begin. During the samples
/// nothing is adapted: each is a step of a chain that leaves the posterior unchanged, and all count alike.
/// Chains that start warm have no burn-in.
SampledChains sample_chains(const EvidenceSource& source, const AnnealedChains& annealed, const AnnealedEnds& ends,
                            RememberedEvidence& evidence, Sampler& sampler, Rng rng);

}  // namespace summand::structure
