// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/learner.hpp"

#include "structure/additive_draw.hpp"
#include "structure/given.hpp"
#include "summand/base/error.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/structure/summary.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace summand::structure {
namespace {

const Partition truth20 = Partition::from_labels({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 0, 1, 2, 5, 6});

struct Data {
    Matrix X = {};
    Vector y = {};
};
Data two_level_data(int seed, Index points, double noise = 0.01) {
    const Rng rng = Rng::from_seed(static_cast<unsigned>(seed));
    Data data{two_level_design(rng.stream("points"), 20, points), {}};
    data.y = test::additive_draw(rng.stream("values"), data.X, truth20, 0.1, 5.0, noise);
    return data;
}
Data small_data(int seed = 1) {
    const Rng rng = Rng::from_seed(static_cast<unsigned>(seed));
    Data data{test::uniform_points(rng.stream("points"), 60, 4), {}};
    data.y = test::additive_draw(rng.stream("values"), data.X, Partition::from_labels({0, 1, 0, 1}), 0.3, 2.0, 0.05);
    return data;
}
TEST(AnnealedChains, FindsTwentyParametersFromSeventyTwoLevelPointsWithNothingGiven) {
    int right = 0;
    for (int seed = 0; seed < 5; ++seed) {
        const Data data = two_level_data(seed, 70);
        const auto posterior = learn_structure(data.X, data.y, AnnealedChains{}, Rng::from_seed(1));
        right += posterior.best == truth20;
        EXPECT_GT(compare(posterior.consensus, truth20).together, 0.8);
        EXPECT_TRUE(posterior.two_level);
        // A pair whose interaction is nearly nothing at the two levels cannot be seen; one that is found must be real.
        EXPECT_TRUE(posterior.verdict != Verdict::structure_found || compare(posterior.best, truth20).precision == 1.0)
            << to_text(posterior.best);
    }
    EXPECT_GE(right, 4);
}

TEST(AnnealedChains, OfNoisyTwoLevelSamplesTheBestIsTheLikeliestAsAnAdditiveGaussianProcess) {
    // 32, 100: the most probable sample in Walsh form is 3 and 6 nats below the likeliest. 137: hyperparameters polished for
    // the most frequent sample hide a pair that is worth 70 nats at those of the draw.
    for (const int seed : {0, 1, 32, 100, 137}) {
        const Data data = two_level_data(seed, 250, 0.7);
        const auto posterior = learn_structure(data.X, data.y, AnnealedChains{}, Rng::from_seed(1));
        const auto likelihood = [&](const Partition& partition) {
            return learn_structure(data.X, data.y, Known{partition}, Rng::from_seed(1), given(0.1, 5.0, 0.49))
                .log_likelihood;
        };
        // One nat: the hyperparameters are learned, not those of the draw.
        for (const auto& entry : posterior.partitions)
            EXPECT_GE(likelihood(posterior.best), likelihood(entry.partition) - 1.0) << seed;
    }
}

// Squared distance of stated pair probabilities from the truth, summed over pairs: smaller for what is nearer and better stated.
double brier_score(const std::vector<WeightedPartition>& partitions, const Partition& truth) {
    return 0.5 * (pair_probability(partitions) - pair_probability({{truth, 1.0, 0.0}})).squaredNorm();
}

// The Walsh form samples; how much of the posterior each sample holds, the additive process says better than their numbers.
TEST(AnnealedChains, WeightsOfNoisyTwoLevelSamplesAreNearerTheTruthThanTheirShares) {
    double weights = 0, shares = 0;
    for (int seed = 300; seed < 320; ++seed) {
        const Data data = two_level_data(seed, 200, 1.0);
        const auto posterior = learn_structure(data.X, data.y, AnnealedChains{}, Rng::from_seed(1));
        std::vector<WeightedPartition> counted;
        for (const Partition& sample : posterior.samples)
            counted.push_back({sample, 1.0 / static_cast<double>(posterior.samples.size()), 0.0});
        weights += brier_score(posterior.partitions, truth20);
        shares += brier_score(counted, truth20);
        double sum = 0, before = 1;
        for (const auto& entry : posterior.partitions) {
            EXPECT_LE(entry.weight, before);
            before = entry.weight;
            sum += entry.weight;
        }
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    EXPECT_LT(weights, 0.9 * shares) << weights << " " << shares;
}

// Groups of very different strength: the samplers have one variance for all, under which weak pairs count for nothing.
TEST(AnnealedChains, WeakPairsThatNoSampleJoinsAreFoundByTheCheck) {
    const Partition truth = Partition::from_labels({0, 0, 1, 1, 2, 2, 3, 3});
    int exact = 0, seen_by_none = 0;
    for (int seed = 0; seed < 20; ++seed) {
        const Rng rng = Rng::from_seed(static_cast<unsigned>(seed));
        const Matrix X = test::uniform_points(rng.stream("points"), 140, 8);
        Vector y = Vector::Zero(X.rows());
        Rng waves = rng.stream("waves");
        for (const auto& group : truth.groups()) {
            Vector phase = Vector::Constant(X.rows(), waves.uniform(0.0, 6.0));
            for (const Index j : group) phase += X.col(j) * waves.uniform(1.0, 3.0);
            y += std::pow(10.0, -static_cast<double>(group.front()) / 2.0) * phase.array().cos().matrix();
        }
        const auto posterior = learn_structure(X, y, AnnealedChains{}, Rng::from_seed(1));
        exact += posterior.best == truth;
        seen_by_none += posterior.best == truth &&
                        std::find(posterior.samples.begin(), posterior.samples.end(), truth) == posterior.samples.end();
        EXPECT_EQ(posterior.partitions.front().partition, posterior.best);
    }
    EXPECT_GE(exact, 10);
    EXPECT_GE(seen_by_none, 6);  // 0 if best is one of the samples
}

TEST(AnnealedChains, ResultsAreBitEqualForOneAndTwoThreads) {
    const Data walsh = two_level_data(3, 60), gram = small_data();
    for (const Data* data : {&walsh, &gram}) {
        LearnOptions one, two;
        one.threads = 1;
        two.threads = 2;
        const auto a = learn_structure(data->X, data->y, AnnealedChains{.max_sweeps = 15}, Rng::from_seed(2), one);
        const auto b = learn_structure(data->X, data->y, AnnealedChains{.max_sweeps = 15}, Rng::from_seed(2), two);
        EXPECT_EQ(a.samples, b.samples);
        EXPECT_EQ(a.log_likelihood, b.log_likelihood);
        EXPECT_EQ(a.pair_probability, b.pair_probability);
        EXPECT_EQ(a.factorisations, b.factorisations);
        EXPECT_EQ(a.verdict_text, b.verdict_text);
    }
}

TEST(AnnealedChains, LearnsFromTheTwoLevelPointsAmongOthers) {
    const Data part = two_level_data(4, 80);
    Matrix X(110, 20);
    X << part.X, test::uniform_points(Rng::from_seed(9), 30, 20);
    Vector y(110);
    y << part.y, Vector::LinSpaced(30, -5, 5);
    const auto posterior = learn_structure(X, y, AnnealedChains{}, Rng::from_seed(1));
    EXPECT_TRUE(posterior.two_level);
    EXPECT_EQ(posterior.points_used, 80);
    EXPECT_GT(compare(posterior.best, truth20).together, 0.8);
}

TEST(AnnealedChains, OnGeneralPointsRecoversTheGroupsWithGivenAndWithLearnedHyperparameters) {
    const Data data = small_data();
    for (const LearnOptions& options : {given(0.3, 2.0, 0.0025), LearnOptions{}}) {
        const auto posterior =
            learn_structure(data.X, data.y, AnnealedChains{.samples = 5}, Rng::from_seed(3), options);
        EXPECT_EQ(posterior.best, Partition::from_labels({0, 1, 0, 1}));
        EXPECT_FALSE(posterior.two_level);
    }
}

TEST(AnnealedChains, TwoLevelPointsWithGivenHyperparametersAreSampledFromTheGivenModel) {
    const Data data = two_level_data(0, 70);
    const LearnOptions options = given(0.1, 5.0, 1e-4);
    const auto posterior = learn_structure(data.X, data.y, AnnealedChains{.samples = 3}, Rng::from_seed(3), options);
    EXPECT_EQ(posterior.best, truth20);
    const auto known = learn_structure(data.X, data.y, Known{truth20}, Rng::from_seed(3), options);
    EXPECT_NEAR(posterior.log_likelihood, known.log_likelihood, 1e-6);
    EXPECT_EQ(posterior.hyperparameters.noise_variance, known.hyperparameters.noise_variance);
}

TEST(AnnealedChains, AWarmStartAtTheTruthStaysThere) {
    const Data data = small_data();
    LearnOptions options = given(0.3, 2.0, 0.0025);
    options.warm_start = {Partition::from_labels({0, 1, 0, 1})};
    const auto posterior =
        learn_structure(data.X, data.y, AnnealedChains{.chains = 2, .samples = 5}, Rng::from_seed(3), options);
    EXPECT_EQ(posterior.best, options.warm_start.front());
    EXPECT_EQ(posterior.sweeps, 10);
}

TEST(AnnealedChains, AWarmChainOnManyPointsIsScreenedAndSparesFactorisations) {
    const Rng rng = Rng::from_seed(21);
    const Partition truth = Partition::from_labels({0, 1, 0, 1, 2});
    const Matrix X = test::uniform_points(rng.stream("points"), 520, 5);
    const Vector y = test::additive_draw(rng.stream("values"), X, truth, 0.3, 2.0, 0.05);
    LearnOptions options = given(0.3, 2.0, 0.0025);
    options.warm_start = {truth};
    const AnnealedChains warm{.chains = 1, .samples = 3};
    const auto posterior = learn_structure(X, y, warm, Rng::from_seed(3), options);
    EXPECT_EQ(posterior.best, truth);
    EXPECT_LE(posterior.factorisations, 5);  // the partition itself; a change is hardly ever proposed
    EXPECT_NE(posterior.verdict, Verdict::structure_found);
    options.threads = 2;
    EXPECT_EQ(learn_structure(X, y, warm, Rng::from_seed(3), options).samples, posterior.samples);
}

TEST(AnnealedChains, LearnsOneLengthscaleForEachParameterAndOneVarianceForEachGroup) {
    const Rng rng = Rng::from_seed(22);
    const Partition truth = Partition::from_labels({0, 1, 0});
    const Matrix X = test::uniform_points(rng.stream("points"), 80, 3);
    const Vector y = (6 * X.col(0).array() * X.col(2).array()).sin() + (20 * X.col(1).array()).sin();
    LearnOptions options;
    options.hyperparameters = LearnedHyperparameters{.per_dimension = true};
    const auto posterior = learn_structure(X, y, AnnealedChains{.samples = 3}, Rng::from_seed(4), options);
    EXPECT_EQ(posterior.best, truth);
    ASSERT_TRUE(posterior.fitted);
    EXPECT_EQ(posterior.fitted->variance.size(), posterior.fitted_partition.group_count());
    // The wiggly parameter has the shortest lengthscale.
    EXPECT_LT(posterior.fitted->lengthscale(1), 0.5 * posterior.fitted->lengthscale(0));
    EXPECT_EQ(posterior.hyperparameters.lengthscale, posterior.fitted->lengthscale);
}

TEST(AnnealedChains, ADefaultSizeLimitRisesWhenAGroupFillsItAndAGivenOneStays) {
    const Partition truth = Partition::from_labels({0, 0, 0, 0, 0, 0, 1, 2, 3, 3});
    const Rng rng = Rng::from_seed(23);
    const Matrix X = two_level_design(rng.stream("points"), 10, 200, {.blocks = 1});
    // A product of six, whose interactions weaken with their order, so five of the six are found first.
    const Eigen::ArrayXXd s = 2 * X.array() - 1;
    const Vector y = (1 + 0.7 * s.leftCols(6)).rowwise().prod() + s.col(6) - s.col(7) + s.col(8) * s.col(9);
    const auto found = learn_structure(X, y, AnnealedChains{.samples = 5}, Rng::from_seed(1));
    EXPECT_EQ(to_text(found.best), to_text(truth));
    LearnOptions limited;
    limited.max_group_size = 5;
    EXPECT_LE(learn_structure(X, y, AnnealedChains{.samples = 5}, Rng::from_seed(1), limited).best.largest_group(), 5);
}

TEST(AnnealedChains, PureNoiseIsNeverCalledAFoundStructure) {
    // On uniform points a lengthscale fits anything; judged by unexplained variance alone, half of these would be found.
    for (int seed = 0; seed < 10; ++seed) {
        Rng rng = Rng::from_seed(static_cast<unsigned>(100 + seed));
        const Matrix designed = two_level_design(rng.stream("points"), 12, 60),
                     uniform = test::uniform_points(rng.stream("uniform"), 60, 4);
        Vector y(60);
        for (double& value : y) value = rng.normal();
        for (const Matrix& X : {designed, uniform})
            EXPECT_NE(learn_structure(X, y, AnnealedChains{}, Rng::from_seed(1)).verdict, Verdict::structure_found);
    }
}

TEST(GibbsLearner, FollowsTheSchedule) {
    const Data data = small_data();
    const auto posterior =
        learn_structure(data.X, data.y, Gibbs{.sweeps = 30, .burn_in = 10}, Rng::from_seed(4), given(0.3, 2.0, 0.0025));
    EXPECT_EQ(posterior.samples.size(), 20U);
    EXPECT_EQ(posterior.sweeps, 30);
    double weights = 0;
    for (const auto& entry : posterior.partitions) {
        weights += entry.weight;
        EXPECT_LE(entry.log_likelihood, posterior.log_likelihood);
    }
    EXPECT_NEAR(weights, 1.0, 1e-12);
    EXPECT_NE(posterior.verdict, Verdict::structure_found);  // one chain cannot tell
}

TEST(GibbsLearner, KeepsToTheSizeLimit) {
    const Data data = small_data();
    LearnOptions options = given(0.3, 2.0, 0.0025);
    options.max_group_size = 1;
    const auto posterior =
        learn_structure(data.X, data.y, Gibbs{.sweeps = 5, .burn_in = 1}, Rng::from_seed(4), options);
    EXPECT_EQ(posterior.best, Partition::singletons(4));
}

TEST(Baselines, LikelihoodsAreThoseOfTheAdditiveGpInTheUnitsOfY) {
    const Data data = small_data();
    const LearnOptions options = given(0.3, 2.0, 0.0025);
    const auto likelihood = [&](const Partition& partition) {
        return AdditiveGp(KernelFamily::squared_exponential, partition,
                          Hyperparameters::isotropic(partition, 0.3, 2.0, 0.0025), data.X, data.y)
            .log_marginal_likelihood();
    };
    const Partition known = Partition::from_labels({0, 0, 1, 1});
    const auto check = [&](const Learner& learner, const Partition& expected) {
        const auto posterior = learn_structure(data.X, data.y, learner, Rng::from_seed(5), options);
        EXPECT_EQ(posterior.best, expected);
        EXPECT_NEAR(posterior.log_likelihood, likelihood(expected), 1e-7);
    };
    check(Known{known}, known);
    check(None{}, Partition::single(4));
    check(Full{}, Partition::singletons(4));
    const auto few = learn_structure(data.X, data.y, BestOfRandom{1}, Rng::from_seed(6), options);
    const auto many = learn_structure(data.X, data.y, BestOfRandom{40}, Rng::from_seed(6), options);
    EXPECT_GE(many.log_likelihood, few.log_likelihood);
    EXPECT_NEAR(many.log_likelihood, likelihood(many.best), 1e-7);
}

TEST(LearnStructure, MistakesAreSentences) {
    const Data data = small_data();
    const auto message = [&](const Matrix& X, const Vector& y, const Learner& learner, const LearnOptions& options) {
        try {
            learn_structure(X, y, learner, Rng::from_seed(1), options);
        } catch (const InvalidArgument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_TRUE(contains(message(data.X, Vector::Ones(60), Gibbs{}, {}), "constant"));
    EXPECT_TRUE(contains(message(data.X, Vector::Ones(59), Gibbs{}, {}), "59 values"));
    Vector bad = data.y;
    bad(3) = std::nan("");
    EXPECT_TRUE(contains(message(data.X, bad, Gibbs{}, {}), "NaN"));
    EXPECT_TRUE(contains(message(data.X, data.y, Gibbs{.sweeps = 5, .burn_in = 5}, {}), "burn-in"));
    EXPECT_TRUE(contains(message(data.X, data.y, Known{Partition::single(3)}, {}), "3 parameters"));
    LearnOptions alpha;
    alpha.prior.alpha = {0.0};
    EXPECT_TRUE(contains(message(data.X, data.y, Gibbs{}, alpha), "alpha"));
}

TEST(LearnStructure, StopsWhenAskedTo) {
    const Data data = small_data();
    std::stop_source source;
    LearnOptions options;
    options.stop = source.get_token();
    int sweeps = 0;
    options.progress = [&](const Progress&) {
        if (++sweeps == 3) source.request_stop();
    };
    EXPECT_THROW(learn_structure(data.X, data.y, Gibbs{}, Rng::from_seed(1), options), Interrupted);
    EXPECT_EQ(sweeps, 3);
}

}  // namespace
}  // namespace summand::structure
