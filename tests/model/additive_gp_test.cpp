// SPDX-License-Identifier: Apache-2.0
#include "summand/model/additive_gp.hpp"

#include "model/dense_reference.hpp"
#include "summand/base/error.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand {
namespace {

using namespace test;
// n ε cond for n = 40, cond 2.4e4 (dense_reference.hpp), times the size of the values.

TEST(AdditiveGp, LogMarginalLikelihoodEqualsTheDenseFormula) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 1);
        EXPECT_NEAR(gp_of(p).log_marginal_likelihood(), dense_log_likelihood(p),
                    1e3 * tolerance);  // yᵀK⁻¹y is about 1e3
    }
}

TEST(AdditiveGp, AppendingEqualsStartingAfresh) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 2);
        Problem first = p;
        first.X = p.X.topRows(25);
        first.y = p.y.head(25);
        AdditiveGp grown = gp_of(first);
        for (Index i = 25; i < 40; ++i) grown.append(p.X.row(i), p.y[i]);
        const AdditiveGp fresh = gp_of(p);
        const Matrix T = mixed_problem(family, 10, 3).X;
        EXPECT_EQ(grown.size(), 40);
        EXPECT_TRUE(grown.inputs() == p.X);
        EXPECT_EQ(grown.values(), p.y);
        EXPECT_LT(largest_difference(grown.sum_marginals(T).mean, fresh.sum_marginals(T).mean), tolerance);
        EXPECT_LT(largest_difference(grown.sum_marginals(T).variance, fresh.sum_marginals(T).variance), tolerance);
        EXPECT_NEAR(grown.log_marginal_likelihood(), fresh.log_marginal_likelihood(), 1e3 * tolerance);
    }
}

TEST(AdditiveGp, ACopyKeepsItsValuesWhenTheOriginalGrows) {
    const Problem p = mixed_problem(KernelFamily::matern52, 20, 4);
    AdditiveGp gp = gp_of(p);
    const AdditiveGp copy = gp;
    const Matrix T = uniform_points(5, 6, Rng::from_seed(5));
    const Vector before = copy.sum_marginals(T).mean;
    gp.append(T.row(0), 9.0);
    EXPECT_EQ(copy.size(), 20);
    EXPECT_EQ(copy.sum_marginals(T).mean, before);
    EXPECT_EQ(gp.size(), 21);
}

TEST(AdditiveGp, PendingPointsKeepEveryMeanAndShrinkVariances) {
    const Problem p = mixed_problem(KernelFamily::matern52, 40, 6);
    const AdditiveGp gp = gp_of(p);
    const Matrix pending = mixed_problem(p.family, 7, 7).X, T = mixed_problem(p.family, 30, 8).X;
    const AdditiveGp after = gp.with_pending(pending);
    EXPECT_EQ(after.size(), 47);
    EXPECT_LT(largest_difference(after.sum_marginals(T).mean, gp.sum_marginals(T).mean), 1e-12);
    EXPECT_TRUE((after.sum_marginals(T).variance.array() <= gp.sum_marginals(T).variance.array() + tolerance).all());
    // At a pending point itself at most the noise is left: v·noise/(v + noise) < noise.
    EXPECT_LT(after.sum_marginals(pending).variance.maxCoeff(), p.hyperparameters.noise_variance);

    Problem told = p;  // the same as observing the predicted values
    told.X.conservativeResize(47, 6);
    told.X.bottomRows(7) = pending;
    told.y.conservativeResize(47);
    told.y.tail(7) = gp.sum_marginals(pending).mean;
    const AdditiveGp fresh = gp_of(told);
    EXPECT_LT(largest_difference(after.sum_marginals(T).variance, fresh.sum_marginals(T).variance), tolerance);
    EXPECT_LT(largest_difference(after.sum_marginals(T).mean, fresh.sum_marginals(T).mean), tolerance);
    EXPECT_NEAR(after.log_marginal_likelihood(), fresh.log_marginal_likelihood(), 1e3 * tolerance);
}

TEST(AdditiveGp, AppendingAfterPendingPointsWorks) {
    const Problem p = mixed_problem(KernelFamily::matern52, 30, 9);
    AdditiveGp gp = gp_of(p).with_pending(uniform_points(3, 6, Rng::from_seed(10)));
    gp.append(Vector::Constant(6, 0.4), 2.0);
    Problem told = p;
    told.X = gp.inputs();
    told.y = gp.values();
    EXPECT_LT(largest_difference(gp.alpha(), gp_of(told).alpha()), 100 * tolerance);
}

TEST(AdditiveGp, ExactDuplicatesAndReplicatedNoisyPointsWork) {
    Problem p = mixed_problem(KernelFamily::matern52, 30, 11);
    p.X.bottomRows(15) = p.X.topRows(15);
    const AdditiveGp gp = gp_of(p);
    EXPECT_EQ(gp.jitter(), 0.0);
    // Two values at one point with noise v count as their mean with noise v / 2.
    Problem averaged = p;
    averaged.X = p.X.topRows(15);
    averaged.y = 0.5 * (p.y.head(15) + p.y.tail(15));
    averaged.hyperparameters.noise_variance /= 2;
    const Matrix T = uniform_points(10, 6, Rng::from_seed(12));
    EXPECT_LT(largest_difference(gp.sum_marginals(T).mean, gp_of(averaged).sum_marginals(T).mean), tolerance);
    EXPECT_LT(largest_difference(gp.sum_marginals(T).variance, gp_of(averaged).sum_marginals(T).variance), tolerance);
}

TEST(AdditiveGp, DuplicatesWithoutNoiseGetJitterThatIsReported) {
    Problem p = mixed_problem(KernelFamily::matern52, 20, 13);
    p.hyperparameters.noise_variance = 0;
    p.X.row(7) = p.X.row(3);
    AdditiveGp gp = gp_of(p);
    // 1e-10 of the diagonal, which is the sum of the variances.
    EXPECT_NEAR(gp.jitter(), 1e-10 * p.hyperparameters.variance.sum(), 1e-15);
    gp.append(p.X.row(3), 1.0);
    EXPECT_EQ(gp.size(), 21);
    EXPECT_TRUE(gp.sum_marginals(p.X).mean.allFinite());
}

TEST(AdditiveGp, UnitsOfTheValuesOnlyScaleTheResults) {
    for (const double unit : {1e-140, 1e149}) {
        const Problem p = mixed_problem(KernelFamily::matern52, 30, 14);
        Problem scaled = p;
        scaled.y *= unit;
        scaled.hyperparameters.mean *= unit;
        scaled.hyperparameters.variance *= unit * unit;
        scaled.hyperparameters.noise_variance *= unit * unit;
        const Matrix T = uniform_points(10, 6, Rng::from_seed(15));
        const Marginals a = gp_of(p).sum_marginals(T), b = gp_of(scaled).sum_marginals(T);
        EXPECT_LT(largest_difference(b.mean / unit, a.mean), tolerance);
        EXPECT_LT(largest_difference(b.variance / unit / unit, a.variance), tolerance);
    }
}

TEST(AdditiveGp, EqualValuesAreFine) {
    Problem p = mixed_problem(KernelFamily::matern52, 10, 16);
    p.y.setConstant(p.hyperparameters.mean);
    EXPECT_EQ(gp_of(p).alpha().cwiseAbs().maxCoeff(), 0.0);
}

TEST(AdditiveGp, WithoutObservationsThePosteriorIsThePrior) {
    const Problem p = mixed_problem(KernelFamily::matern52, 1, 17);
    AdditiveGp gp(p.family, p.partition, p.hyperparameters, Matrix(0, 6), Vector(0));
    const Matrix T = uniform_points(4, 6, Rng::from_seed(18));
    EXPECT_EQ(gp.sum_marginals(T).mean, Vector::Constant(4, p.hyperparameters.mean));
    EXPECT_LT(largest_difference(gp.sum_marginals(T).variance, Vector::Constant(4, p.hyperparameters.variance.sum())),
              1e-14);
    gp.append(T.row(0), 1.0);
    EXPECT_EQ(gp.size(), 1);
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(AdditiveGp, MistakesAreRefusedWithASentence) {
    const Problem p = mixed_problem(KernelFamily::matern52, 10, 19);
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    Problem bad = p;
    bad.y[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(contains(message_of([&] { gp_of(bad); }), "value 3 is nan"));
    bad.y[3] = 1e160;
    EXPECT_TRUE(contains(message_of([&] { gp_of(bad); }), "value 3 is 1e+160; variances are in squared units"));
    bad = p;
    bad.X(4, 2) = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(contains(message_of([&] { gp_of(bad); }), "coordinate 2 of point 4 is inf"));
    bad = p;
    bad.y.conservativeResize(9);
    EXPECT_TRUE(contains(message_of([&] { gp_of(bad); }), "one row a value"));
    bad = p;
    bad.unordered.pop_back();
    EXPECT_TRUE(contains(message_of([&] { gp_of(bad); }), "`unordered` has 5 entries"));
    AdditiveGp gp = gp_of(p);
    EXPECT_TRUE(contains(message_of([&] { gp.append(Vector::Zero(6), std::nan("")); }), "value 0 is nan"));
    EXPECT_EQ(gp.size(), 10);
    EXPECT_TRUE(contains(message_of([&] { gp.group_marginals(3, Matrix(1, 1)); }), "group 3 was asked for"));
    EXPECT_TRUE(contains(message_of([&] { gp.group_marginals(0, Matrix(1, 1)); }), "2 are needed"));
    EXPECT_TRUE(contains(message_of([&] { gp.sum_marginals(Matrix(1, 5)); }), "6 are needed"));
}

TEST(AdditiveGp, ACovarianceThatCannotBeFactoredNamesTheLikelyCause) {
    Problem p = mixed_problem(KernelFamily::matern52, 10, 20);
    p.hyperparameters.noise_variance = 0;
    p.hyperparameters.lengthscale[1] = 1e-310;  // scaled coordinates overflow, and their differences are not numbers
    p.X.row(5) = p.X.row(4);
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    const std::string message = message_of([&] { gp_of(p); });
    EXPECT_TRUE(contains(message, "10 points is not positive definite"));
    EXPECT_TRUE(contains(message, "exact duplicates"));
    EXPECT_TRUE(contains(message, "the shortest lengthscale is 1e-310"));
    EXPECT_TRUE(contains(message, "noise variance is 0 of the signal's"));
    EXPECT_THROW(gp_of(p), NumericalError);
}

}  // namespace
}  // namespace summand
