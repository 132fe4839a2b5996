// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/evidence_source.hpp"
#include "summand/structure/group_check.hpp"

#include <vector>

namespace summand::structure {

/// What was learned, and how well each row it was checked on fits.
struct Learnt {
    StructurePosterior posterior = {};
    std::vector<Index> rows = {};
    GroupCheck check = {};
};

/// One run of the AnnealedChains learner on all points of `source`: annealed chains, burn-in with resampling, samples at fixed
/// hyperparameters, their weights as an additive process, the check of the best partition, verdict.
Learnt run_annealed(const EvidenceSource& source, const AnnealedChains& annealed, Rng rng);

}  // namespace summand::structure
