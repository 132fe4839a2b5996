// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/hedged_model.hpp"

#include "summand/numeric/cholesky.hpp"
#include "summand/optimizer/default/warp.hpp"
#include "summand/space/encoding.hpp"
#include "support/cube.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace summand::optimizer {
namespace {

TEST(Warp, KeepsTheOrderAndTheBestEndAndItsSlopeIsTheDerivative) {
    Vector y(5);
    y << -1000, -30, -3, -0.5, 2;
    const Warp warp = warp_of(0.5, y);
    EXPECT_EQ(warp.best, 2);
    EXPECT_EQ(warp.scale, 5);  // the median, -3, lies 5 below the best
    const Vector w = warp(y);
    for (Index i = 1; i < y.size(); ++i) EXPECT_LT(w(i - 1), w(i));
    EXPECT_EQ(w(4), 2);
    EXPECT_GT(w(0), -30);  // compressed
    double slope = 0;
    const double h = 1e-6;
    for (Index i = 0; i < y.size(); ++i) {
        const Vector up = Vector::Constant(1, y(i) + h), down = Vector::Constant(1, y(i) - h);
        slope += std::log((warp(up)(0) - warp(down)(0)) / (2 * h));
    }
    EXPECT_NEAR(warp.log_slope(y), slope, 1e-6);
    for (Index i = 0; i < y.size(); ++i) {
        EXPECT_NEAR(warp.inverse(w(i)), y(i), 1e-12 * (1 + std::abs(y(i))));
        EXPECT_NEAR(std::log(warp.slope(y(i))), warp.log_slope(y.segment(i, 1)), 1e-12);
    }
    EXPECT_TRUE(std::isfinite(warp.inverse(-1e300)));
}

// What is better than all that the warp was made from is seen as it is: cut off, a value that is far too good would look like one
// that is as good as the best.
TEST(Warp, LeavesBetterValuesAsTheyAre) {
    const Warp warp{.best = 2.0, .scale = 5.0};
    const Vector better{{2.0, 2.5, 1e10}};
    EXPECT_EQ(warp(better), better);
    EXPECT_EQ(warp.log_slope(better), 0.0);
    for (const double y : better) {
        EXPECT_EQ(warp.inverse(y), y);
        EXPECT_EQ(warp.slope(y), 1.0);
    }
}

TEST(Warp, IsAbsentWithoutAShareAndWhereTheBestValueIsCommon) {
    Vector y(4);
    y << 1, 5, 5, 5;
    EXPECT_EQ(warp_of(0.0, y)(y), y);
    EXPECT_EQ(warp_of(0.5, y)(y), y);
}

TEST(HedgedModel, ExpectsWhatWasToldWithoutNoiseWhateverTheWarp) {
    Rng rng = Rng::from_seed(8);
    Matrix X(30, 1);
    Vector y(30);
    for (Index i = 0; i < 30; ++i) X(i, 0) = rng.uniform(), y(i) = -std::exp(6 * std::abs(X(i, 0) - 0.3));
    HedgedModel model{.partition = Partition::single(1), .hyperparameters = {}};
    model.hyperparameters = {
        .lengthscale = Vector::Constant(1, 0.3), .variance = Vector::Constant(1, 10.0), .noise_variance = 1e-8};
    for (const double warp : {0.0, 0.5}) {
        model.warp = warp;
        const Expected expected = model.expected(X, y, {false}, X);
        // Noise of 1e-4 in warped units, a unit of which is at most (best - y + s)/s < 70 of the values' own.
        EXPECT_LT((expected.mean - y).cwiseAbs().maxCoeff(), 70 * 1e-3) << warp;
        EXPECT_LT(expected.stddev.maxCoeff(), 70 * 1e-3) << warp;
        EXPECT_NEAR(expected.noise_stddev, 1e-4, 1e-6) << warp;  // the slope is 1 at the best value
    }
}

Encoding reals(Index dimension) {
    return Encoding(test::cube(static_cast<int>(dimension)));
}

// Values at points of the cube, as a planner would see them.
struct Seen {
    Encoding encoding;
    Options options = resolved({});
    std::optional<Partition> known = {};
    Data data = {};
    Seen(const Matrix& X, const Vector& y) : encoding(reals(X.cols())), data{.X = X, .y = y} {
        for (Index i = 0; i < y.size(); ++i) data.order.push_back(i);
    }
    /// A function of two parameters at random points.
    Seen(Index n, const std::function<double(double, double)>& f) : Seen(Matrix(n, 2), Vector(n)) {
        Rng rng = Rng::from_seed(5);
        for (Index i = 0; i < n; ++i) {
            data.X(i, 0) = rng.uniform();
            data.X(i, 1) = rng.uniform();
            data.y(i) = f(data.X(i, 0), data.X(i, 1));
        }
    }
    Situation situation() const {
        return {.encoding = encoding, .options = options, .known = known, .root = Rng::from_seed(1), .data = data};
    }
    void fit(HedgedModel& model, bool choose) const {
        refit(model, {.X = data.X, .y = data.y}, situation(), choose, Rng::from_seed(2));
    }
    HedgedModel chosen() const {
        HedgedModel model{.partition = Partition::single(2)};
        fit(model, true);
        return model;
    }
};

/// A draw from the process with one group and one lengthscale, at the rows of X.
Vector rough_draw(const Matrix& X, double lengthscale, Rng& rng) {
    const Partition all = Partition::single(X.cols());
    const AdditiveGp prior(KernelFamily::matern52, all, Hyperparameters::isotropic(all, lengthscale, 1.0, 1e-6),
                           Matrix(0, X.cols()), Vector(0));
    Vector z(X.rows());
    for (double& entry : z) entry = rng.normal();
    return factor_with_jitter(X.rows(), [&](Matrix& K) { K = prior.sum_covariance(X); })->factor.times_lower(z);
}

TEST(Refit, ChoosesTheSmoothKernelForASmoothFunctionAndNoWarp) {
    const HedgedModel model = Seen(60, [](double a, double b) { return std::sin(5 * a) + std::cos(4 * b); }).chosen();
    EXPECT_EQ(model.family, KernelFamily::squared_exponential);
    EXPECT_EQ(model.warp, 0.0);
}

TEST(Refit, ChoosesTheRoughKernelForADrawOfIt) {
    Seen seen(80, [](double, double) { return 0.0; });
    Rng rng = Rng::from_seed(6);
    seen.data.y = rough_draw(seen.data.X, 0.3, rng);
    EXPECT_EQ(seen.chosen().family, KernelFamily::matern52);
}

TEST(Refit, WarpsAFunctionThatFallsByOrdersOfMagnitude) {
    const auto explodes = [](double a, double b) { return -std::exp(12 * (a - 0.5) * (a - 0.5) * 4 + 6 * b); };
    EXPECT_GT(Seen(60, explodes).chosen().warp, 0.0);
}

// Why the default has a model whose lengthscales are drawn together: fifty points cannot teach twenty free ones. On eight
// functions of equal lengthscales it foretells better on all, which by chance happens once in 256 times.
TEST(HedgedModel, LengthscalesDrawnTogetherForetellBetterFromFewPoints) {
    constexpr Index dimension = 20, known_points = 50, new_points = 50;
    int wins = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        Rng rng = Rng::from_seed(seed);
        const Matrix X = Matrix::NullaryExpr(known_points + new_points, dimension, [&] { return rng.uniform(); });
        const Vector y = rough_draw(X, 1.5, rng);
        const Seen seen(X.topRows(known_points), y.head(known_points));
        const auto score = [&](const LengthscalePrior& lengthscales) {
            HedgedModel model{.prior = lengthscales, .partition = Partition::single(dimension)};
            seen.fit(model, false);
            model.foretell(seen.data.X, seen.data.y, X.bottomRows(new_points), y.tail(new_points), {}, Tails::normal);
            return model.score.log_density;
        };
        wins += score(PooledLengthscale{.spread = 0.3}) > score(GammaLengthscale{}) ? 1 : 0;
    }
    EXPECT_EQ(wins, 8);
}

// By Simpson's rule, with z = tan u: densities are one over all values.
TEST(PredictiveScore, IsADensityWithNormalOrHeavyTails) {
    constexpr double variance = 2.5;
    constexpr int steps = 2000;
    for (const Tails tails : {Tails::normal, Tails::heavy}) {
        double integral = 0.0;
        for (int i = 1; i < steps; ++i) {
            const double u = std::numbers::pi * (static_cast<double>(i) / steps - 0.5), z = std::tan(u);
            const double slope = std::sqrt(variance) * (1 + z * z);
            integral += (i % 2 == 1 ? 4.0 : 2.0) * std::exp(log_density(z * z, variance, tails)) * slope;
        }
        EXPECT_NEAR(integral * std::numbers::pi / steps / 3, 1.0, 1e-6);
    }
    EXPECT_LT(log_density(400.0, 1.0, Tails::normal), -200.0);  // twenty standard deviations out
    EXPECT_GT(log_density(400.0, 1.0, Tails::heavy), -15.0);
}

// Twenty values that a bold model foretells to 0.1, and one cliff; a timid model says 0 ± 1 every time.
TEST(PredictiveScore, OneCliffOutweighsManyGoodPredictionsUnlessTailsAreHeavy) {
    const auto ahead = [](Tails tails) {
        double bold = 0.0, timid = 0.0;
        for (int i = 0; i < 20; ++i) {
            bold += log_density(1.0, 0.01, tails);
            timid += log_density(std::pow(std::sin(i), 2), 1.0, tails);
        }
        const double cliff = 9.0;  // the squared value
        return bold + log_density(cliff / 0.01, 0.01, tails) - timid - log_density(cliff, 1.0, tails);
    };
    EXPECT_LT(ahead(Tails::normal), 0.0);
    EXPECT_GT(ahead(Tails::heavy), 0.0);
}

TEST(HedgedModel, LeaveOneOutEqualsLeavingOutOne) {
    const Seen seen(25, [](double a, double b) { return std::sin(6 * a) * b; });
    HedgedModel model = seen.chosen();
    model.warp = 0.0;
    model.leave_one_out(seen.data.X, seen.data.y, {}, 25);
    double squared = 0;
    for (Index left = 0; left < 25; ++left) {
        std::vector<Index> rows;
        for (Index i = 0; i < 25; ++i)
            if (i != left) rows.push_back(i);
        const Sample rest = sample_of(seen.data, rows);
        const AdditiveGp gp(model.family, model.partition, model.hyperparameters, rest.X, rest.y);
        const Marginals at = gp.sum_marginals(seen.data.X.row(left));
        squared +=
            std::pow(seen.data.y(left) - at.mean(0), 2) / (at.variance(0) + model.hyperparameters.noise_variance);
    }
    EXPECT_NEAR(model.score.squared_errors, squared, 1e-3 * squared);
}

TEST(HedgedModel, ScoresOfWarpedAndPlainValuesAreDensitiesOfTheSameValues) {
    const Seen seen(20, [](double a, double b) { return a - b * b; });
    HedgedModel model = seen.chosen();
    model.warp = 0.5;
    refit(model, {.X = seen.data.X, .y = seen.data.y}, seen.situation(), false, Rng::from_seed(3));
    Matrix X(1, 2);
    X << 0.3, 0.4;
    const Vector y = Vector::Constant(1, 0.1);
    const Warp warp = warp_of(0.5, seen.data.y);
    const AdditiveGp gp = model.posterior(seen.data.X, seen.data.y, {});
    const Marginals at = gp.sum_marginals(X);
    const double variance = at.variance(0) + gp.hyperparameters().noise_variance, error = warp(y)(0) - at.mean(0);
    const double density = -0.5 * (error * error / variance + std::log(2 * std::numbers::pi * variance));
    model.foretell(seen.data.X, seen.data.y, X, y, {}, Tails::normal);
    EXPECT_NEAR(model.score.log_density, density + warp.log_slope(y), 1e-9);
}

}  // namespace
}  // namespace summand::optimizer
