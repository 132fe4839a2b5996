// SPDX-License-Identifier: Apache-2.0
// Every posterior quantity against the dense formulas. Thresholds: the covariance of mixed_problem has a condition number
// below 6e2 n (n = 40: 2.4e4), so a backward stable solve is right to about n ε cond = 2e-10 of the values' size (< 10).
#include "model/dense_reference.hpp"
#include "summand/model/additive_gp.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

using namespace test;

Matrix group_points(const Problem& p, Index m, Index count, std::uint64_t seed) {
    Matrix Z = uniform_points(count, static_cast<Index>(p.partition.group(m).size()), Rng::from_seed(seed));
    if (m == 2) Z.col(2) = ((3 * Z.col(2).array()).floor() + 0.5) / 3;
    return Z;
}

TEST(Posterior, GroupMarginalsAndCovariancesEqualTheDenseFormulas) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 1);
        const AdditiveGp gp = gp_of(p);
        const Matrix inverse = dense_covariance(p).inverse();
        const Vector residual = p.y.array() - p.hyperparameters.mean;
        for (Index m = 0; m < 3; ++m) {
            const Matrix Z = group_points(p, m, 9, 2), Z2 = group_points(p, m, 5, 3);
            const Matrix A = spread(p, m, Z), B = spread(p, m, Z2);
            const Matrix k = dense_gram(p, m, p.X, A), k2 = dense_gram(p, m, p.X, B);
            const Matrix covariance = dense_gram(p, m, A, A) - k.transpose() * inverse * k;
            const Marginals marginals = gp.group_marginals(m, Z);
            EXPECT_LT(largest_difference(marginals.mean, k.transpose() * inverse * residual), tolerance);
            EXPECT_LT(largest_difference(marginals.variance, covariance.diagonal()), tolerance);
            EXPECT_LT(largest_difference(gp.group_covariance(m, Z), covariance), tolerance);
            EXPECT_LT(largest_difference(gp.group_cross_covariance(m, Z, Z2),
                                         dense_gram(p, m, A, B) - k.transpose() * inverse * k2),
                      tolerance);
        }
    }
}

TEST(Posterior, TheSumEqualsTheDenseFormulas) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 4);
        const AdditiveGp gp = gp_of(p);
        const Matrix inverse = dense_covariance(p).inverse();
        const Vector residual = p.y.array() - p.hyperparameters.mean;
        const Matrix T = mixed_problem(family, 11, 5).X, k = dense_sum_gram(p, p.X, T);
        const Matrix covariance = dense_sum_gram(p, T, T) - k.transpose() * inverse * k;
        const Vector mean = (k.transpose() * inverse * residual).array() + p.hyperparameters.mean;
        EXPECT_LT(largest_difference(gp.sum_marginals(T).mean, mean), tolerance);
        EXPECT_LT(largest_difference(gp.sum_marginals(T).variance, covariance.diagonal()), tolerance);
        EXPECT_LT(largest_difference(gp.sum_covariance(T), covariance), tolerance);
        EXPECT_LT(largest_difference(gp.alpha(), inverse * residual), 100 * tolerance);  // alpha grows like 1/noise
        EXPECT_LT(largest_difference(gp.solve(k), inverse * k), 100 * tolerance);
    }
}

TEST(Posterior, GroupMeansAddUpToTheMeanButGroupVariancesDoNotAddUpToTheVariance) {
    const Problem p = mixed_problem(KernelFamily::matern52, 40, 6);
    const AdditiveGp gp = gp_of(p);
    const Matrix T = mixed_problem(p.family, 20, 7).X;
    Vector mean = Vector::Constant(20, p.hyperparameters.mean), variance = Vector::Zero(20);
    for (Index m = 0; m < 3; ++m) {
        Matrix Z(20, static_cast<Index>(p.partition.group(m).size()));
        for (Index j = 0; j < Z.cols(); ++j) Z.col(j) = T.col(p.partition.group(m)[static_cast<std::size_t>(j)]);
        mean += gp.group_marginals(m, Z).mean;
        variance += gp.group_marginals(m, Z).variance;
    }
    EXPECT_LT(largest_difference(mean, gp.sum_marginals(T).mean), tolerance);
    EXPECT_LT(largest_difference(variance, gp.sum_of_group_variances(T)), tolerance);
    EXPECT_GT(largest_difference(variance, gp.sum_marginals(T).variance), 0.1);
}

TEST(Posterior, BlocksOfManyPointsGiveWhatSinglePointsGive) {
    const Problem p = mixed_problem(KernelFamily::matern52, 30, 8);
    const AdditiveGp gp = gp_of(p);
    const Matrix Z = group_points(p, 2, 1200, 9);
    const Marginals all = gp.group_marginals(2, Z);
    for (const Index i : {0, 1, 255, 256, 511, 512, 1023, 1199}) {
        const Marginals one = gp.group_marginals(2, Z.row(i));
        EXPECT_NEAR(all.mean[i], one.mean[0], tolerance);
        EXPECT_NEAR(all.variance[i], one.variance[0], tolerance);
    }
}

// Central differences with h = 1e-5: truncation h² f'''/6 with f''' < 1e3 (lengthscales >= 0.2) is 2e-8, rounding
// 1e-10 / h = 1e-5 at the condition number above; observed errors of solves are far below the bound.
constexpr double step = 1e-5, difference_tolerance = 1e-5;

TEST(Posterior, GroupGradientsEqualCentralDifferences) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 10);
        const AdditiveGp gp = gp_of(p);
        for (Index m = 0; m < 3; ++m) {
            const Vector z = group_points(p, m, 1, 11).row(0);
            const MarginalGradient found = gp.group_gradient(m, z);
            EXPECT_NEAR(found.mean, gp.group_marginals(m, z.transpose()).mean[0], tolerance);
            EXPECT_NEAR(found.variance, gp.group_marginals(m, z.transpose()).variance[0], tolerance);
            for (Index j = 0; j < z.size(); ++j) {
                Matrix ends = z.transpose().replicate(2, 1);
                ends(0, j) += step;
                ends(1, j) -= step;
                const Marginals at = gp.group_marginals(m, ends);
                const bool choice = m == 2 && j == 2;
                const double mean_slope = choice ? 0 : (at.mean[0] - at.mean[1]) / (2 * step);
                const double variance_slope = choice ? 0 : (at.variance[0] - at.variance[1]) / (2 * step);
                EXPECT_NEAR(found.mean_gradient[j], mean_slope, difference_tolerance);
                EXPECT_NEAR(found.variance_gradient[j], variance_slope, difference_tolerance);
            }
        }
    }
}

TEST(Posterior, SumGradientsEqualCentralDifferences) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 12);
        const AdditiveGp gp = gp_of(p);
        const Vector x = mixed_problem(family, 1, 13).X.row(0);
        const MarginalGradient found = gp.sum_gradient(x);
        EXPECT_NEAR(found.mean, gp.sum_marginals(x.transpose()).mean[0], tolerance);
        EXPECT_NEAR(found.variance, gp.sum_marginals(x.transpose()).variance[0], tolerance);
        for (Index j = 0; j < 5; ++j) {
            Matrix ends = x.transpose().replicate(2, 1);
            ends(0, j) += step;
            ends(1, j) -= step;
            const Marginals at = gp.sum_marginals(ends);
            EXPECT_NEAR(found.mean_gradient[j], (at.mean[0] - at.mean[1]) / (2 * step), difference_tolerance);
            EXPECT_NEAR(found.variance_gradient[j], (at.variance[0] - at.variance[1]) / (2 * step),
                        difference_tolerance);
        }
        EXPECT_EQ(found.mean_gradient[5], 0.0);
    }
}

TEST(Posterior, GradientAtATrainingPointIsFinite) {
    const Problem p = mixed_problem(KernelFamily::matern52, 20, 14);
    const MarginalGradient found = gp_of(p).sum_gradient(p.X.row(4));
    EXPECT_TRUE(found.mean_gradient.allFinite() && found.variance_gradient.allFinite());
}

}  // namespace
}  // namespace summand
