// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/encoding.hpp"

namespace summand::optimizer {

/// Kind and size of the initial design, nothing left open.
struct DesignPlan {
    InitialDesign kind = InitialDesign::uniform;
    Index points = 1;
};

/// The paper's strategy: uniform; 10 points unless Options say otherwise (the paper does not state N_init).
/// The default strategy: from 10 parameters on, with budget / D at least DefaultStrategy::design_threshold,
/// structure-finding points (structure/two_level.hpp says how many); otherwise a Latin hypercube of 2 D points for D <= 20 and max(40, D) above,
/// at most half of the budget. Sizes that follow from a rule are rounded up to whole batches.
/// With known groups there is no structure to find.
DesignPlan plan_design(const Options& resolved_options, Index dimension);

/// The design: rows of allowed points. Depends on (plan, encoding, rng's key).
Matrix make_design(const DesignPlan& plan, const Encoding& encoding, const Rng& rng);

}  // namespace summand::optimizer
