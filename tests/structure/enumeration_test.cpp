// SPDX-License-Identifier: Apache-2.0
// With 4 parameters the posterior over the 15 partitions can be enumerated. Exact draws, one move applied to each, must
// still follow it: the draws are independent, so the chi-square threshold holds.
#include "structure/additive_draw.hpp"
#include "summand/structure/gram_evidence.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/sampler.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/walsh_evidence.hpp"
#include "support/statistics.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <gtest/gtest.h>

namespace summand::structure::enumeration_test {
namespace {

using test::chi_square;
using test::chi_square_quantile;

constexpr Index D = 4;
using Move = std::function<void(Sampler&, Assignment&, Rng&)>;

/// A likelihood that says nothing: every sampler built on it must fail.
class BlindEvidence final : public Evidence {
  public:
    double log_likelihood(const Assignment&) override { return 0.0; }
    std::vector<double> log_likelihoods_with(const Assignment&, Index, const std::vector<Index>& labels) override {
        return std::vector<double>(labels.size(), 0.0);
    }
    const Setting& setting() const override { return setting_; }
    void set(const Setting& setting) override { setting_ = setting; }
    void improve(const Assignment&, const Improvement&) override {}
    void polish(const Assignment&, const Improvement&) override {}

  private:
    Setting setting_;
};

GramEvidence gram_evidence(int points = 14) {
    const Matrix X = test::uniform_points(Rng::from_seed(1), points, D);
    const Vector y = test::additive_draw(Rng::from_seed(2), X, Partition::from_labels({0, 1, 0, 1}), 0.4, 1.0, 0.3);
    return {KernelFamily::squared_exponential, X, y, {}, D, {Vector::Constant(D, 0.4), 1.0, 0.3}, 1};
}

std::vector<std::vector<int>> all_labellings() {
    std::vector<std::vector<int>> result;
    for (int code = 0; code < 256; ++code) result.push_back({code % 4, code / 4 % 4, code / 16 % 4, code / 64});
    return result;
}

/// The exact posterior over labelled states, from Γ functions and likelihoods of whole partitions.
struct Enumerated {
    std::vector<std::vector<int>> states = {};
    std::vector<double> probability = {};
};
Enumerated enumerate(Evidence& evidence, const AssignmentPrior& prior, Index max_group_size) {
    Enumerated result;
    std::vector<double> log_weight;
    for (const auto& labels : all_labellings()) {
        std::vector<Index> counts(4, 0);
        for (const int label : labels) ++counts[static_cast<std::size_t>(label)];
        if (*std::max_element(counts.begin(), counts.end()) > max_group_size) continue;
        result.states.push_back(labels);
        log_weight.push_back(evidence.log_likelihood(Assignment(Partition::from_labels(labels), D)) +
                             prior.log_density(counts));
    }
    const double top = *std::max_element(log_weight.begin(), log_weight.end());
    double total = 0;
    for (const double weight : log_weight) total += std::exp(weight - top);
    for (const double weight : log_weight) result.probability.push_back(std::exp(weight - top) / total);
    return result;
}

// An Assignment with exactly these labels: group m of a partition gets label m, so members are moved to theirs.
Assignment labelled(const std::vector<int>& labels) {
    Assignment z(Partition::from_labels(labels), D);
    for (Index j = 0; j < D; ++j) z.take(j);
    for (Index j = 0; j < D; ++j) z.put(j, labels[static_cast<std::size_t>(j)]);
    return z;
}

struct Outcome {
    double statistic = 0.0, threshold = 0.0;
};
using Counts = std::map<std::vector<int>, double>;

/// A correct sampler stays below the threshold for all but one seed in 10⁶.
Outcome compared(const Counts& expected, Counts observed) {
    std::vector<double> o, e;
    for (const auto& [labels, count] : expected) {
        EXPECT_GT(count, 5.0) << "too rare for a chi-square";
        e.push_back(count);
        o.push_back(observed[labels]);
    }
    return {chi_square(o, e), chi_square_quantile(static_cast<double>(e.size()) - 1, 1 - 1e-6)};
}

Outcome apply(const Move& move, Evidence& target, Evidence& used, const PriorOptions& prior_of_target,
              const PriorOptions& prior_used, Index max_group_size = D) {
    const AssignmentPrior exact_prior(prior_of_target, D), prior(prior_used, D);
    const Enumerated exact = enumerate(target, exact_prior, max_group_size);
    Counts expected, observed;
    const int draws = 20'000;
    std::vector<double> log_probability;
    for (std::size_t s = 0; s < exact.states.size(); ++s) {
        expected[Partition::from_labels(exact.states[s]).labels()] += draws * exact.probability[s];
        log_probability.push_back(std::log(exact.probability[s]));
    }
    RememberedEvidence remembered(used);
    Sampler sampler(prior, remembered, max_group_size);
    for (int i = 0; i < draws; ++i) {
        Rng rng = Rng::from_seed(3).stream("draw", {i});
        Assignment z = labelled(exact.states[static_cast<std::size_t>(rng.categorical_log(log_probability))]);
        move(sampler, z, rng);
        observed[z.partition().labels()] += 1.0;
    }
    return compared(expected, observed);
}

const Move sweep_move = [](Sampler& sampler, Assignment& z, Rng& rng) { sampler.sweep(z, rng); };
const Move site_move = [](Sampler& sampler, Assignment& z, Rng& rng) { sampler.site(z, 2, rng); };
const Move swap_move = [](Sampler& sampler, Assignment& z, Rng& rng) {
    for (int i = 0; i < 4; ++i) sampler.swap(z, rng);
};
const Move resplit_move = [](Sampler& sampler, Assignment& z, Rng& rng) {
    for (int i = 0; i < 4; ++i) sampler.resplit(z, rng);
};
const Move mixed_move = [](Sampler& sampler, Assignment& z, Rng& rng) { sampler.mixed_sweep(z, rng); };

TEST(Enumeration, EveryMoveAloneAndTheirMixtureLeaveThePosteriorUnchangedAndABlindOneFails) {
    GramEvidence evidence = gram_evidence();
    BlindEvidence blind;
    for (const Move& move : {sweep_move, site_move, swap_move, resplit_move, mixed_move}) {
        const Outcome right = apply(move, evidence, evidence, {}, {});
        EXPECT_LT(right.statistic, right.threshold);
        const Outcome wrong = apply(move, evidence, blind, {}, {});
        EXPECT_GT(wrong.statistic, wrong.threshold);
    }
}

TEST(Enumeration, CountsThatIncludeTheParameterItselfFail) {
    // n_m + 1 + α instead of n_m + α, as the authors' code has it, is the sampler of α + 1.
    GramEvidence evidence = gram_evidence();
    const Outcome wrong = apply(sweep_move, evidence, evidence, {.alpha = {1.0}}, {.alpha = {2.0}});
    EXPECT_GT(wrong.statistic, wrong.threshold);
}

TEST(Enumeration, ASingleUnusedLabelInsteadOfAllOfThemFails) {
    // One unused label of weight α, as in the later Python code, is a Dirichlet process, not M = D labels.
    GramEvidence evidence = gram_evidence();
    const Outcome wrong = apply(sweep_move, evidence, evidence, {}, {.family = DirichletProcess{}});
    EXPECT_GT(wrong.statistic, wrong.threshold);
}

TEST(Enumeration, HoldsForTheDirichletProcessForAVectorAlphaAndForASizeLimit) {
    GramEvidence evidence = gram_evidence();
    const PriorOptions process{.family = DirichletProcess{}, .alpha = {1.5}};
    const PriorOptions vector{.family = DirichletMultinomial{4}, .alpha = {0.3, 1.0, 2.5, 0.7}};
    for (const PriorOptions& prior : {process, vector})
        for (const Move& move : {sweep_move, resplit_move, mixed_move}) {
            const Outcome right = apply(move, evidence, evidence, prior, prior);
            EXPECT_LT(right.statistic, right.threshold);
        }
    for (const Move& move : {sweep_move, swap_move, resplit_move, mixed_move}) {
        const Outcome right = apply(move, evidence, evidence, {}, {}, 2);
        EXPECT_LT(right.statistic, right.threshold);
    }
}

TEST(Enumeration, ScreeningOnPartOfTheDataKeepsTheExactPosterior) {
    GramEvidence evidence = gram_evidence(), part = gram_evidence(7);
    RememberedEvidence cheap(part);
    const Move screened = [&](Sampler& sampler, Assignment& z, Rng& rng) {
        for (Index j = 0; j < D; ++j) sampler.screened_site(z, j, cheap, rng);
    };
    const Outcome right = apply(screened, evidence, evidence, {}, {});
    EXPECT_LT(right.statistic, right.threshold);
    // Trusting the part alone must fail: it is another posterior.
    const Outcome wrong = apply(sweep_move, evidence, part, {}, {});
    EXPECT_GT(wrong.statistic, wrong.threshold);
}

TEST(Enumeration, HoldsOnTwoLevelPointsInWalshForm) {
    const Matrix X = two_level_design(Rng::from_seed(5), D, 14);
    Vector y = test::additive_draw(Rng::from_seed(6), X, Partition::from_labels({0, 0, 1, 1}), 0.2, 1.0, 0.8);
    y.array() -= y.mean();
    WalshEvidence evidence(find_two_level_rows(X), y, {{}, 0.3, 0.6});
    BlindEvidence blind;
    for (const Move& move : {sweep_move, mixed_move}) {
        const Outcome right = apply(move, evidence, evidence, {}, {});
        EXPECT_LT(right.statistic, right.threshold);
        const Outcome wrong = apply(move, evidence, blind, {}, {});
        EXPECT_GT(wrong.statistic, wrong.threshold);
    }
}

TEST(Enumeration, TheMassOfAPartitionIsTheSumOverItsLabellings) {
    for (const PriorOptions& options : {PriorOptions{.alpha = {0.7}}, {.family = DirichletProcess{}, .alpha = {1.5}}}) {
        const AssignmentPrior prior(options, D);
        std::map<std::vector<int>, double> sum, mass;
        double total = 0, total_mass = 0;
        for (const auto& labels : all_labellings()) {
            std::vector<Index> counts(4, 0);
            for (const int label : labels) ++counts[static_cast<std::size_t>(label)];
            const auto key = Partition::from_labels(labels).labels();
            sum[key] += std::exp(prior.log_density(counts));
            total += std::exp(prior.log_density(counts));
            mass[key] = std::exp(prior.log_mass(counts));
        }
        for (const auto& [key, value] : mass) total_mass += value;
        for (const auto& [key, value] : mass) EXPECT_NEAR(value / total_mass, sum[key] / total, 1e-12);
    }
}

// The last sample of AnnealedChains, annealing, burn-in and resampling included, against the enumerated posterior: one
// independent draw a seed.
Outcome last_samples(double noise_variance) {
    const Matrix X = test::uniform_points(Rng::from_seed(1), 14, D);
    const Vector y = test::additive_draw(Rng::from_seed(2), X, Partition::from_labels({0, 1, 0, 1}), 0.4, 1.0, 0.3);
    GramEvidence evidence = gram_evidence();
    const Enumerated exact = enumerate(evidence, AssignmentPrior({}, D), D);
    LearnOptions options;
    options.hyperparameters = GivenHyperparameters{
        .lengthscale = Vector::Constant(1, 0.4), .variance = 1.0, .noise_variance = noise_variance};
    const int draws = 1500;
    Counts expected, observed;
    for (std::size_t s = 0; s < exact.states.size(); ++s)
        expected[Partition::from_labels(exact.states[s]).labels()] += draws * exact.probability[s];
    for (int i = 0; i < draws; ++i) {
        const auto found = learn_structure(X, y, AnnealedChains{.chains = 2, .max_sweeps = 2, .samples = 15},
                                           Rng::from_seed(static_cast<unsigned>(i)), options);
        observed[found.samples.back().labels()] += 1.0;
    }
    return compared(expected, observed);
}

TEST(Enumeration, TheLastSampleOfTheWholeLearnerFollowsThePosteriorAndNotThatOfAnotherNoise) {
    const Outcome right = last_samples(0.3), wrong = last_samples(0.05);
    EXPECT_LT(right.statistic, right.threshold);
    EXPECT_GT(wrong.statistic, wrong.threshold);
}

TEST(Enumeration, FromOneStateEveryPartitionIsReached) {
    GramEvidence evidence = gram_evidence();
    RememberedEvidence remembered(evidence);
    const AssignmentPrior prior({}, D);
    Sampler sampler(prior, remembered, D);
    Assignment z(Partition::single(D), D);
    Rng rng = Rng::from_seed(7);
    std::map<std::vector<int>, int> visits;
    for (int i = 0; i < 5000; ++i) {
        sampler.sweep(z, rng);
        ++visits[z.partition().labels()];
    }
    EXPECT_EQ(visits.size(), 15U);
}

}  // namespace
}  // namespace summand::structure::enumeration_test
