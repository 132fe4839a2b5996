// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

#include <cstdint>
#include <optional>

namespace summand {

class GroupScreens;

/// What an acquisition is asked about: one group of a posterior, or (no group) the sum. Larger values are better.
struct Context {
    const AdditiveGp& gp;
    std::optional<Index> group = {};
    const Domain& domain;   ///< of the group's columns, or of all
    std::int64_t time = 1;  ///< t of the paper: the round, from 1; drives β
    Rng rng;                ///< only for acquisitions that draw; the same stream gives the same function
    const GroupScreens* screens = nullptr;  ///< of the gp, if the caller has them (acquisition/screen.hpp)
};

/// The largest posterior mean at the observed points, of the group or of the sum: what improvement is measured from.
double best_observed_mean(const Context& context);

}  // namespace summand
