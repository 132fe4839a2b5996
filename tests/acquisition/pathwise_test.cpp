// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/pathwise.hpp"

#include "support/small_domain.hpp"
#include "support/small_gp.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand {
namespace {

using test::small_gp;

// Values of independent draws (fresh frequencies each) at some points of group 0, of group 1 and of group 2, one row a draw.
constexpr Index places = 6;
struct Places {
    Matrix pair, single, mixed;
};

Places some_places() {
    Places p{Matrix(2, 2), Matrix(2, 1), Matrix(2, 2)};
    p.pair << 0.2, 0.7, 0.5, 0.4;
    p.single << 0.15, 0.6;
    p.mixed << 0.3, 0.5 / 3, 0.3, 2.5 / 3;
    return p;
}

Matrix draw_values(const AdditiveGp& gp, Index draws) {
    const Places at = some_places();
    Matrix values(draws, places);
    for (Index i = 0; i < draws; ++i) {
        const PathwiseDraws draw(gp, Vector::Ones(1), 32, Rng::from_seed(100).stream("draw", {i}));
        values.row(i) << draw.values(0, at.pair).transpose(), draw.values(1, at.single).transpose(),
            draw.values(2, at.mixed).transpose();
    }
    return values;
}

// The exact posterior of the same six numbers: mean_a = k_aᵀ α, covariance k_ab - k_aᵀ K⁻¹ k_b, where the prior covariance of two
// different groups is 0 and their posterior covariance is not.
void exact_moments(const AdditiveGp& gp, Vector& mean, Matrix& covariance) {
    const Places at = some_places();
    const std::vector<const Matrix*> Z{&at.pair, &at.single, &at.mixed};
    Matrix cross(gp.size(), places);
    covariance = Matrix::Zero(places, places);
    for (Index m = 0; m < 3; ++m) {
        Matrix full = Matrix::Zero(2, 5);
        full(Eigen::all, gp.partition().group(m)) = *Z[static_cast<std::size_t>(m)];
        const auto gram = [&](const Matrix& A, const Matrix& B) {
            return group_gram(gp.family(), gp.partition().group(m), gp.hyperparameters().variance(m),
                              gp.hyperparameters().lengthscale, gp.unordered(), A, B);
        };
        cross.middleCols(2 * m, 2) = gram(gp.inputs(), full);
        covariance.block(2 * m, 2 * m, 2, 2) = gram(full, full);
    }
    mean = cross.transpose() * gp.alpha();
    covariance -= cross.transpose() * gp.solve(cross);
}

// The largest deviation of the draws' moments from the given ones, in their own standard errors (27 comparisons).
double worst_deviation(const Matrix& values, const Vector& mean, const Matrix& covariance) {
    const double root = std::sqrt(static_cast<double>(values.rows()));
    double worst = 0.0;
    const auto compare = [&](const Vector& sample, double expected) {
        const double average = sample.mean(), sd = std::sqrt((sample.array() - average).square().mean());
        worst = std::max(worst, std::abs(average - expected) / (sd / root));
    };
    for (Index a = 0; a < places; ++a) {
        compare(values.col(a), mean(a));
        for (Index b = 0; b <= a; ++b)
            compare((values.col(a).array() - mean(a)) * (values.col(b).array() - mean(b)), covariance(a, b));
    }
    return worst;
}

// 27 comparisons, each beyond 5.5 standard errors with probability 4e-8: a right sampler fails one seed in 10⁶. Over fresh
// frequencies the features' covariance is the kernel's exactly, so no approximation error enters.
constexpr double most_deviation = 5.5;

TEST(PathwiseDraws, HaveTheMomentsOfThePosteriorAcrossGroupsToo) {
    for (const KernelFamily family : {KernelFamily::squared_exponential, KernelFamily::matern52}) {
        const AdditiveGp gp = small_gp(family, 15, 21);
        const Matrix values = draw_values(gp, 6000);
        Vector mean;
        Matrix covariance;
        exact_moments(gp, mean, covariance);
        EXPECT_LT(worst_deviation(values, mean, covariance), most_deviation);

        // Power: groups taken for independent, and the other kernel's spectrum, must fail the same check.
        Matrix independent = covariance;
        for (Index a = 0; a < places; ++a)
            for (Index b = 0; b < places; ++b)
                if (a / 2 != b / 2) independent(a, b) = 0.0;
        EXPECT_GT(worst_deviation(values, mean, independent), most_deviation);
        const auto other =
            family == KernelFamily::matern52 ? KernelFamily::squared_exponential : KernelFamily::matern52;
        exact_moments(small_gp(other, 15, 21), mean, covariance);
        EXPECT_GT(worst_deviation(values, mean, covariance), most_deviation);
    }
}

TEST(PathwiseDraws, TemperedOnesLieBetweenTheMeanAndTheDraw) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 20, 24);
    const Vector t{{0.3, 1.0, 0.7, 0.0}};
    const PathwiseDraws whole(gp, Vector::Ones(3), 64, Rng::from_seed(25)), tempered(gp, t, 64, Rng::from_seed(25));
    Rng rng = Rng::from_seed(26);
    for (Index m = 0; m < gp.partition().group_count(); ++m) {
        const Matrix Z = test::small_domain().group(gp.partition().group(m)).spread(20, rng);
        const Vector mean = gp.group_marginals(m, Z).mean;
        const Matrix values = tempered.values(m, Z), draws = whole.values(m, Z);
        for (Index b = 0; b < 3; ++b)
            EXPECT_LT((values.col(b) - mean - t(b) * (draws.col(b) - mean)).cwiseAbs().maxCoeff(), 1e-10)
                << m << " " << b;
        EXPECT_LT((values.col(3) - mean).cwiseAbs().maxCoeff(), 1e-10);
        for (Index b = 0; b < 4; ++b) {
            const auto at = tempered.gradients(m, Z, std::vector<Index>(20, b));
            EXPECT_LT((at.value - values.col(b)).cwiseAbs().maxCoeff(), 1e-10);
        }
    }
}

TEST(PathwiseDraws, PassThroughTheDataWhenThereIsNoNoise) {
    const AdditiveGp noisy = small_gp(KernelFamily::matern52, 20, 22);
    Hyperparameters exact = noisy.hyperparameters();
    exact.noise_variance = 1e-10;
    const AdditiveGp gp(KernelFamily::matern52, noisy.partition(), exact, noisy.inputs(), noisy.values(),
                        noisy.unordered());
    const PathwiseDraws draws(gp, Vector::Ones(3), 128, Rng::from_seed(23));
    for (Index d = 0; d < 3; ++d) {
        const Vector at_data = DrawSurface(draws, d, {}).values(gp.inputs());
        EXPECT_LT((at_data - gp.values()).cwiseAbs().maxCoeff(), 1e-4);  // noise of standard deviation 1e-5, 20 times
    }
}

TEST(PathwiseDraws, AreTheSameAtAnyThreadCountAndInAnyBlocking) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 20, 24);
    const PathwiseDraws one(gp, Vector::Ones(4), 64, Rng::from_seed(25), 1),
        two(gp, Vector::Ones(4), 64, Rng::from_seed(25), 2);
    Rng rng = Rng::from_seed(26);
    const Matrix Z = test::small_domain().group({3, 4}).spread(600, rng);
    EXPECT_EQ(one.values(2, Z), two.values(2, Z));
    EXPECT_LT((one.values(2, Z.bottomRows(7)) - one.values(2, Z).bottomRows(7)).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace summand
