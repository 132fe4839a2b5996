// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"

#include <vector>

namespace summand::structure {

/// A structure-finding design: every parameter gets two values, far apart, and every point takes one of the two by a
/// fair coin. A quarter of all points then agree in any two parameters, so interactions show after a few points a
/// parameter, where uniform points need six times as many (docs/structure.md).
struct TwoLevelOptions {
    double low_from = 0.0, low_to = 0.15;    ///< the low value is uniform on [low_from, low_to]
    double high_from = 0.85, high_to = 1.0;  ///< the high value is uniform on [high_from, high_to]
    /// Points are drawn block after block, each with levels of its own (from the second on with low up to 0.4 and high from
    /// 0.6 on): an interaction too small to see at one pair of levels shows at another. 0: one for every 3.5 D points.
    Index blocks = 0;
    /// Unit coordinates a parameter may take, increasing; empty for a continuous one. Integers use the allowed values
    /// nearest to the two drawn, choices two different values at random.
    std::vector<std::vector<double>> allowed = {};
    std::vector<bool> unordered = {};  ///< which parameters are choices; empty: none
};
/// N x D. No two points are equal as long as enough exist; a parameter with one allowed value keeps it.
Matrix two_level_design(Rng rng, Index dimension, Index points, const TwoLevelOptions& options = {});

/// How many points the design needs to find groups of up to about three parameters without noise: 3.5 D up to 20
/// parameters, rising to 4.5 D from 100 on, never below 24 (measured, docs/structure.md).
Index two_level_points(Index dimension);

/// Rows of X on which every column takes at most two values.
struct TwoLevelBlock {
    std::vector<Index> rows = {};  ///< of X, increasing
    Matrix sign = {};              ///< rows x D, -1 for the smaller value, +1 for the larger
};
struct TwoLevelData {
    std::vector<TwoLevelBlock> blocks = {};
    Index points() const;
    std::vector<Index> rows() const;  ///< of all blocks, increasing
};
/// Finds blocks of at least 8 rows, and at least D/2, among rows in any order; empty if there are none.
TwoLevelData find_two_level_rows(const Matrix& X);

}  // namespace summand::structure
