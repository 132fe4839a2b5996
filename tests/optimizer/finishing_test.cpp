// SPDX-License-Identifier: Apache-2.0
#include "optimizer/planner_batch.hpp"

#include <gtest/gtest.h>

// Near the end of a known budget nothing looks everywhere any more.
namespace summand::optimizer::test_batch {
namespace {

/// The largest coordinate of the way from the best point known to any point of a batch that all models have a part in.
double farthest(const Choice& choice, double finish_share) {
    const Matrix points =
        batch(choice, {.weight_floor = 0.18, .explore_share = 1.0, .finish_share = finish_share, .region_start = 0.02});
    const Data known = data_of(Encoding(test::cube(dimension)), choice.points);
    Index best = 0;
    known.y.maxCoeff(&best);
    return (points.rowwise() - known.X.row(best)).cwiseAbs().maxCoeff();
}

// A trust region of side 0.02 reaches 0.01 along a parameter of middling lengthscale, and not 0.05 along any here.
constexpr double nearby = 0.05;

TEST(Finishing, KeepsAllPointsNearInTheLastPartOfTheBudget) {
    EXPECT_LT(farthest({.budget = 80, .groups_given = false, .points = 60}, 0.25), nearby);
    EXPECT_GT(farthest({.budget = 80, .groups_given = false, .points = 59}, 0.25), nearby);
}

TEST(Finishing, NeedsAnEnd) {
    EXPECT_GT(farthest({.groups_given = false}, 0.25), nearby);
    EXPECT_GT(farthest({.budget = 60, .groups_given = false, .points = 60}, 0.25), nearby) << "the budget is spent";
}

TEST(Finishing, IsShorterWhereSureGroupsLead) {
    const Choice early{.budget = 80, .points = 71}, late{.budget = 80, .points = 72};
    EXPECT_EQ(batch(early, {.sure_finish_share = 0.1}), batch(early, {.sure_finish_share = 0.0}));
    EXPECT_NE(batch(late, {.sure_finish_share = 0.1}), batch(late, {.sure_finish_share = 0.0}));
    EXPECT_EQ(batch(early, {.finish_share = 0.0}), batch(early, {.finish_share = 1.0}));
    const Choice learned{.budget = 80, .groups_given = false, .points = 71};
    EXPECT_NE(batch(learned, {.finish_share = 0.0}), batch(learned, {.finish_share = 1.0}));
}

}  // namespace
}  // namespace summand::optimizer::test_batch
