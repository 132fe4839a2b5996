// SPDX-License-Identifier: Apache-2.0
#include "summand/model/fit.hpp"

#include "model/dense_reference.hpp"
#include "summand/base/error.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/numeric/cholesky.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand {
namespace {

using namespace test;

// One hyperparameter in the gradient's order: log lengthscales, log variances, log noise variance, mean.
Hyperparameters shifted(Hyperparameters h, Index i, double step) {
    const Index D = h.lengthscale.size(), M = h.variance.size();
    if (i < D)
        h.lengthscale[i] *= std::exp(step);
    else if (i < D + M)
        h.variance[i - D] *= std::exp(step);
    else if (i == D + M)
        h.noise_variance *= std::exp(step);
    else
        h.mean += step;
    return h;
}

TEST(LogLikelihoodGradient, EqualsCentralDifferencesOfTheDenseFormula) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 35, 1);
        const LikelihoodGradient found =
            log_likelihood_gradient(family, p.partition, p.hyperparameters, p.X, p.y, p.unordered);
        // yᵀK⁻¹y is about 1e3, so a value is right to n ε cond 1e3 = 2e-7 at worst (1e-10 is seen). Five-point differences
        // with h = 1e-3: truncation h⁴ f⁽⁵⁾/30 with f⁽⁵⁾ below 1e6 is 3e-8, rounding 1e-10 / h = 1e-7.
        EXPECT_NEAR(found.log_likelihood, dense_log_likelihood(p), 2e-7);
        const double h = 1e-3;
        for (Index i = 0; i < found.gradient.size(); ++i) {
            const auto at = [&](double step) {
                Problem moved = p;
                moved.hyperparameters = shifted(p.hyperparameters, i, step);
                return dense_log_likelihood(moved);
            };
            const double difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            EXPECT_NEAR(found.gradient[i], difference, 1e-6) << "entry " << i;
        }
    }
}

TEST(LogLikelihoodGradient, WorksForDuplicatesWhereTheMaternDistanceIsZero) {
    Problem p = mixed_problem(KernelFamily::matern52, 20, 2);
    p.X.bottomRows(10) = p.X.topRows(10);
    EXPECT_TRUE(
        log_likelihood_gradient(p.family, p.partition, p.hyperparameters, p.X, p.y, p.unordered).gradient.allFinite());
}

// y drawn from an additive GP with known hyperparameters.
Problem drawn_problem(Index n, std::uint64_t seed) {
    Problem p{.family = KernelFamily::matern52, .partition = Partition::from_groups({{0, 1}, {2}, {3}}, 4)};
    p.hyperparameters = {.lengthscale = Vector(4), .variance = Vector(3), .noise_variance = 0.04, .mean = 50};
    p.hyperparameters.lengthscale << 0.3, 0.6, 0.2, 0.5;
    p.hyperparameters.variance << 4, 9, 1;
    Rng rng = Rng::from_seed(seed);
    p.X = uniform_points(n, 4, rng.stream("points"));
    p.y = Vector::Zero(n);
    AdditiveGp prior(p.family, p.partition, p.hyperparameters, Matrix(0, 4), Vector(0));
    for (Index i = 0; i < n; ++i) {  // one value after the other, each from its conditional
        const Marginals at = prior.sum_marginals(p.X.row(i));
        p.y[i] = at.mean[0] + std::sqrt(at.variance[0] + p.hyperparameters.noise_variance) * rng.normal();
        prior.append(p.X.row(i), p.y[i]);
    }
    return p;
}

TEST(FitHyperparameters, RecoversTheHyperparametersOfADraw) {
    const Problem p = drawn_problem(250, 3);
    const FitResult fit = fit_hyperparameters(p.partition, p.X, p.y, {}, {}, Rng::from_seed(4));
    EXPECT_GE(fit.log_likelihood, dense_log_likelihood(p) - 8);  // the prior may cost a few nats, no more
    const Vector error = (fit.hyperparameters.lengthscale.array() / p.hyperparameters.lengthscale.array()).log();
    EXPECT_LT(error.cwiseAbs().maxCoeff(), std::log(1.6));
    EXPECT_NEAR(std::log(fit.hyperparameters.noise_variance / 0.04), 0.0, std::log(1.6));
}

TEST(FitHyperparameters, ReportsTheLikelihoodOfWhatItFoundInTheUsersUnits) {
    Problem p = drawn_problem(60, 5);
    const FitResult fit = fit_hyperparameters(p.partition, p.X, p.y, {}, {.starts = 1}, Rng::from_seed(6));
    const AdditiveGp gp(KernelFamily::matern52, p.partition, fit.hyperparameters, p.X, p.y);
    EXPECT_NEAR(gp.log_marginal_likelihood(), fit.log_likelihood, 1e-6);
    EXPECT_GE(fit.evaluations, 2);
    EXPECT_LE(fit.evaluations, 60);
}

TEST(FitHyperparameters, UnitsOfTheValuesDoNotMatter) {
    Problem p = drawn_problem(60, 7);
    const FitResult fit = fit_hyperparameters(p.partition, p.X, p.y, {}, {}, Rng::from_seed(8));
    const Vector scaled = p.y * 1024.0;  // a power of two: the same bits inside
    const FitResult other = fit_hyperparameters(p.partition, p.X, scaled, {}, {}, Rng::from_seed(8));
    EXPECT_EQ(fit.log_posterior, other.log_posterior);
    EXPECT_EQ(fit.hyperparameters.lengthscale, other.hyperparameters.lengthscale);
    EXPECT_DOUBLE_EQ(fit.hyperparameters.mean * 1024, other.hyperparameters.mean);
    EXPECT_DOUBLE_EQ(fit.hyperparameters.noise_variance * 1024 * 1024, other.hyperparameters.noise_variance);
}

TEST(FitHyperparameters, ThreadsDoNotChangeABit) {
    const Problem p = drawn_problem(60, 9);
    FitOptions options{.starts = 4, .max_evaluations = 20};
    const FitResult one = fit_hyperparameters(p.partition, p.X, p.y, {}, options, Rng::from_seed(10));
    options.threads = 2;
    const FitResult two = fit_hyperparameters(p.partition, p.X, p.y, {}, options, Rng::from_seed(10));
    EXPECT_EQ(one.hyperparameters.lengthscale, two.hyperparameters.lengthscale);
    EXPECT_EQ(one.hyperparameters.variance, two.hyperparameters.variance);
    EXPECT_EQ(one.log_posterior, two.log_posterior);
    EXPECT_EQ(one.evaluations, two.evaluations);
}

TEST(FitHyperparameters, AWarmStartIsUsed) {
    const Problem p = drawn_problem(80, 11);
    const FitResult cold =
        fit_hyperparameters(p.partition, p.X, p.y, {}, {.starts = 3, .max_evaluations = 200}, Rng::from_seed(12));
    const FitOptions little{.starts = 1, .max_evaluations = 4};
    const FitResult warm =
        fit_hyperparameters(p.partition, p.X, p.y, {}, little, Rng::from_seed(13), cold.hyperparameters);
    const FitResult without = fit_hyperparameters(p.partition, p.X, p.y, {}, little, Rng::from_seed(13));
    EXPECT_GE(warm.log_posterior, cold.log_posterior - 1e-9);
    EXPECT_LT(without.log_posterior, warm.log_posterior);
}

TEST(FitHyperparameters, IsotropicGivesOneLengthscaleAGroup) {
    const Problem p = drawn_problem(80, 14);
    const FitResult fit = fit_hyperparameters(p.partition, p.X, p.y, {}, {.isotropic = true}, Rng::from_seed(15));
    EXPECT_EQ(fit.hyperparameters.lengthscale[0], fit.hyperparameters.lengthscale[1]);
    EXPECT_NE(fit.hyperparameters.lengthscale[1], fit.hyperparameters.lengthscale[2]);
}

TEST(FitHyperparameters, EveryPriorPullsAsItShould) {
    // Without data the most probable point is the prior's own: gamma (shape - 1)/rate, log-normal its location + log(size)/2.
    const auto partition = Partition::from_groups({{0, 1}, {2}}, 3);
    const auto fit = [&](const LengthscalePrior& prior) {
        return fit_hyperparameters(partition, Matrix(0, 3), Vector(0), {},
                                   {.lengthscale = prior, .max_evaluations = 500}, Rng::from_seed(16))
            .hyperparameters;
    };
    const Hyperparameters gamma = fit(GammaLengthscale{}), normal = fit(LogNormalLengthscale{});
    EXPECT_NEAR(gamma.lengthscale[0], 2.0 / 6, 1e-3);
    EXPECT_NEAR(std::log(normal.lengthscale[0]), -0.09 + 0.5 * std::log(2.0), 2e-3);
    EXPECT_NEAR(std::log(normal.lengthscale[2]), -0.09, 2e-3);
    const Hyperparameters pooled = fit(PooledLengthscale{});  // all at the gamma prior's own
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(pooled.lengthscale[j], 2.0 / 6, 1e-3);
    EXPECT_NEAR(gamma.variance[1], 0.5, 5e-3);
    EXPECT_NEAR(std::log(gamma.noise_variance), -9.21, 5e-3);
}

TEST(FitHyperparameters, PoolingFindsACommonShortLengthscaleThatTheGammaPriorHides) {
    // Eight parameters, each alone with lengthscale 0.1, 60 values: too few to tell one from the next, enough for all.
    const auto partition = Partition::singletons(8);
    Rng rng = Rng::from_seed(31);
    const Matrix X = uniform_points(60, 8, rng.stream("points"));
    const AdditiveGp prior(KernelFamily::squared_exponential, partition,
                           Hyperparameters::isotropic(partition, 0.1, 1.0, 1e-6), Matrix(0, 8), Vector(0));
    const auto factor = factor_with_jitter(60, [&](Matrix& K) { K = prior.sum_covariance(X); });
    Vector z(60);
    for (Index i = 0; i < 60; ++i) z(i) = rng.normal();
    const Vector y = factor->factor.times_lower(z);
    const auto off = [&](const LengthscalePrior& lengthscale) {
        const FitOptions options{.family = KernelFamily::squared_exponential, .lengthscale = lengthscale};
        const Vector found =
            fit_hyperparameters(partition, X, y, {}, options, Rng::from_seed(32)).hyperparameters.lengthscale;
        return std::sqrt((found.array() / 0.1).log().square().mean());
    };
    EXPECT_LT(off(PooledLengthscale{.spread = 0.3}), 0.5 * off(GammaLengthscale{}));
}

TEST(FitHyperparameters, ConstantValuesAndChoicesAreFine) {
    Problem p = mixed_problem(KernelFamily::matern52, 30, 17);
    const FitResult choices = fit_hyperparameters(p.partition, p.X, p.y, p.unordered, {}, Rng::from_seed(18));
    EXPECT_TRUE(choices.hyperparameters.lengthscale.allFinite());
    p.y.setConstant(3);
    const FitResult constant = fit_hyperparameters(p.partition, p.X, p.y, p.unordered, {}, Rng::from_seed(18));
    EXPECT_NEAR(constant.hyperparameters.mean, 3.0, 1e-6);
}

TEST(FitHyperparameters, StopsWhenAskedTo) {
    const Problem p = drawn_problem(30, 19);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(fit_hyperparameters(p.partition, p.X, p.y, {}, {}, Rng::from_seed(20), {}, source.get_token()),
                 Interrupted);
}

TEST(FitHyperparameters, RefusesNaNAndSizesThatDoNotFit) {
    Problem p = mixed_problem(KernelFamily::matern52, 10, 21);
    const Rng rng = Rng::from_seed(22);
    EXPECT_THROW(fit_hyperparameters(p.partition, p.X, Vector::Zero(9), {}, {}, rng), InvalidArgument);
    EXPECT_THROW(fit_hyperparameters(p.partition, p.X, p.y, {true}, {}, rng), InvalidArgument);
    EXPECT_THROW(fit_hyperparameters(p.partition, p.X, p.y, {}, {.starts = 0}, rng), InvalidArgument);
    p.y[2] = std::nan("");
    EXPECT_THROW(fit_hyperparameters(p.partition, p.X, p.y, {}, {}, rng), InvalidArgument);
}

TEST(FitHyperparameters, RefusesPointsWithoutParameters) {
    const Partition none = Partition::singletons(0);
    const Vector y = Vector::LinSpaced(5, 0.0, 1.0);
    EXPECT_THROW(fit_hyperparameters(none, Matrix(5, 0), y, {}, {}, Rng::from_seed(23)), InvalidArgument);
    EXPECT_THROW(log_likelihood_gradient(KernelFamily::matern52, none, {}, Matrix(5, 0), y, {}), InvalidArgument);
    EXPECT_THROW(AdditiveGp(KernelFamily::matern52, none, {}, Matrix(5, 0), y), InvalidArgument);
}

}  // namespace
}  // namespace summand
