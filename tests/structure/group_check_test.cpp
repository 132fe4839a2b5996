// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/group_check.hpp"

#include "structure/additive_draw.hpp"
#include "summand/structure/two_level.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand::structure::group_check_test {
namespace {

constexpr Index D = 6;
const Partition groups = Partition::from_labels({0, 1, 0, 2, 1, 0});
const KernelFamily family = KernelFamily::squared_exponential;

Hyperparameters numbers(const Partition& partition, double lengthscale, double variance, double noise_variance) {
    return Hyperparameters::isotropic(partition, lengthscale, variance, noise_variance);
}

Matrix covariance(const Partition& partition, const Hyperparameters& h, const Matrix& X) {
    Matrix K = h.noise_variance * Matrix::Identity(X.rows(), X.rows());
    for (Index m = 0; m < partition.group_count(); ++m)
        K += group_gram(family, partition.group(m), h.variance(m), h.lengthscale, {}, X, X);
    return K;
}

double log_density(const Matrix& K, const Vector& y) {
    const Cholesky L = Cholesky::try_factor(K).value();
    return -0.5 * (y.dot(L.solve(y)) + L.log_determinant());
}

Matrix centred_kernel(Index j, const Hyperparameters& h, const Matrix& X) {
    const Matrix H = Matrix::Identity(X.rows(), X.rows()) - Matrix::Constant(X.rows(), X.rows(), 1.0 / X.rows());
    return H * group_gram(family, {j}, 1.0, h.lengthscale, {}, X, X) * H;
}

// On two-level points of one block a centred kernel has rank one, so nothing is left out by taking leading modes.
TEST(GroupCheck, TheOddsAreThoseOfTheDenseFormula) {
    const Matrix X = two_level_design(Rng::from_seed(3), D, 30);
    const Vector y = test::additive_draw(Rng::from_seed(4), X, groups, 0.4, 1.0, 0.3);
    const Hyperparameters h = numbers(groups, 0.4, 1.0, 0.09);
    const GroupCheck check = check_groups(family, groups, h, {}, X, y);
    const Matrix K = covariance(groups, h, X), inverse = Cholesky::try_factor(K).value().inverse();
    const Vector alpha = inverse * y;
    const auto strength = [&](Index m) {  // 1 is the variance of every group
        const Matrix part = group_gram(family, groups.group(m), 1.0, h.lengthscale, {}, X, X);
        return alpha.dot(part * alpha) / (inverse * part).trace();
    };
    for (Index a = 0; a < groups.group_count(); ++a)
        for (Index b = 0; b < a; ++b) {
            Matrix joint = Matrix::Zero(X.rows(), X.rows());
            for (const Index i : groups.group(a))
                for (const Index j : groups.group(b))
                    joint += centred_kernel(i, h, X).cwiseProduct(centred_kernel(j, h, X));
            double ratio = 0;
            for (const double w : {1.0, 0.3})
                ratio += 0.5 * std::exp(log_density(K + w * std::sqrt(strength(a) * strength(b)) * joint, y) -
                                        log_density(K, y));
            // One pair of groups for each size: of three parameters one group was found, so the most that is allowed; of four
            // and five none was, so an eighth and a sixteenth.
            const auto together = std::ssize(groups.group(a)) + std::ssize(groups.group(b));
            const double prior = together == 3 ? 0.5 : together == 4 ? 0.125 : 0.0625;
            EXPECT_NEAR(check.merge_odds(a, b) / (prior * ratio), 1.0, 1e-6);
        }
}

TEST(GroupCheck, ResidualsAreThoseOfLeavingEachValueOut) {
    const Matrix X = test::uniform_points(Rng::from_seed(5), 25, D);
    const Vector y = test::additive_draw(Rng::from_seed(6), X, groups, 0.4, 1.0, 0.3);
    const Hyperparameters h = numbers(groups, 0.4, 1.0, 0.09);
    const GroupCheck check = check_groups(family, groups, h, {}, X, y);
    const Matrix K = covariance(groups, h, X);
    for (Index i = 0; i < X.rows(); ++i) {
        std::vector<Index> rest;
        for (Index k = 0; k < X.rows(); ++k)
            if (k != i) rest.push_back(k);
        const Cholesky L = Cholesky::try_factor(K(rest, rest)).value();
        const Vector k = K(rest, i);
        const double mean = k.dot(L.solve(Vector(y(rest)))), variance = K(i, i) - k.dot(L.solve(k));
        EXPECT_NEAR(check.left_out_residual(i), y(i) - mean, 1e-8);
        EXPECT_NEAR(check.left_out_stddev(i), std::sqrt(variance), 1e-8);
    }
}

TEST(GroupCheck, ShowsAnInteractionThatTheGroupsLeaveOutAndNoneIfTheyAreRight) {
    const Matrix X = test::uniform_points(Rng::from_seed(16), 150, D);
    const Vector y = test::additive_draw(Rng::from_seed(17), X, groups, 0.4, 0.3, 0.05);
    const GroupCheck right = check_groups(family, groups, numbers(groups, 0.4, 0.3, 0.0025), {}, X, y);
    EXPECT_LT(right.merge_odds.maxCoeff(), 1e-3);
    EXPECT_GT(right.none_missing, 0.9);
    EXPECT_LT(right.smallest_noticed, 0.01);
    const Partition split = Partition::from_labels({0, 1, 0, 2, 3, 0});  // 1 and 4 belong together
    const GroupCheck wrong = check_groups(family, split, numbers(split, 0.4, 0.3, 0.0025), {}, X, y);
    EXPECT_GT(wrong.merge_odds(1, 3), 1e6);
    EXPECT_EQ(wrong.merge_odds(1, 3), wrong.merge_odds(3, 1));
    EXPECT_LT(wrong.none_missing, 1e-6);
}

TEST(GroupCheck, TheMostProbableMergeIsOneThatIsAllowed) {
    const Partition partition = Partition::from_labels({0, 1, 2, 2, 3});
    GroupCheck check{.merge_odds = Matrix::Zero(4, 4)};
    const auto set_odds = [&](Index a, Index b, double odds) {
        check.merge_odds(a, b) = check.merge_odds(b, a) = odds;
    };
    EXPECT_EQ(most_probable_merge(check, partition, 0.0, 5), std::nullopt);
    set_odds(0, 1, 2.0);
    set_odds(0, 3, 3.0);
    set_odds(1, 2, 9.0);
    EXPECT_EQ(most_probable_merge(check, partition, 1.0, 5), partition.merged(1, 2));
    EXPECT_EQ(most_probable_merge(check, partition, 1.0, 2), partition.merged(0, 3));
    EXPECT_EQ(most_probable_merge(check, partition, 3.0, 2), std::nullopt);
    EXPECT_EQ(most_probable_merge(check, partition, 1.0, 1), std::nullopt);
}

// The probability is a statement about many functions: among those it calls p right, a share p is. Drawn from the prior that
// it states (two parameters joined by odds of one to two), with noise that hides some interactions.
TEST(GroupCheck, AmongFunctionsTheStatedOddsAreRight) {
    const Partition apart = Partition::singletons(2);
    const Hyperparameters h = numbers(apart, 0.7, 1.0, 0.05);
    double expected = 0, seen = 0, spread = 0;
    for (int function = 0; function < 400; ++function) {
        Rng rng = Rng::from_seed(static_cast<unsigned>(function)).stream("odds");
        const Matrix X = two_level_design(rng.stream("points"), 2, 4);
        const bool interacts = rng.uniform() < 1.0 / 3.0;
        // Main effects and, for a third of the functions, the interaction of the model with weight 1 or 0.3.
        Matrix K = covariance(apart, h, X);
        if (interacts) K += (rng.coin() ? 1.0 : 0.3) * centred_kernel(0, h, X).cwiseProduct(centred_kernel(1, h, X));
        Vector white(4);
        for (double& value : white) value = rng.normal();
        const Vector y = Cholesky::try_factor(K).value().times_lower(white);
        const double p = check_groups(family, apart, h, {}, X, y).merge_probability(0, 1);
        expected += p;
        spread += p * (1 - p);
        seen += interacts;
    }
    // A calibrated probability stays within 4.9 standard deviations but for one seed in 10⁶; a quarter of it would not.
    EXPECT_LT(std::abs(seen - expected), 4.9 * std::sqrt(spread));
    EXPECT_GT(std::abs(seen - expected / 4), 4.9 * std::sqrt(spread));
}

}  // namespace
}  // namespace summand::structure::group_check_test
