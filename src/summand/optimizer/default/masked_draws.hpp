// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

namespace summand::optimizer {

/// Thompson draws of a model without groups: `count` rows, each the best of many candidates under its own function, climbed
/// from there. A candidate is the centre with a random subset of coordinates (at most about 20 of them) moved within the
/// domain, so that in many dimensions steps stay small [Eriksson2019, sec. 3 and its supplement].
///
/// Row b's function is mean + t_b (draw_b - mean), t_b uniform from `temper_from` to 1: in many dimensions the maximiser of a whole draw
/// lies where little is known, almost surely, and a batch of such points only explores.
Matrix masked_thompson(const AdditiveGp& gp, const Domain& domain, const Vector& centre, Index count,
                       double temper_from, const Rng& rng, int threads);

}  // namespace summand::optimizer
