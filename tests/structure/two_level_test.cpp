// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/two_level.hpp"

#include "structure/additive_draw.hpp"

#include <set>

#include <gtest/gtest.h>

namespace summand::structure {
namespace {

TEST(TwoLevelDesign, EveryColumnTakesTwoFarValuesAndIsFoundAgain) {
    const Matrix X = two_level_design(Rng::from_seed(1), 12, 60);
    const auto found = find_two_level_rows(X);
    ASSERT_EQ(found.blocks.size(), 1U);
    const Matrix& sign = found.blocks.front().sign;
    EXPECT_EQ(found.points(), 60);
    for (Index j = 0; j < 12; ++j) {
        EXPECT_TRUE(((X.col(j).array() <= 0.15) == (sign.col(j).array() < 0)).all());
        EXPECT_TRUE(((X.col(j).array() >= 0.85) == (sign.col(j).array() > 0)).all());
        // A fair coin 60 times: between 8 and 52 heads for all but one column in 10⁸.
        EXPECT_LT(std::abs(sign.col(j).sum()), 45);
    }
}

TEST(TwoLevelDesign, TwoLevelRowsAreFoundAmongOthers) {
    Matrix X(50, 5);
    X.topRows(10) = test::uniform_points(Rng::from_seed(2), 10, 5);
    X.middleRows(10, 24) = two_level_design(Rng::from_seed(3), 5, 24, {.blocks = 1});
    X.bottomRows(16) = test::uniform_points(Rng::from_seed(4), 16, 5);
    const auto found = find_two_level_rows(X);
    ASSERT_EQ(found.blocks.size(), 1U);
    ASSERT_EQ(found.points(), 24);
    EXPECT_EQ(found.rows().front(), 10);
    EXPECT_EQ(found.rows().back(), 33);
    EXPECT_TRUE(find_two_level_rows(test::uniform_points(Rng::from_seed(5), 50, 5)).blocks.empty());
}

TEST(TwoLevelDesign, ManyPointsComeInBlocksOfOtherLevelsWhichAreFoundInAnyOrder) {
    const Matrix X = two_level_design(Rng::from_seed(7), 10, 110);
    const auto order = Rng::from_seed(8).permutation(110);
    const Matrix shuffled = X(std::vector<Index>(order.begin(), order.end()), Eigen::all);
    for (const Matrix* points : {&X, &shuffled}) {
        const auto found = find_two_level_rows(*points);
        EXPECT_EQ(found.blocks.size(), 3U);
        // Two points of a block share no coordinate once in 1000 times; such a point may be left out.
        EXPECT_GE(found.points(), 105);
    }
}

TEST(TwoLevelDesign, LevelsStayInTheirRangesInEveryBlock) {
    const TwoLevelOptions options{.low_from = 0.2, .low_to = 0.25, .high_from = 0.7, .high_to = 0.8, .blocks = 3};
    const Matrix X = two_level_design(Rng::from_seed(9), 10, 110, options);
    // From the second block on low reaches up to 0.4 and high down to 0.6.
    for (const double x : X.reshaped()) EXPECT_TRUE((x >= 0.2 && x <= 0.4) || (x >= 0.6 && x <= 0.8)) << x;
    for (const double x : X.topRows(36).reshaped()) EXPECT_TRUE((x >= 0.2 && x <= 0.25) || (x >= 0.7 && x <= 0.8)) << x;
}

TEST(TwoLevelDesign, FewDimensionsGiveNoRepeatedPointWhileUnusedOnesAreLeft) {
    const Matrix X = two_level_design(Rng::from_seed(6), 5, 28, {.blocks = 1});
    std::set<std::vector<double>> distinct;
    for (Index i = 0; i < X.rows(); ++i) distinct.insert({X(i, 0), X(i, 1), X(i, 2), X(i, 3), X(i, 4)});
    EXPECT_EQ(distinct.size(), 28U);
}

TEST(TwoLevelDesign, IntegersAndChoicesKeepToTheirAllowedValues) {
    TwoLevelOptions options;
    options.blocks = 1;
    options.allowed = {{}, {0.0, 0.5, 1.0}, {0.125, 0.375, 0.625, 0.875}, {0.5}};
    options.unordered = {false, false, true, false};
    for (int seed = 0; seed < 20; ++seed) {
        const Matrix X = two_level_design(Rng::from_seed(static_cast<unsigned>(seed)), 4, 8, options);
        for (Index j = 1; j < 4; ++j) {
            const auto& allowed = options.allowed[static_cast<std::size_t>(j)];
            std::set<double> seen;
            for (Index i = 0; i < 8; ++i) {
                EXPECT_NE(std::find(allowed.begin(), allowed.end(), X(i, j)), allowed.end());
                seen.insert(X(i, j));
            }
            EXPECT_LE(seen.size(), 2U);
        }
        EXPECT_TRUE(X(0, 1) == 0.0 || X(0, 1) == 1.0);
    }
}

TEST(TwoLevelDesign, TheNumberOfPointsFollowsTheDocumentedRule) {
    EXPECT_EQ(two_level_points(4), 24);
    EXPECT_EQ(two_level_points(20), 70);
    EXPECT_LE(two_level_points(50), 205);
    EXPECT_EQ(two_level_points(100), 450);
    EXPECT_EQ(two_level_points(200), 900);
}

}  // namespace
}  // namespace summand::structure
