// SPDX-License-Identifier: Apache-2.0
#include "problems/lasso.hpp"

#include <gtest/gtest.h>

namespace summand::problems {
namespace {

TEST(Lasso, TheSolutionSatisfiesTheOptimalityConditions) {
    const LassoData data = make_lasso_data(100, 1);
    const Vector penalty = data.penalty_max * Vector::LinSpaced(100, 0.02, 0.3);
    const Vector w = weighted_lasso(data.X, data.y, penalty);
    const Vector gradient = data.X.transpose() * (data.y - data.X * w) / static_cast<double>(data.X.rows());
    for (Index j = 0; j < 100; ++j) {
        // Where w_j ≠ 0 the gradient is ±penalty, elsewhere within it; moves below 1e-9 leave about D times as much.
        if (w[j] != 0.0)
            EXPECT_NEAR(gradient[j], std::copysign(penalty[j], w[j]), 1e-6);
        else
            EXPECT_LE(std::abs(gradient[j]), penalty[j] + 1e-6);
    }
    EXPECT_GT((w.array() != 0.0).count(), 3);
    EXPECT_EQ(weighted_lasso(data.X, data.y, Vector::Constant(100, data.penalty_max * 1.001)).norm(), 0.0);
}

TEST(Lasso, TheDataAreAsThePageSays) {
    const LassoData data = make_lasso_data(300, 2);
    EXPECT_EQ(data.X.rows(), 127);  // 150 less 15 %, rounded up
    EXPECT_EQ((data.truth.array() != 0.0).count(), 15);
    const Vector noise = data.y - data.X * data.truth;
    EXPECT_NEAR((data.X * data.truth).norm() / noise.norm(), 10.0, 2.0);  // exactly 10 over all 150 samples
    // 127 · 299 products of neighbours: standard deviation of their mean about 1.3/√37973 ≈ 0.007.
    const double mean =
        (data.X.leftCols(299).array() * data.X.rightCols(299).array()).mean() / data.X.array().square().mean();
    EXPECT_NEAR(mean, 0.6, 0.035);
}

TEST(Lasso, LowPenaltiesOnTheTrueFeaturesAloneAreNearTheOracle) {
    const Problem problem = make("lasso-synthetic-100", {.seed = 1});
    const LassoData data = make_lasso_data(100, 1);
    Vector x = Vector::Ones(100);
    const double none = problem.evaluate(x);
    for (Index j = 0; j < 100; ++j)
        if (data.truth[j] != 0.0) x[j] = -1.0;
    const double oracle = problem.evaluate(x);
    EXPECT_LT(oracle, 3.0);
    EXPECT_GT(none, 10.0 * oracle);
    EXPECT_EQ(make("lasso-synthetic").dimension(), 100);
}

}  // namespace
}  // namespace summand::problems
