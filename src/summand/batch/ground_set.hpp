// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/acquisition/screen.hpp"
#include "summand/acquisition/ucb.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

namespace summand::batch {

/// The points of one group among which a batch is chosen, with the upper bounds that are their quality ψ.
struct GroundSet {
    Matrix points = {};
    Vector upper_bound = {};  ///< mean + √β_t stddev
};

struct GroundSetRequest {
    Index largest = 256;  ///< most points
    Index smallest = 9;   ///< points that are needed
    double beta = 1.0, beta_next = 1.0;
};

/// Points of the relevance region of group m (relevance_region.hpp), at most request.largest of them.
///
/// All points of the domain if it is listed and not larger; otherwise spread points (scrambled Sobol) that pass the region's
/// test, chosen at random if there are more. Where the region is so small that fewer than `smallest` pass, points near
/// `anchor` (the group's part of the batch's first point) and near the best lower bound are added at ever smaller distances;
/// if even that fails, the points with the largest 2√β upper bounds fill up. The pool is tested by approximate marginals
/// (acquisition/screen.hpp), the points that are kept by exact ones. The bar is the best lower bound of the pool, exact.
/// May return fewer than `smallest` only if the domain has fewer points.
GroundSet ground_set(const AdditiveGp& gp, Index m, const Domain& domain, const Vector& anchor,
                     const GroundSetRequest& request, const GroupScreens& screens, const Rng& rng);

}  // namespace summand::batch
