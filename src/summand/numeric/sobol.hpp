// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"

namespace summand {

/// The largest dimension of sobol_points.
constexpr Index largest_sobol_dimension = 3667;

/// The first `count` points of a Sobol sequence in [0,1)^dimension (rows), with Joe and Kuo's direction numbers
/// [Joe2008], randomised by Owen's nested scrambling [Owen1998]: each point is uniform, and the points keep their even
/// spread. Depends on (count's prefix, dimension, rng's key) only: more points extend fewer.
/// Throws InvalidArgument for a dimension above largest_sobol_dimension or below 1, or more than 2^31 points.
Matrix sobol_points(Index count, Index dimension, const Rng& rng);

}  // namespace summand
