// SPDX-License-Identifier: Apache-2.0
#include "structure/additive_draw.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/structure/gram_evidence.hpp"
#include "summand/structure/sampler.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/walsh_evidence.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace summand::structure::evidence_test {
namespace {

constexpr Index D = 6, N = 40;
const Partition groups = Partition::from_labels({0, 1, 0, 2, 1, 0});

Vector values(const Matrix& X, double noise = 0.1) {
    Vector y = test::additive_draw(Rng::from_seed(12), X, groups, 0.3, 1.0, noise);
    return y.array() - y.mean();
}

// j taken out and offered every label in use and an unused one: must equal the whole partition's likelihood.
void expect_candidates_equal_whole(Evidence& evidence, double tolerance) {
    for (Index j = 0; j < D; ++j) {
        Assignment z(groups, D);
        z.take(j);
        const std::vector<Index> labels{0, 1, 2, 5};
        const auto candidates = evidence.log_likelihoods_with(z, j, labels);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            Assignment joined = z;
            joined.put(j, labels[i]);
            EXPECT_NEAR(candidates[i], evidence.log_likelihood(joined), tolerance);
        }
    }
}

class EveryFamily : public testing::TestWithParam<KernelFamily> {};
INSTANTIATE_TEST_SUITE_P(Families, EveryFamily,
                         testing::Values(KernelFamily::squared_exponential, KernelFamily::matern52));

TEST_P(EveryFamily, GramEvidenceEqualsTheAdditiveGp) {
    Matrix X = test::uniform_points(Rng::from_seed(11), N, D);
    X.col(3) = (X.col(3).array() * 3).floor() / 3;  // a choice of three
    const std::vector<bool> unordered{false, false, false, true, false, false};
    const Vector y = values(X), scales = Vector::LinSpaced(D, 0.2, 0.7);
    GramEvidence evidence(GetParam(), X, y, unordered, D, {scales, 1.3, 0.02}, 1);
    const AdditiveGp gp(GetParam(), groups, {scales, Vector::Constant(3, 1.3), 0.02, 0.0}, X, y, unordered);
    // Conditioning 1.3 · 40 / 0.02 times machine precision, times the quadratic form of about 40.
    EXPECT_NEAR(evidence.log_likelihood(Assignment(groups, D)), gp.log_marginal_likelihood(), 1e-9);
    expect_candidates_equal_whole(evidence, 1e-9);
}

TEST(GramEvidence, ExpectationMaximisationNeverLowersTheLikelihood) {
    const Matrix X = test::uniform_points(Rng::from_seed(11), N, D);
    GramEvidence evidence(KernelFamily::squared_exponential, X, values(X), {}, D, {Vector::Constant(D, 0.2), 0.5, 2.0},
                          1);
    const Assignment z(groups, D);
    double last = evidence.log_likelihood(z);
    for (int i = 0; i < 30; ++i) {
        evidence.improve(z, {.noise_only = i % 2 == 0, .noise_growth = 1e9});
        const double now = evidence.log_likelihood(z);
        EXPECT_GE(now, last - 1e-9);
        last = now;
    }
}

TEST(WalshEvidence, EqualsTheDenseGaussianOfItsModel) {
    const Matrix X = two_level_design(Rng::from_seed(13), D, N, {.blocks = 1});
    const TwoLevelData data = find_two_level_rows(X);
    const Matrix& sign = data.blocks.front().sign;
    const Vector y = values(X);
    const double weight = 0.2, noise = 0.05;
    // K = 11ᵀ + weight (Σ_j s_j s_jᵀ + Σ over larger subsets of groups) + noise I, subset by subset.
    Matrix K = Matrix::Ones(N, N) * WalshBlock::constant_weight;
    for (Index j = 0; j < D; ++j) K += weight * sign.col(j) * sign.col(j).transpose();
    for (const auto& group : groups.groups())
        for (unsigned subset = 0; subset < 1U << group.size(); ++subset) {
            Vector product = Vector::Ones(N);
            int size = 0;
            for (std::size_t k = 0; k < group.size(); ++k)
                if (subset >> k & 1U) {
                    product.array() *= sign.col(group[k]).array();
                    ++size;
                }
            if (size > 1) K += weight * product * product.transpose();
        }
    K.diagonal().array() += noise;
    Vector b = y;
    const auto dense = factor_and_solve_in_place(K, b).value();
    const double expected =
        -0.5 * (dense.quadratic + dense.log_determinant + static_cast<double>(N) * std::log(2 * std::numbers::pi));

    WalshEvidence evidence(data, y, {{}, weight, noise});
    EXPECT_NEAR(evidence.log_likelihood(Assignment(groups, D)), expected, 1e-9);
    expect_candidates_equal_whole(evidence, 1e-9);
}

TEST(WalshEvidence, CandidatesStayExactWhenTheNoiseHasCollapsed) {
    const Matrix X = two_level_design(Rng::from_seed(13), D, N, {.blocks = 1});
    WalshEvidence evidence(find_two_level_rows(X), values(X, 1e-4), {{}, 0.2, 1e-8});
    // yᵀy/v amplifies rounding: N ε / v ≈ 40 · 2e-16 / 1e-8 ≈ 1e-6.
    expect_candidates_equal_whole(evidence, 1e-4);
}

TEST(WalshEvidence, ExpectationMaximisationNeverLowersTheLikelihood) {
    const Matrix X = two_level_design(Rng::from_seed(13), D, N, {.blocks = 1});
    WalshEvidence evidence(find_two_level_rows(X), values(X), {{}, 0.01, 1.0});
    const Assignment z(groups, D);
    double last = evidence.log_likelihood(z);
    for (int i = 0; i < 50; ++i) {
        evidence.improve(z, {.noise_growth = 1e9});
        const double now = evidence.log_likelihood(z);
        EXPECT_GE(now, last - 1e-9);
        last = now;
    }
}

TEST(RememberedEvidence, ASweepFromAKnownStateAsksForNothingNew) {
    const Matrix X = test::uniform_points(Rng::from_seed(11), N, D);
    GramEvidence evidence(KernelFamily::squared_exponential, X, values(X), {}, D, {Vector::Constant(D, 0.3), 1.0, 0.01},
                          1);
    RememberedEvidence remembered(evidence);
    for (int pass = 0; pass < 2; ++pass) {
        Assignment z(groups, D);
        for (Index j = 0; j < D; ++j) {
            const Index label = z.label_of(j);
            z.take(j);
            remembered.log_likelihoods_with(z, j, {0, 1, 2, 5});
            z.put(j, label);
        }
        if (pass == 0) continue;
    }
    // Four candidates each for six parameters, the partition itself and its 17 neighbours at most once each: 18 + 1.
    EXPECT_LE(evidence.factorisations(), 19);
    EXPECT_EQ(remembered.asked(), 48);
}

TEST(GramEvidence, TwoThreadsGiveTheSameBits) {
    const Matrix X = test::uniform_points(Rng::from_seed(11), N, D);
    const Vector y = values(X);
    GramEvidence one(KernelFamily::squared_exponential, X, y, {}, D, {Vector::Constant(D, 0.3), 1.0, 0.01}, 1);
    GramEvidence two(KernelFamily::squared_exponential, X, y, {}, D, {Vector::Constant(D, 0.3), 1.0, 0.01}, 2);
    Assignment z(groups, D);
    z.take(4);
    EXPECT_EQ(one.log_likelihoods_with(z, 4, {0, 1, 2, 3}), two.log_likelihoods_with(z, 4, {0, 1, 2, 3}));
}

}  // namespace
}  // namespace summand::structure::evidence_test
