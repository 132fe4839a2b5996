// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/context.hpp"
#include "summand/acquisition/surface.hpp"

#include <cstdint>
#include <variant>

namespace summand {

/// β = multiplier |A_m| log 2t. The paper: multiplier 1 for D <= 10 and for all batches, 1/5 for D >= 20 [Wang2017, sec. 5].
struct PaperBeta {
    double multiplier = 1.0;
};
/// The same β for every group and time.
struct ConstantBeta {
    double value = 1.0;
};
using BetaSchedule = std::variant<PaperBeta, ConstantBeta>;

/// β at time t >= 1 for a group of this size. Throws InvalidArgument for t < 1 or a negative multiplier or value.
double beta_at(const BetaSchedule& schedule, Index group_size, std::int64_t time);

/// Upper confidence bound mean + √β stddev [Wang2017, eq. (3)].
/// Of the sum: mean + Σ_m √β_m stddev_m is what the groups' maximisers maximise together; see maximize.hpp.
struct Ucb {
    BetaSchedule beta = PaperBeta{};
};
Formula formula(const Ucb& ucb, const Context& context);

}  // namespace summand
