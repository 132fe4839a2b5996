// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

namespace summand::optimizer {

/// Thompson draws of a model without groups: `count` rows, each the best of many candidates under its own posterior draw.
/// A candidate is the centre with a random subset of coordinates (about 20 of them) moved within the domain, so that in many
/// dimensions steps stay small [Eriksson2019, sec. 3 and its supplement].
Matrix masked_thompson(const AdditiveGp& gp, const Domain& domain, const Vector& centre, Index count, const Rng& rng,
                       int threads);

}  // namespace summand::optimizer
