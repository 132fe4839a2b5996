// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/trust_region.hpp"

#include <algorithm>
#include <cmath>

namespace summand::optimizer {

TrustRegion fresh_region(const DefaultStrategy& strategy) {
    return {.length = strategy.region_start};
}

TrustRegion updated(TrustRegion region, bool improved, int evaluations, Index dimension,
                    const DefaultStrategy& strategy) {
    constexpr int successes_to_grow = 3;
    region.successes = improved ? region.successes + 1 : 0;
    region.failures = improved ? 0 : region.failures + evaluations;
    if (region.successes == successes_to_grow) {
        region.length = std::min(2.0 * region.length, strategy.region_longest);
        region.successes = 0;
    } else if (region.failures >= std::max<Index>(4, dimension)) {
        region.length /= 2.0;
        region.failures = 0;
    }
    if (region.length < strategy.region_shortest) {
        region = {.length = strategy.region_start, .restarts = region.restarts + 1};
    }
    return region;
}

Box box_around(const Vector& centre, double length, const Vector& lengthscale) {
    const Vector logarithm = lengthscale.array().log();
    const Vector half = 0.5 * length * (logarithm.array() - logarithm.mean()).exp();
    return {.low = (centre - half).cwiseMax(0.0), .high = (centre + half).cwiseMin(1.0)};
}

}  // namespace summand::optimizer
