// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/regret.hpp"

#include "summand/base/error.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

TEST(Regret, OneByOneFollowsTheDefinitions) {
    const Regret r = regret({1.0, 4.0, 2.0}, 5.0, Goal::maximize);
    EXPECT_EQ(r.immediate, (std::vector<double>{4.0, 1.0, 3.0}));
    EXPECT_EQ(r.simple, (std::vector<double>{4.0, 1.0, 1.0}));
    EXPECT_EQ(r.cumulative, (std::vector<double>{4.0, 2.5, 8.0 / 3.0}));
}

TEST(Regret, ABatchCountsWithItsBestPoint) {
    const Regret r = regret({1.0, 4.0, 2.0, 3.0, 0.0}, 5.0, Goal::maximize, 2);
    EXPECT_EQ(r.immediate, (std::vector<double>{1.0, 2.0, 5.0}));
    EXPECT_EQ(r.simple, (std::vector<double>{1.0, 1.0, 1.0}));
    EXPECT_EQ(r.cumulative, (std::vector<double>{1.0, 1.5, 8.0 / 3.0}));
}

TEST(Regret, MinimisingMirrorsMaximising) {
    const Regret down = regret({3.0, 1.5, 2.0}, 1.0, Goal::minimize);
    EXPECT_EQ(down.immediate, (std::vector<double>{2.0, 0.5, 1.0}));
    EXPECT_EQ(down.simple, (std::vector<double>{2.0, 0.5, 0.5}));
}

TEST(Regret, AveragedCumulativeNeverLiesBelowSimple) {
    const Regret r = regret({1.0, 7.0, 2.0, 9.0, 3.0}, 10.0, Goal::maximize);
    for (std::size_t t = 0; t < r.simple.size(); ++t) EXPECT_GE(r.cumulative[t], r.simple[t]);
}

TEST(Regret, RefusesEmptyBatchesAndBatchSizesBelowOne) {
    EXPECT_THROW(batch_regret({{1.0}, {}}, 0.0, Goal::maximize), InvalidArgument);
    EXPECT_THROW(regret({1.0}, 0.0, Goal::maximize, 0), InvalidArgument);
}

}  // namespace
}  // namespace summand
