// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/ground_set.hpp"
#include "summand/batch/relevance_region.hpp"
#include "support/small_domain.hpp"
#include "support/small_gp.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand::batch {
namespace {

using test::levels;
using test::small_domain;
using test::small_gp;

TEST(RelevanceRegion, IsWhatThePaperDefines) {
    Rng rng = Rng::from_seed(1);
    Vector mean(40), stddev(40);
    for (Index i = 0; i < 40; ++i) {
        mean(i) = 3 * rng.normal();
        stddev(i) = 0.1 + rng.uniform();
    }
    const double beta = 1.7, beta_next = 1.9;
    double bar = -1e300;
    for (Index i = 0; i < 40; ++i) bar = std::max(bar, mean(i) - std::sqrt(beta) * stddev(i));
    std::vector<Index> expected;
    for (Index i = 0; i < 40; ++i)
        if (mean(i) + 2 * std::sqrt(beta_next) * stddev(i) >= bar) expected.push_back(i);
    EXPECT_EQ(relevance_region(mean, stddev, beta, beta_next), expected);
    EXPECT_GT(expected.size(), 0U);
    EXPECT_LT(expected.size(), 40U);  // it does leave something out
}

TEST(RelevanceRegion, IsNeverEmpty) {
    EXPECT_EQ(relevance_region((Vector(2) << 0, 1).finished(), Vector::Zero(2), 1, 1), (std::vector<Index>{1}));
}

// Rows of the region by the definition, on a grid evaluated exactly.
std::vector<Index> region_of_grid(const AdditiveGp& gp, Index m, const Matrix& grid, const GroundSetRequest& request) {
    const Marginals marginals = gp.group_marginals(m, grid);
    return relevance_region(marginals.mean, marginals.variance.cwiseSqrt(), request.beta, request.beta_next);
}

TEST(GroundSet, OfASmallGridIsTheWholeRegion) {
    const AdditiveGp gp = small_gp(KernelFamily::squared_exponential, 60, 3);
    const Domain domain({levels(14), levels(15)});
    const GroundSetRequest request{256, 9, 0.5, 0.6};
    const Matrix grid = domain.enumerate();
    const auto region = region_of_grid(gp, 0, grid, request);
    ASSERT_GT(region.size(), 9U);
    ASSERT_LT(region.size(), 210U);
    EXPECT_EQ(ground_set(gp, 0, domain, Vector::Zero(2), request, GroupScreens(gp), Rng::from_seed(1)).points,
              Matrix(grid(region, Eigen::all)));
}

TEST(GroundSet, OfALargeGridIsPartOfItsRegionWithoutRepeats) {
    const AdditiveGp gp = small_gp(KernelFamily::squared_exponential, 60, 3);
    const Domain domain({levels(40), levels(40)});
    const GroundSetRequest request{200, 9, 0.5, 0.6};
    const GroundSet found = ground_set(gp, 0, domain, Vector::Zero(2), request, GroupScreens(gp), Rng::from_seed(1));
    EXPECT_EQ(found.points.rows(), 200);
    const Matrix grid = domain.enumerate();
    const auto region = region_of_grid(gp, 0, grid, request);
    const Matrix allowed = grid(region, Eigen::all);
    for (Index i = 0; i < found.points.rows(); ++i) {
        int hits = 0, repeats = 0;
        for (Index j = 0; j < allowed.rows(); ++j) hits += allowed.row(j) == found.points.row(i) ? 1 : 0;
        for (Index j = 0; j < i; ++j) repeats += found.points.row(j) == found.points.row(i) ? 1 : 0;
        EXPECT_EQ(hits, 1);
        EXPECT_EQ(repeats, 0);
    }
}

TEST(GroundSet, OfAContinuousGroupPassesTheTestAgainstItsOwnBestLowerBound) {
    const AdditiveGp gp = small_gp(KernelFamily::squared_exponential, 60, 3);
    const Domain domain = small_domain().group({0, 1});
    const GroundSetRequest request{200, 9, 0.5, 0.6};
    const GroundSet found =
        ground_set(gp, 0, domain, Vector::Constant(2, 0.5), request, GroupScreens(gp), Rng::from_seed(1));
    const Marginals marginals = gp.group_marginals(0, found.points);
    EXPECT_GE(found.points.rows(), 9);
    EXPECT_EQ(relevance_region(marginals.mean, marginals.variance.cwiseSqrt(), 0.5, 0.6).size(),
              static_cast<std::size_t>(found.points.rows()));
    EXPECT_LT(
        (found.upper_bound - marginals.mean - std::sqrt(0.5) * marginals.variance.cwiseSqrt()).cwiseAbs().maxCoeff(),
        1e-12);
}

TEST(GroundSet, HasEnoughPointsEvenWhenTheRegionIsTiny) {
    const AdditiveGp gp = small_gp(KernelFamily::squared_exponential, 150, 3);
    const GroundSetRequest request{200, 30, 1e-6, 1e-6};  // β so small that the region is next to the mean's maximum
    const GroundSet found = ground_set(gp, 1, small_domain().group({2}), Vector::Constant(1, 0.2), request,
                                       GroupScreens(gp), Rng::from_seed(1));
    EXPECT_GE(found.points.rows(), 30);
}

}  // namespace
}  // namespace summand::batch
