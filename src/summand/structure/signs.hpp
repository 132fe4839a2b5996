// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/check.hpp"
#include "summand/structure/hot_chains.hpp"
#include "summand/structure/verdict.hpp"

#include <optional>

namespace summand::structure {

/// Gathers what the verdict is judged by: `posterior` as summarised, `evidence` at the hyperparameters of the samples.
/// `check` is that of posterior.best, if it was made. Sets posterior.chain_agreement.
Signs signs_of(const Bench& bench, const Hot& hot, Evidence& evidence, const std::optional<Check>& check,
               StructurePosterior& posterior);

}  // namespace summand::structure
