// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/problem.hpp"
#include "summand/structure/two_level.hpp"

#include <memory>

namespace summand::structure {

/// The data of one run of AnnealedChains and how its evidence is made. Two-level points are searched in Walsh form even if
/// hyperparameters are given; the samples then come from the given model.
struct EvidenceSource {
    const Problem& problem;
    TwoLevelData two_level = {};  ///< no blocks: general points
    int threads = 1;

    bool walsh() const { return !two_level.blocks.empty(); }
    bool walsh_samples() const { return walsh() && problem.learned(); }
    Improvement annealing_limits() const { return walsh() ? Improvement{} : problem.limits(); }

    /// `candidate_threads`: for the candidates of one parameter.
    std::unique_ptr<Evidence> annealing_evidence(int candidate_threads) const;
    std::unique_ptr<Evidence> sampling_evidence() const;
};

}  // namespace summand::structure
