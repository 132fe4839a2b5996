// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/context.hpp"
#include "summand/acquisition/surface.hpp"

namespace summand {

/// Probability of improvement P(f > f* + margin) [Kushner1964], as its logarithm (see Ei; f* is the same).
/// margin is in prior standard deviations of the group, or of the sum: 0 would only ever exploit.
struct Pi {
    double margin = 0.01;
};
Formula formula(const Pi& pi, const Context& context);

/// log P(f > threshold) and its derivatives.
Score pi_score(double mean, double stddev, double threshold);

}  // namespace summand
