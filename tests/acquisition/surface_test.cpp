// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/acquisition.hpp"
#include "summand/acquisition/marginal_surface.hpp"
#include "summand/acquisition/screen.hpp"
#include "support/small_domain.hpp"
#include "support/small_gp.hpp"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

namespace summand {
namespace {

using test::small_domain;
using test::small_gp;

const std::vector<std::pair<const char*, Acquisition>>& all_acquisitions() {
    static const std::vector<std::pair<const char*, Acquisition>> all{
        {"ucb", Ucb{}}, {"ei", Ei{}}, {"pi", Pi{}}, {"mes", Mes{}}, {"thompson", Thompson{64}}};
    return all;
}

void expect_gradient(const Surface& surface, const Matrix& points, const std::vector<bool>& unordered,
                     const std::string& what) {
    const ValueGradients at = surface.gradients(points);
    const Vector values = surface.values(points);
    // h = ε^(1/3): truncation h² f''' against rounding ε cond(K) / h, about 1e-16 · 1e4 / 6e-6 = 2e-7 of the values.
    const double h = 6e-6;
    for (Index i = 0; i < points.rows(); ++i) {
        EXPECT_NEAR(at.value(i), values(i), 1e-9 * (1 + std::abs(values(i)))) << what;
        for (Index j = 0; j < points.cols(); ++j) {
            if (unordered[static_cast<std::size_t>(j)]) {
                EXPECT_EQ(at.gradient(i, j), 0.0) << what;
                continue;
            }
            Matrix both = points.row(i).replicate(2, 1);
            both(0, j) += h;
            both(1, j) -= h;
            const Vector moved = surface.values(both);
            const double slope = (moved(0) - moved(1)) / (2 * h);
            EXPECT_NEAR(at.gradient(i, j), slope, 2e-6 * (1 + std::abs(slope) + std::abs(values(i))))
                << what << " column " << j;
        }
    }
}

TEST(Surface, GradientsOfEveryAcquisitionEqualCentralDifferencesForOneGroupAndForTheSum) {
    for (const KernelFamily family : {KernelFamily::squared_exponential, KernelFamily::matern52}) {
        const AdditiveGp gp = small_gp(family, 40, 3);
        const Domain domain = small_domain();
        Rng rng = Rng::from_seed(4);
        for (const auto& [name, acquisition] : all_acquisitions()) {
            for (Index m = 0; m < 3; ++m) {
                const auto& columns = gp.partition().group(m);
                const Domain part = domain.group(columns);
                const auto surface = make_surface(acquisition, Context{gp, m, part, 5, Rng::from_seed(6)});
                std::vector<bool> unordered;
                for (const Index j : columns) unordered.push_back(j == 4);
                expect_gradient(*surface, part.spread(5, rng), unordered, name);
            }
            const auto sum = make_surface(acquisition, Context{gp, {}, domain, 5, Rng::from_seed(6)});
            expect_gradient(*sum, domain.spread(5, rng), {false, false, false, false, true},
                            std::string(name) + " of the sum");
        }
    }
}

TEST(Surface, UpperBoundOfTheSumIsTheSumOfTheGroupsBounds) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 30, 8);
    const Domain domain = small_domain();
    Rng rng = Rng::from_seed(9);
    const Matrix X = domain.spread(6, rng);
    const auto sum = make_surface(Ucb{}, Context{gp, {}, domain, 5, rng});
    Vector expected = Vector::Constant(6, 3.0);
    for (Index m = 0; m < 3; ++m) {
        const auto& columns = gp.partition().group(m);
        const Marginals marginals = gp.group_marginals(m, X(Eigen::all, columns));
        expected += marginals.mean +
                    std::sqrt(static_cast<double>(columns.size()) * std::log(10.0)) * marginals.variance.cwiseSqrt();
    }
    EXPECT_LT((sum->values(X) - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Surface, ImprovementIsMeasuredFromTheBestPosteriorMeanAtTheObservedPoints) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 30, 8);
    const Domain domain = small_domain();
    const Rng rng = Rng::from_seed(1);
    EXPECT_NEAR(best_observed_mean(Context{gp, {}, domain, 1, rng}), gp.sum_marginals(gp.inputs()).mean.maxCoeff(),
                1e-9);
    const Matrix Z = gp.inputs()(Eigen::all, gp.partition().group(0));
    EXPECT_NEAR(best_observed_mean(Context{gp, 0, domain.group({0, 1}), 1, rng}),
                gp.group_marginals(0, Z).mean.maxCoeff(), 1e-9);
}

TEST(Surface, JointDrawsOnPointsHaveThePosteriorsMoments) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 30, 8);
    Rng rng = Rng::from_seed(10);
    const Matrix Z = small_domain().group({0, 1}).spread(4, rng);
    const Index draws = 20'000;
    const Matrix values = draw_jointly(gp, 0, Z, draws, rng);
    const Vector mean = values.rowwise().mean();
    const Matrix centred = values.colwise() - mean, found = centred * centred.transpose() / static_cast<double>(draws);
    const Matrix exact = gp.group_covariance(0, Z);
    for (Index i = 0; i < 4; ++i) {
        const double root = std::sqrt(static_cast<double>(draws));
        EXPECT_NEAR(mean(i), gp.group_marginals(0, Z).mean(i), 5.5 * std::sqrt(exact(i, i)) / root);
        for (Index j = 0; j < 4; ++j)  // Var of a sample covariance of normals: (c_ii c_jj + c_ij²) / n
            EXPECT_NEAR(found(i, j), exact(i, j),
                        5.5 * std::sqrt(exact(i, i) * exact(j, j) + exact(i, j) * exact(i, j)) / root);
    }
}

TEST(Surface, JointDrawMaximisersAreRefinedInsideTheDomain) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 30, 8);
    Rng rng = Rng::from_seed(11);
    const Domain part = small_domain().group({0, 1});
    const Matrix Z = part.spread(50, rng);
    Rng plain = Rng::from_seed(12), refined = Rng::from_seed(12);
    const Matrix coarse = maximize_joint_draws(gp, 0, part, Z, 20, 0, plain),
                 fine = maximize_joint_draws(gp, 0, part, Z, 20, 30, refined);
    int moved = 0;
    for (Index d = 0; d < 20; ++d) {
        EXPECT_TRUE(part.contains(fine.row(d).transpose()));
        bool among = false;
        for (Index i = 0; i < 50; ++i) among = among || Z.row(i) == fine.row(d);
        moved += among ? 0 : 1;
    }
    EXPECT_EQ(coarse.rows(), 20);
    EXPECT_GT(moved,
              10);  // 50 points leave gaps of 0.15: nearly every draw is higher at one of 30 points near its best
}

TEST(Screen, EqualsTheExactMarginalsWhereTheRankSuffices) {
    for (const KernelFamily family : {KernelFamily::squared_exponential, KernelFamily::matern52}) {
        const AdditiveGp gp = small_gp(family, 60, 13);
        Rng rng = Rng::from_seed(14);
        for (Index m = 0; m < 3; ++m) {
            const Matrix Z = small_domain().group(gp.partition().group(m)).spread(300, rng);
            const Marginals rough = GroupScreen(gp, m).marginals(Z), exact = gp.group_marginals(m, Z);
            // Single precision times the condition number 1e4 of K; the dropped rank is 1e-4 of the variance.
            EXPECT_LT((rough.mean - exact.mean).cwiseAbs().maxCoeff(), 5e-3) << m;
            EXPECT_LT((rough.variance - exact.variance).cwiseAbs().maxCoeff(), 5e-3) << m;
        }
    }
}

}  // namespace
}  // namespace summand
