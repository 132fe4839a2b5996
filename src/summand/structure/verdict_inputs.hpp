// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/anneal_chains.hpp"
#include "summand/structure/group_check.hpp"
#include "summand/structure/verdict.hpp"

#include <optional>

namespace summand::structure {

/// Gathers what the verdict is judged by: `posterior` as summarised, `evidence` at the hyperparameters of the samples.
/// `check` is that of posterior.best, if it was made. Sets posterior.chain_agreement.
VerdictInputs verdict_inputs_of(const EvidenceSource& source, const AnnealedEnds& ends, Evidence& evidence,
                                const std::optional<GroupCheck>& check, StructurePosterior& posterior);

}  // namespace summand::structure
