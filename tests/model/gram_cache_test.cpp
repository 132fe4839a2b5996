// SPDX-License-Identifier: Apache-2.0
#include "summand/model/gram_cache.hpp"

#include "model/dense_reference.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

using namespace test;

// Σ_A C_A + diagonal I by the formulas, all variances 1.
Matrix expected_sum(Problem p, const std::vector<std::vector<Index>>& groups, double diagonal) {
    p.partition = Partition::from_groups(groups, p.X.cols());
    p.hyperparameters.variance = Vector::Ones(p.partition.group_count());
    return dense_sum_gram(p, p.X, p.X) + diagonal * Matrix::Identity(p.X.rows(), p.X.rows());
}

double lower_difference(const Matrix& a, const Matrix& b) {
    return Matrix((a - b).triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff();
}

GramCache cache_of(const Problem& p, Index kept) {
    return {p.family, p.X, p.hyperparameters.lengthscale, p.unordered, 6, kept};
}

// Entries are sums of a handful of numbers up to 1, with a few roundings each.
constexpr double gram_tolerance = 2e-14;

TEST(GramCache, MovingOneParameterGivesTheMatrixOfTheNewPartition) {
    for (const KernelFamily family : families)
        for (const Index kept : {0, 1, 24}) {
            const Problem p = mixed_problem(family, 31, 1);
            GramCache cache = cache_of(p, kept);
            cache.place(0, {0, 3});
            cache.place(2, {1});
            cache.place(5, {4, 5});  // 2 is taken out
            cache.prepare(2);
            Matrix K;
            cache.assemble_with(0, 0.1, K);
            EXPECT_LT(lower_difference(K, expected_sum(p, {{0, 2, 3}, {1}, {4, 5}}, 0.1)), gram_tolerance);
            cache.assemble_with(5, 0.1, K);
            EXPECT_LT(lower_difference(K, expected_sum(p, {{0, 3}, {1}, {2, 4, 5}}, 0.1)), gram_tolerance);
            cache.assemble_with(3, 0.1, K);
            EXPECT_LT(lower_difference(K, expected_sum(p, {{0, 3}, {1}, {2}, {4, 5}}, 0.1)), gram_tolerance);
            cache.place(3, {2});
            cache.assemble(0.2, K);
            EXPECT_LT(lower_difference(K, expected_sum(p, {{0, 3}, {1}, {2}, {4, 5}}, 0.2)), gram_tolerance);
        }
}

TEST(GramCache, HowManyMatricesAreKeptChangesNoBit) {
    for (const KernelFamily family : families) {
        const Problem p = mixed_problem(family, 40, 2);
        GramCache all = cache_of(p, 24), none = cache_of(p, 0);
        for (GramCache* cache : {&all, &none}) {
            cache->place(0, {0, 3});
            cache->place(1, {1, 5});
            cache->place(2, {4});
            cache->place(0, {3});
            cache->prepare(0);
        }
        Matrix a, b;
        all.assemble_with(1, 0.0, a);
        none.assemble_with(1, 0.0, b);
        EXPECT_EQ(lower_difference(a, b), 0.0);
    }
}

TEST(GramCache, ManyMovesStayAccurateAndARefreshRemovesTheRest) {
    const Problem p = mixed_problem(KernelFamily::matern52, 25, 3);
    GramCache cache = cache_of(p, 2);
    Rng rng = Rng::from_seed(4);
    std::vector<std::vector<Index>> groups(6);
    const int moves = 600;
    for (int move = 0; move < moves; ++move) {
        groups.assign(6, {});
        for (Index j = 0; j < 6; ++j) groups[static_cast<std::size_t>(rng.below(6))].push_back(j);
        for (Index m = 0; m < 6; ++m) cache.place(m, groups[static_cast<std::size_t>(m)]);
    }
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    const Matrix expected = expected_sum(p, groups, 0.0);
    Matrix K;
    cache.assemble(0.0, K);
    // Each move adds and takes up to 6 matrices with a rounding of 6 ε / 2 each, at random: √(12 moves) of them.
    EXPECT_LT(lower_difference(K, expected), 7e-16 * 5 * std::sqrt(12.0 * moves));
    cache.refresh_sum();
    cache.assemble(0.0, K);
    EXPECT_LT(lower_difference(K, expected), gram_tolerance);
}

}  // namespace
}  // namespace summand
