// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/kdpp.hpp"

#include "summand/base/error.hpp"
#include "summand/batch/pure_exploration.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/numeric/pivoted_cholesky.hpp"
#include "support/statistics.hpp"

#include <Eigen/LU>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace summand::batch {
namespace {

Matrix random_psd(Index n, Index rank, std::uint64_t seed) {
    Rng rng = Rng::from_seed(seed);
    Matrix A(n, rank);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = rng.normal();
    return A * A.transpose();
}

double determinant(const Matrix& L, const std::vector<Index>& rows) {
    return Matrix(L(rows, rows)).determinant();
}

std::vector<std::vector<Index>> pairs_of(Index n) {
    std::vector<std::vector<Index>> subsets;
    for (Index a = 0; a < n; ++a)
        for (Index b = a + 1; b < n; ++b) subsets.push_back({a, b});
    return subsets;
}

// χ² of 20,000 sampled pairs against their determinants in L.
template <class Sampler>
double chi_square_of_pairs(const Matrix& L, const Sampler& sample) {
    const int draws = 20'000;
    std::map<std::vector<Index>, double> seen;
    Rng rng = Rng::from_seed(11);
    for (int i = 0; i < draws; ++i) ++seen[sample(rng)];
    double total = 0;
    for (const auto& pair : pairs_of(L.rows())) total += determinant(L, pair);
    std::vector<double> observed, expected;
    for (const auto& pair : pairs_of(L.rows())) {
        observed.push_back(seen[pair]);
        expected.push_back(draws * determinant(L, pair) / total);
    }
    return test::chi_square(observed, expected);
}

TEST(Kdpp, SubsetFrequenciesFollowTheDeterminants) {
    const Matrix L = random_psd(5, 5, 7);
    // 10 pairs, 9 degrees of freedom: a correct sampler stays below for all but one seed in 10⁶.
    const double threshold = test::chi_square_quantile(9, 1 - 1e-6);
    EXPECT_LT(chi_square_of_pairs(L, [&](Rng& rng) { return sample_kdpp(L, 2, rng); }), threshold);
    const Matrix C = pivoted_cholesky(L, 5, 0.0).factor;
    EXPECT_LT(chi_square_of_pairs(L, [&](Rng& rng) { return sample_kdpp_dual(C, 2, rng); }), threshold);
    // Power: a sampler blind to similarity must fail the same check.
    const Matrix blind = L.diagonal().asDiagonal();
    EXPECT_GT(chi_square_of_pairs(L, [&](Rng& rng) { return sample_kdpp(blind, 2, rng); }), threshold);
}

TEST(Kdpp, TheDualOfALowRankMatrixFollowsItsDeterminants) {
    const Matrix L = random_psd(6, 3, 8), C = pivoted_cholesky(L, 6, 1e-12).factor;
    ASSERT_EQ(C.cols(), 3);
    EXPECT_LT(chi_square_of_pairs(L, [&](Rng& rng) { return sample_kdpp_dual(C, 2, rng); }),
              test::chi_square_quantile(14, 1 - 1e-6));
}

TEST(Kdpp, FiftyOfTwoThousandNeitherOverflowsNorRepeats) {
    // Eigenvalues over 300 orders of magnitude apart in their products: e_50 of them is far outside the range of double.
    Vector lambda(2000);
    for (Index i = 0; i < 2000; ++i) lambda(i) = std::pow(10.0, 8.0 - 0.01 * static_cast<double>(i));
    const Vector log_e = log_elementary_symmetric(lambda, 50);
    EXPECT_TRUE(log_e.allFinite());
    EXPECT_GT(log_e(50), 710.0);  // exp of it would overflow
    EXPECT_NEAR(log_e(1), std::log(lambda.sum()), 1e-12);

    Rng rng = Rng::from_seed(3);
    Matrix C(2000, 300);
    for (Index i = 0; i < C.size(); ++i)
        C.data()[i] = 1e5 * std::pow(10.0, -0.02 * static_cast<double>(i / 2000)) * rng.normal();
    const auto rows = sample_kdpp_dual(C, 50, rng);
    EXPECT_EQ(std::set<Index>(rows.begin(), rows.end()).size(), 50U);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_LT(rows.back(), 2000);
}

TEST(Kdpp, ElementarySymmetricPolynomialsOfFewNumbers) {
    const Vector log_e = log_elementary_symmetric((Vector(4) << 1, 2, 3, 0).finished(), 4);
    EXPECT_NEAR(log_e(0), 0.0, 1e-15);
    EXPECT_NEAR(log_e(1), std::log(6.0), 1e-15);
    EXPECT_NEAR(log_e(2), std::log(11.0), 1e-15);
    EXPECT_NEAR(log_e(3), std::log(6.0), 1e-15);
    EXPECT_EQ(log_e(4), -INFINITY);
}

TEST(Kdpp, TakesEverythingWhenAskedForAllAndRefusesMoreThanTheRank) {
    Rng rng = Rng::from_seed(4);
    const Matrix L = random_psd(4, 4, 9);
    EXPECT_EQ(sample_kdpp(L, 4, rng), (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_TRUE(sample_kdpp(L, 0, rng).empty());
    EXPECT_THROW(sample_kdpp(L, 5, rng), InvalidArgument);
    EXPECT_THROW(sample_kdpp(random_psd(4, 2, 9), 3, rng), InvalidArgument);
    EXPECT_THROW(sample_kdpp(-L, 2, rng), InvalidArgument);
    EXPECT_THROW(sample_kdpp(Matrix::Constant(2, 2, NAN), 1, rng), InvalidArgument);
}

TEST(Kdpp, DependsOnItsArgumentsOnly) {
    const Matrix L = random_psd(30, 30, 10);
    Rng a = Rng::from_seed(5), b = Rng::from_seed(5);
    EXPECT_EQ(sample_kdpp(L, 6, a), sample_kdpp(L, 6, b));
}

// Brute force: among the rows left, the one whose addition gives the largest determinant.
std::vector<Index> brute_force(const Matrix& K, Index k) {
    std::vector<Index> chosen;
    for (Index s = 0; s < k; ++s) {
        double best = -1;
        Index pick = -1;
        for (Index i = 0; i < K.rows(); ++i) {
            if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
            std::vector<Index> with = chosen;
            with.push_back(i);
            const double value = determinant(K, with);
            if (value > best) {
                best = value;
                pick = i;
            }
        }
        chosen.push_back(pick);
    }
    return chosen;
}

TEST(PureExploration, EqualsBruteForceOnDeterminants) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Matrix K = random_psd(12, 12, seed);
        EXPECT_EQ(greedy_determinant(K, 5), brute_force(K, 5));
    }
}

TEST(PureExploration, FillsUpByVarianceWhenTheRankIsExhausted) {
    Matrix K = Matrix::Zero(4, 4);
    K.diagonal() << 1, 3, 0, 0;
    EXPECT_EQ(greedy_determinant(K, 4), (std::vector<Index>{1, 0, 2, 3}));
    EXPECT_THROW(greedy_determinant(K, 5), InvalidArgument);
}

TEST(PivotedCholesky, ReproducesTheMatrixAndItsPivotRowsAreTriangular) {
    const Matrix A = random_psd(10, 4, 12);
    const PivotedCholesky result = pivoted_cholesky(A, 10, 1e-10);
    EXPECT_EQ(result.factor.cols(), 4);
    EXPECT_LT((result.factor * result.factor.transpose() - A).cwiseAbs().maxCoeff(), 1e-12 * A.cwiseAbs().maxCoeff());
    const Matrix top = result.factor(result.pivots, Eigen::all);
    EXPECT_EQ((Matrix(top.triangularView<Eigen::StrictlyUpper>()).cwiseAbs().maxCoeff()), 0.0);
}

}  // namespace
}  // namespace summand::batch
