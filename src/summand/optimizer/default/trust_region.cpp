// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/trust_region.hpp"

#include <algorithm>
#include <cmath>

namespace summand::optimizer {

TrustRegion updated(TrustRegion region, bool improved, int evaluations, Index dimension) {
    constexpr int round = 10, successes_to_grow = 3;
    constexpr double longest = 1.6, shortest = 0x1p-7;  // as TuRBO
    region.round_evaluations += evaluations;
    region.round_improved = region.round_improved || improved;
    if (region.round_evaluations < round) return region;
    region.successes = region.round_improved ? region.successes + 1 : 0;
    region.failures = region.round_improved ? 0 : region.failures + region.round_evaluations;
    region.round_evaluations = 0;
    region.round_improved = false;
    if (region.successes == successes_to_grow) {
        region.length = std::min(2.0 * region.length, longest);
        region.successes = 0;
    } else if (region.failures >= std::max<Index>(4, dimension)) {
        region.length /= 2.0;
        region.failures = 0;
    }
    return region.length < shortest ? TrustRegion{} : region;
}

Box box_around(const Vector& centre, double length, const Vector& lengthscale) {
    const Vector logarithm = lengthscale.array().log();
    const Vector half = 0.5 * length * (logarithm.array() - logarithm.mean()).exp();
    return {.low = (centre - half).cwiseMax(0.0), .high = (centre + half).cwiseMin(1.0)};
}

}  // namespace summand::optimizer
