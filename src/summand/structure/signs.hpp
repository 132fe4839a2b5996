// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/hot_chains.hpp"
#include "summand/structure/verdict.hpp"

namespace summand::structure {

/// Gathers what the verdict is judged by: `posterior` as summarised, `evidence` at the hyperparameters of the samples.
/// Sets posterior.chain_agreement.
Signs signs_of(const Bench& bench, const Hot& hot, Evidence& evidence, StructurePosterior& posterior);

}  // namespace summand::structure
