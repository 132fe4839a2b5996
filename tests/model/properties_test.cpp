// SPDX-License-Identifier: Apache-2.0
// What must not change anything, over many random problems. Tolerance: n ε cond times the values' size, as in
// posterior_test.cpp.
#include "model/dense_reference.hpp"
#include "summand/base/parallel.hpp"
#include "summand/model/additive_gp.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

using namespace test;
constexpr double likelihood_tolerance = 2e-6;

KernelFamily family_of(std::uint64_t seed) {
    return seed % 2 == 0 ? KernelFamily::squared_exponential : KernelFamily::matern52;
}

void expect_same(const AdditiveGp& a, const Matrix& points_a, const AdditiveGp& b, const Matrix& points_b,
                 std::uint64_t seed) {
    EXPECT_NEAR(a.log_marginal_likelihood(), b.log_marginal_likelihood(), likelihood_tolerance) << "seed " << seed;
    const Marginals at_a = a.sum_marginals(points_a), at_b = b.sum_marginals(points_b);
    EXPECT_LT((at_a.mean - at_b.mean).cwiseAbs().maxCoeff(), tolerance) << "seed " << seed;
    EXPECT_LT((at_a.variance - at_b.variance).cwiseAbs().maxCoeff(), tolerance) << "seed " << seed;
}

TEST(ModelProperties, TheOrderOfObservationsDoesNotMatter) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Problem p = mixed_problem(family_of(seed), 30, seed);
        const auto order = Rng::from_seed(seed).permutation(30);
        Problem shuffled = p;
        for (Index i = 0; i < 30; ++i) {
            shuffled.X.row(i) = p.X.row(order[static_cast<std::size_t>(i)]);
            shuffled.y[i] = p.y[order[static_cast<std::size_t>(i)]];
        }
        const Matrix T = mixed_problem(p.family, 8, seed + 100).X;
        expect_same(gp_of(p), T, gp_of(shuffled), T, seed);
    }
}

TEST(ModelProperties, TheOrderOfParametersDoesNotMatter) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Problem p = mixed_problem(family_of(seed), 30, seed);
        const Matrix T = mixed_problem(p.family, 8, seed + 100).X;
        const auto order = Rng::from_seed(seed).permutation(6);  // new column j is old column order[j]
        Problem shuffled = p;
        Matrix shuffled_T = T;
        std::vector<int> label(6);
        for (std::size_t j = 0; j < 6; ++j) {
            const auto old = static_cast<Index>(order[j]), column = static_cast<Index>(j);
            shuffled.X.col(column) = p.X.col(old);
            shuffled_T.col(column) = T.col(old);
            shuffled.hyperparameters.lengthscale[column] = p.hyperparameters.lengthscale[old];
            shuffled.unordered[j] = p.unordered[static_cast<std::size_t>(old)];
            label[j] = static_cast<int>(p.partition.group_of(old));
        }
        shuffled.partition = Partition::from_labels(label);
        for (std::size_t j = 0; j < 6; ++j)
            shuffled.hyperparameters.variance[shuffled.partition.group_of(static_cast<Index>(j))] =
                p.hyperparameters.variance[label[j]];
        expect_same(gp_of(p), T, gp_of(shuffled), shuffled_T, seed);
    }
}

TEST(ModelProperties, OneGroupOfAllParametersIsTheOrdinaryGp) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Problem p = mixed_problem(family_of(seed), 30, seed);
        p.partition = Partition::single(6);
        p.hyperparameters.variance = Vector::Constant(1, 1.3);
        const AdditiveGp gp = gp_of(p);
        EXPECT_NEAR(gp.log_marginal_likelihood(), dense_log_likelihood(p), likelihood_tolerance);
        const Matrix T = mixed_problem(p.family, 8, seed + 100).X;
        const Vector group = gp.group_marginals(0, T).mean.array() + p.hyperparameters.mean;
        EXPECT_LT((group - gp.sum_marginals(T).mean).cwiseAbs().maxCoeff(), tolerance);
        EXPECT_LT((gp.group_marginals(0, T).variance - gp.sum_marginals(T).variance).cwiseAbs().maxCoeff(), tolerance);
    }
}

TEST(ModelProperties, SplittingAGroupThatItsLengthscalesHaveSwitchedOffChangesNothing) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        // The group {2, 4} is constant at these lengthscales: r² < 1e-20. Its variance is then shared out in any way.
        Problem p = mixed_problem(family_of(seed), 30, seed);
        p.partition = Partition::from_groups({{0, 3}, {1, 5}, {2, 4}}, 6);
        p.hyperparameters.lengthscale[2] = p.hyperparameters.lengthscale[4] = 1e10;
        Problem split = p;
        split.partition = Partition::from_groups({{0, 3}, {1, 5}, {2}, {4}}, 6);
        const Vector& v = p.hyperparameters.variance;
        split.hyperparameters.variance = Vector(4);
        split.hyperparameters.variance << v[0], v[1], 0.3 * v[2], 0.7 * v[2];
        const Matrix T = mixed_problem(p.family, 8, seed + 100).X;
        expect_same(gp_of(p), T, gp_of(split), T, seed);
    }
}

TEST(ModelProperties, AParameterThatItsLengthscaleHasSwitchedOffMayMoveToAnotherGroup) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Problem p = mixed_problem(family_of(seed), 30, seed);
        p.hyperparameters.lengthscale[4] = 1e10;
        Problem moved = p;
        moved.partition = Partition::from_groups({{0, 3, 4}, {1}, {2, 5}}, 6);
        const Matrix T = mixed_problem(p.family, 8, seed + 100).X;
        expect_same(gp_of(p), T, gp_of(moved), T, seed);
    }
}

TEST(ModelProperties, VariancesNeverGrowWithMoreData) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Problem p = mixed_problem(family_of(seed), 40, seed);
        Problem less = p;
        less.X = p.X.topRows(20);
        less.y = p.y.head(20);
        const Matrix T = mixed_problem(p.family, 20, seed + 100).X;
        const Vector before = gp_of(less).sum_marginals(T).variance, after = gp_of(p).sum_marginals(T).variance;
        EXPECT_TRUE((after.array() <= before.array() + tolerance).all());
        EXPECT_TRUE((after.array() <= gp_of(p).sum_of_group_variances(T).array() * 3 + tolerance).all());
    }
}

TEST(ModelProperties, TwoThreadsGiveTheBitsOfOne) {
    const Problem p = mixed_problem(KernelFamily::matern52, 60, 3);
    const Matrix T = mixed_problem(p.family, 16, 4).X;
    const auto run = [&](int threads) {
        const AdditiveGp gp = gp_of(p);  // fresh, so that what is computed on demand is computed inside
        Matrix result(16, 3);
        parallel_for(16, threads, [&](std::int64_t i) {
            const MarginalGradient at = gp.sum_gradient(T.row(i));
            result.row(i) << at.mean, at.variance, gp.alpha()[i] + at.variance_gradient.sum();
        });
        return result;
    };
    EXPECT_TRUE(run(1) == run(2));
}

}  // namespace
}  // namespace summand
