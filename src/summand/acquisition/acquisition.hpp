// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/context.hpp"
#include "summand/acquisition/ei.hpp"
#include "summand/acquisition/mes.hpp"
#include "summand/acquisition/pi.hpp"
#include "summand/acquisition/surface.hpp"
#include "summand/acquisition/thompson.hpp"
#include "summand/acquisition/ucb.hpp"

#include <memory>
#include <variant>

namespace summand {

/// What decides which point is worth evaluating: exactly one of these. A new one is its two files (a struct and
/// `formula`, or `surface` if it needs more than mean and standard deviation) and one line here.
using Acquisition = std::variant<Ucb, Ei, Pi, Mes, Thompson>;

/// The acquisition as a function on the context's group, or on all columns (no group). Refers to context.gp and
/// context.domain, which must outlive it.
///
/// For the sum, mean and standard deviation are those of f = mean + Σ_m f_m, with one exception: Ucb of the sum is
/// Add-GP-UCB [Kandasamy2015], mean + Σ_m √β_m stddev_m, the sum of the groups' bounds.
std::unique_ptr<Surface> make_surface(const Acquisition& acquisition, const Context& context);

}  // namespace summand
