// SPDX-License-Identifier: Apache-2.0
// Values and points that no sane model expects: the answer may be "not known", never a crash, NaN or a silent guess.
#include "structure/additive_draw.hpp"
#include "structure/given.hpp"
#include "summand/base/error.hpp"
#include "summand/structure/gram_evidence.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand::structure {
namespace {

const Learner quick_annealed = AnnealedChains{.chains = 2, .max_sweeps = 10, .samples = 3};
const Learner quick_gibbs = Gibbs{.sweeps = 6, .burn_in = 3};

// Two pairs of four parameters.
Vector two_pairs(const Matrix& X) {
    return (3 * X.col(0).array() * X.col(1).array()).sin() + (4 * X.col(2).array() * X.col(3).array()).cos();
}
const Partition pairs = Partition::from_labels({0, 0, 1, 1});

void expect_usable(const StructurePosterior& posterior) {
    EXPECT_FALSE(std::isnan(posterior.log_likelihood));
    EXPECT_TRUE(posterior.pair_probability.allFinite());
    EXPECT_FALSE(std::isnan(posterior.noise_share));
    EXPECT_TRUE(std::isfinite(posterior.hyperparameters.variance));
    EXPECT_TRUE(std::isfinite(posterior.hyperparameters.noise_variance));
    EXPECT_TRUE(std::isfinite(posterior.hyperparameters.mean));
}

TEST(AbsurdValues, PointsGivenTwiceWithNextToNoNoise) {
    const Matrix half = test::uniform_points(Rng::from_seed(1), 30, 5);
    Matrix X(60, 5);
    X << half, half;
    Vector y = test::additive_draw(Rng::from_seed(2), half, Partition::singletons(5), 0.3, 1.0, 0.1).replicate(2, 1);
    for (const Learner& learner : {quick_gibbs, quick_annealed})
        expect_usable(learn_structure(X, y, learner, Rng::from_seed(3), given(0.1, 5.0, 1e-15)));
    // The same points with values that differ: no model without noise can have made them.
    y.tail(30).array() += 1.0;
    for (const Learner& learner : {quick_gibbs, quick_annealed})
        expect_usable(learn_structure(X, y, learner, Rng::from_seed(3), given(0.1, 5.0, 1e-15)));
}

// A sum over the groups of f_m(x) = Σ_i w_i exp(-|x - c_i|²/2l²), without noise: a function of the model itself.
Vector noiseless(const Matrix& X, const Partition& partition, double lengthscale, Rng rng) {
    constexpr Index centres = 6;
    Vector y = Vector::Zero(X.rows());
    for (const auto& group : partition.groups()) {
        const Matrix C = test::uniform_points(rng.stream("centres", {group.front()}), centres, X.cols());
        Vector weight(centres);
        for (double& w : weight) w = rng.normal();
        y += group_gram(KernelFamily::squared_exponential, group, 1.0, Vector::Constant(X.cols(), lengthscale), {}, X,
                        C) *
             weight;
    }
    return y;
}

// Every candidate is judged with the same least noise. Were those refused whose covariance is numerically singular, the
// richest one, a single group of all, would be the last to stand.
TEST(AbsurdValues, NoiseBelowPrecisionDoesNotMergeWhatDoesNotBelongTogether) {
    const Matrix X = test::uniform_points(Rng::from_seed(4), 60, 4);
    const Vector y = noiseless(X, pairs, 3.0, Rng::from_seed(5));
    const LearnOptions options = given(3.0, 5.0, 1e-14);
    const auto posterior = learn_structure(X, y, quick_annealed, Rng::from_seed(6), options);
    EXPECT_EQ(posterior.best, pairs) << to_text(posterior.best);
    for (const Partition& other : {Partition::single(4), Partition::singletons(4)}) {
        const double likelihood = learn_structure(X, y, Known{other}, Rng::from_seed(6), options).log_likelihood;
        EXPECT_TRUE(std::isfinite(likelihood));
        EXPECT_LT(likelihood, posterior.log_likelihood);
    }
}

TEST(AbsurdValues, NoCovarianceIsRefusedHoweverLittleNoiseIsGiven) {
    for (const double lengthscale : {0.1, 1.0, 3.0, 10.0, 1e6}) {
        Matrix X = test::uniform_points(Rng::from_seed(6), 100, 6);
        X.bottomRows(50) = X.topRows(50);
        const Vector y = test::additive_draw(Rng::from_seed(7), X, Partition::singletons(6), 0.3, 1.0, 0.1);
        GramEvidence evidence(KernelFamily::squared_exponential, X, y, {}, 6,
                              {Vector::Constant(6, lengthscale), 1.0, 1e-100}, 1);
        for (const Partition& partition : {Partition::single(6), Partition::singletons(6)})
            EXPECT_TRUE(std::isfinite(evidence.log_likelihood(Assignment(partition, 6)))) << lengthscale;
    }
}

TEST(AbsurdValues, TheGroupsDoNotDependOnTheUnitsOfTheValues) {
    const Matrix general = test::uniform_points(Rng::from_seed(8), 60, 4);
    const Matrix two_level = two_level_design(Rng::from_seed(9), 4, 40);
    for (const Matrix& X : {general, two_level}) {
        const Vector y = two_pairs(X);
        const auto ordinary = learn_structure(X, y, quick_annealed, Rng::from_seed(10));
        // Powers of two next to 1e-300, 1e-170, 1e160 and 1e300.
        for (const int exponent : {-997, -565, 532, 997}) {
            const double unit = std::ldexp(1.0, exponent);
            const auto posterior = learn_structure(X, y * unit, quick_annealed, Rng::from_seed(10));
            expect_usable(posterior);
            EXPECT_EQ(posterior.samples, ordinary.samples) << exponent;
            EXPECT_EQ(posterior.pair_probability, ordinary.pair_probability);
            EXPECT_EQ(posterior.verdict_text, ordinary.verdict_text);
            EXPECT_NEAR(posterior.log_likelihood,
                        ordinary.log_likelihood - static_cast<double>(ordinary.points_used) * std::log(unit), 1e-6);
        }
        expect_usable(learn_structure(X, y * 1e-170, quick_gibbs, Rng::from_seed(10), given(0.1, 5.0, 1e-4)));
        expect_usable(learn_structure(X, y * 1e160, quick_gibbs, Rng::from_seed(10), given(0.1, 5.0, 1e-4)));
    }
}

TEST(AbsurdValues, HyperparametersAreInTheUsersUnitsAsFarAsNumbersReach) {
    const Matrix X = test::uniform_points(Rng::from_seed(8), 40, 4);
    LearnOptions options;
    options.hyperparameters = LearnedHyperparameters{.per_dimension = true};
    const auto ordinary = learn_structure(X, two_pairs(X), quick_annealed, Rng::from_seed(1), options);
    const double unit = std::ldexp(1.0, 300);
    const auto scaled = learn_structure(X, two_pairs(X) * unit, quick_annealed, Rng::from_seed(1), options);
    EXPECT_DOUBLE_EQ(scaled.hyperparameters.variance, ordinary.hyperparameters.variance * unit * unit);
    EXPECT_DOUBLE_EQ(scaled.hyperparameters.mean, ordinary.hyperparameters.mean * unit);
    EXPECT_DOUBLE_EQ(scaled.fitted->variance(0), ordinary.fitted->variance(0) * unit * unit);
    const auto beyond =
        learn_structure(X, two_pairs(X) * std::ldexp(1.0, 900), quick_annealed, Rng::from_seed(1), options);
    EXPECT_EQ(beyond.hyperparameters.variance, std::numeric_limits<double>::max());
}

TEST(AbsurdValues, OneHugeValueAndFewPoints) {
    for (const double huge : {1e160, 1e300, -1e300, 1.7e308}) {
        const Matrix X = test::uniform_points(Rng::from_seed(11), 30, 4);
        Vector y = two_pairs(X);
        y(7) = huge;
        for (const Learner& learner : {quick_gibbs, quick_annealed})
            expect_usable(learn_structure(X, y, learner, Rng::from_seed(12)));
        for (const Index points : {2, 3, 4, 5})
            expect_usable(
                learn_structure(X.topRows(points + 5), y.head(points + 5), quick_annealed, Rng::from_seed(12)));
        expect_usable(learn_structure(X.middleRows(6, 2), y.segment(6, 2), quick_annealed, Rng::from_seed(12)));
    }
}

// The points on two levels are learned from alone; what they have seen underflows beside the others.
TEST(AbsurdValues, ValuesThatAreNothingBesideOthers) {
    Matrix X = two_level_design(Rng::from_seed(14), 2, 20);
    X.row(3) << 0.4, 0.3;
    X.row(4) << 0.1, 0.9;
    Vector y = 1e-200 * X.rowwise().sum();
    y(3) = 1;
    y(4) = -1;
    expect_usable(learn_structure(X, y, quick_annealed, Rng::from_seed(15)));
}

TEST(AbsurdValues, HyperparametersAndPointsOutsideOfTheRangeOfArithmeticAreRefused) {
    const Matrix X = test::uniform_points(Rng::from_seed(13), 20, 3);
    const Vector y = X.rowwise().sum();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const LearnOptions& options : {given(1e-300, 1, 1e-4), given(infinity, 1, 1e-4), given(0.1, 1e200, 1e-4),
                                        given(0.1, infinity, 1e-4), given(0.1, 1, 0.0), given(0.1, 1, 1e-200)})
        EXPECT_THROW(learn_structure(X, y, quick_gibbs, Rng::from_seed(1), options), InvalidArgument);
    EXPECT_THROW(learn_structure(X * 1e300, y, quick_gibbs, Rng::from_seed(1)), InvalidArgument);
    expect_usable(learn_structure(X * 1e90, y, quick_gibbs, Rng::from_seed(1)));
}

TEST(AbsurdValues, APriorWithFewerLabelsThanAGivenPartitionHasGroupsIsRefused) {
    const Matrix X = test::uniform_points(Rng::from_seed(13), 20, 3);
    const Vector y = X.rowwise().sum();
    LearnOptions options;
    options.max_group_size = 3;
    options.prior.family = DirichletMultinomial{.labels = 2};
    const Partition singletons = Partition::singletons(3);
    for (const Learner& learner : {Learner(Full{}), Learner(Known{singletons})})
        EXPECT_THROW(learn_structure(X, y, learner, Rng::from_seed(1), options), InvalidArgument);
    for (const Learner& learner : {quick_gibbs, quick_annealed, Learner(None{}), Learner(BestOfRandom{})})
        expect_usable(learn_structure(X, y, learner, Rng::from_seed(1), options));
    options.warm_start = {singletons};
    for (const Learner& learner : {quick_gibbs, quick_annealed})
        EXPECT_THROW(learn_structure(X, y, learner, Rng::from_seed(1), options), InvalidArgument);
    options = {};
    options.prior.family = DirichletMultinomial{.labels = 2'000'000'000};
    EXPECT_THROW(learn_structure(X, y, quick_gibbs, Rng::from_seed(1), options), InvalidArgument);
    EXPECT_THROW(learn_structure(X, y, BestOfRandom{.candidates = 2'000'000'000}, Rng::from_seed(1)), InvalidArgument);
}

}  // namespace
}  // namespace summand::structure
