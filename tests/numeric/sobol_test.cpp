// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/sobol.hpp"

#include "summand/base/error.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace summand {
namespace {

TEST(Sobol, EveryCoordinateHitsEachOfTwoToTheKIntervalsOnce) {
    const Matrix points = sobol_points(64, 200, Rng::from_seed(1));
    for (Index j = 0; j < points.cols(); ++j) {
        std::set<Index> cells;
        for (Index i = 0; i < points.rows(); ++i) cells.insert(static_cast<Index>(std::floor(points(i, j) * 64)));
        EXPECT_EQ(cells.size(), 64U) << "coordinate " << j;
    }
}

TEST(Sobol, TheFirstTwoCoordinatesFormANet) {
    // A (0, 6, 2)-net: every box of 2^-a x 2^-(6-a) holds exactly one of the first 64 points, scrambled or not.
    const Matrix points = sobol_points(64, 2, Rng::from_seed(2));
    for (int a = 0; a <= 6; ++a) {
        std::set<std::pair<Index, Index>> boxes;
        for (Index i = 0; i < 64; ++i)
            boxes.emplace(static_cast<Index>(std::ldexp(points(i, 0), a)),
                          static_cast<Index>(std::ldexp(points(i, 1), 6 - a)));
        EXPECT_EQ(boxes.size(), 64U) << "a = " << a;
    }
}

TEST(Sobol, MorePointsExtendFewerAndTheKeyDecides) {
    const Matrix few = sobol_points(10, 5, Rng::from_seed(3)), many = sobol_points(30, 5, Rng::from_seed(3));
    EXPECT_TRUE(few == Matrix(many.topRows(10)));
    EXPECT_TRUE(few != sobol_points(10, 5, Rng::from_seed(4)));
}

TEST(Sobol, ScrambledPointsAreUniform) {
    // The first point alone, over 4000 keys: mean 1/2, sd 1/√12; 5 standard errors bound a false alarm by 6e-7.
    double sum = 0;
    const int keys = 4000;
    for (int k = 0; k < keys; ++k) sum += sobol_points(1, 1, Rng::from_seed(static_cast<std::uint64_t>(k)))(0, 0);
    EXPECT_NEAR(sum / keys, 0.5, 5 / std::sqrt(12.0 * keys));
}

TEST(Sobol, RefusesDimensionsWithoutDirectionNumbers) {
    EXPECT_THROW(sobol_points(4, 0, Rng::from_seed(1)), InvalidArgument);
    EXPECT_THROW(sobol_points(4, largest_sobol_dimension + 1, Rng::from_seed(1)), InvalidArgument);
    EXPECT_EQ(sobol_points(3, largest_sobol_dimension, Rng::from_seed(1)).cols(), largest_sobol_dimension);
}

}  // namespace
}  // namespace summand
