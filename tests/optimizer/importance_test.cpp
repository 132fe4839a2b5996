// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/pathwise.hpp"
#include "summand/optimizer/slices.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand::optimizer {
namespace {

struct ImportanceTest : ::testing::Test {
    const SearchSpace space = SearchSpace({Real{.name = "a"}, Real{.name = "b"}, Real{.name = "c"}});
    const Encoding encoding{space};
    const Partition partition = Partition::from_groups({{0, 1}, {2}}, 3);

    AdditiveGp model(const Matrix& X, const Vector& y) const {
        const auto given = Hyperparameters::isotropic(partition, 0.4, 1.0, 1e-4);
        return AdditiveGp(KernelFamily::squared_exponential, partition, given, X, y);
    }
    Matrix random_points(Index count, Rng rng) const {
        Matrix X(count, 3);
        for (Index i = 0; i < count; ++i) X.row(i) = encoding.random(rng).transpose();
        return X;
    }
};

/// Total effects of every drawn function (columns), by the definition and with points of their own.
Matrix true_shares(const PathwiseDraws& prior, const Matrix& X, const Matrix& other) {
    Matrix effect(3, prior.count());
    const Partition& partition = prior.gp().partition();
    for (Index m = 0; m < partition.group_count(); ++m) {
        const Matrix Z = X(Eigen::all, partition.group(m));
        for (std::size_t c = 0; c < partition.group(m).size(); ++c) {
            const Index j = partition.group(m)[c];
            Matrix changed = Z;
            changed.col(static_cast<Index>(c)) = other.col(j);
            effect.row(j) = (prior.values(m, Z) - prior.values(m, changed)).colwise().squaredNorm();
        }
    }
    return effect.array().rowwise() / effect.colwise().sum().array();
}

TEST_F(ImportanceTest, NineOfTenTrueSharesLieInTheInterval) {
    // Functions from the prior the model assumes, each known at 12 points only.
    constexpr Index functions = 40, known = 12;
    const Rng rng = Rng::from_seed(5);
    const AdditiveGp ignorant = model(Matrix::Constant(1, 3, 0.5), Vector::Zero(1));
    const PathwiseDraws prior(ignorant, Vector::Ones(functions), 512, rng.stream("prior"));
    const Matrix X = random_points(2000, rng.stream("x")), other = random_points(2000, rng.stream("other"));
    const Matrix truth = true_shares(prior, X, other);
    int inside = 0, by_mean_alone = 0;
    for (Index f = 0; f < functions; ++f) {
        const Matrix points = random_points(known, rng.stream("points", {f}));
        Vector y = Vector::Zero(known);
        for (Index m = 0; m < 2; ++m) y += prior.values(m, points(Eigen::all, partition.group(m))).col(f);
        const std::vector<Importance> found = total_effects(model(points, y), encoding, rng.stream("effects", {f}));
        double sum = 0.0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double share = truth(static_cast<Index>(j), f);
            inside += found[j].low <= share && share <= found[j].high ? 1 : 0;
            by_mean_alone += std::abs(found[j].share - share) < 0.01 ? 1 : 0;
            sum += found[j].share;
        }
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    // 120 shares, of which those of one function hang together: as if they were 40, 0.9 ± 3.5 standard deviations.
    EXPECT_GE(inside, 120 * (0.9 - 3.5 * std::sqrt(0.9 * 0.1 / 40)));
    EXPECT_LT(by_mean_alone, 60) << "so little is known that the estimate alone is mostly wrong";
}

TEST_F(ImportanceTest, WithManyValuesTheIntervalIsNarrowAboutTheTruth) {
    // 3 a + c: on uniform inputs the shares are 9/10, 0 and 1/10.
    const Matrix X = random_points(80, Rng::from_seed(1));
    const std::vector<Importance> found =
        total_effects(model(X, 3.0 * X.col(0) + X.col(2)), encoding, Rng::from_seed(2));
    EXPECT_NEAR(found[0].share, 0.9, 0.03);  // 256 points: each effect is known to some 6 %
    EXPECT_NEAR(found[1].share, 0.0, 0.01);
    EXPECT_NEAR(found[2].share, 0.1, 0.03);
    for (const Importance& one : found) EXPECT_LT(one.high - one.low, 0.02);
}

}  // namespace
}  // namespace summand::optimizer
