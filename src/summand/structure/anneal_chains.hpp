// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/evidence_source.hpp"

#include <vector>

namespace summand::structure {

/// Where the annealed chains ended, and what they cost.
struct AnnealedEnds {
    std::vector<ChainEnd> chains = {};
    long factorisations = 0, likelihoods = 0;
    const ChainEnd& best() const;  ///< the end of highest posterior
};

/// Rounds of two chains, whatever the number of threads, until the best partition has been found twice or
/// annealed.chains have run.
AnnealedEnds anneal_chains(const EvidenceSource& source, const AnnealedChains& annealed, Rng rng);

/// Chains that start warm keep their partitions; hyperparameters, if learned, are polished at the first.
AnnealedEnds warm_start_ends(const EvidenceSource& source, const AnnealedChains& annealed);

}  // namespace summand::structure
