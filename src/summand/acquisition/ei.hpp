// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/context.hpp"
#include "summand/acquisition/surface.hpp"

namespace summand {

/// Expected improvement E max(f - f*, 0) [Jones1998], as its logarithm: the same maximiser, and a gradient that does
/// not vanish far from it [Ament2023]. f* is the largest posterior mean at the observed points, of the group or of the
/// sum: the noise of a single y cannot raise it, and for one group no y exists.
struct Ei {};
Formula formula(const Ei& ei, const Context& context);

/// log E max(f - threshold, 0) and its derivatives, f normal with this mean and standard deviation > 0.
Score ei_score(double mean, double stddev, double threshold);

}  // namespace summand
