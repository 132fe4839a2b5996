// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/cholesky.hpp"

#include "summand/base/random.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// G Gᵀ / n + I: eigenvalues between 1 and about 5, so its condition number is below 10.
Matrix well_conditioned(Index n, Rng rng) {
    const Matrix G = Matrix::NullaryExpr(n, n, [&] { return rng.normal(); });
    return G * G.transpose() / static_cast<double>(n) + Matrix::Identity(n, n);
}

// Errors of a backward stable solve stay below a small multiple of n ε cond.
double tolerance(Index n) {
    return 10 * static_cast<double>(n) * eps * 10;
}

TEST(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
    for (const Index n : {1, 2, 7, 60, 200}) {
        const Matrix A = well_conditioned(n, Rng::from_seed(1));
        const auto factor = Cholesky::try_factor(A);
        ASSERT_TRUE(factor);
        const Matrix L = factor->lower();
        EXPECT_LT((L * L.transpose() - A).cwiseAbs().maxCoeff(), tolerance(n));
    }
}

TEST(Cholesky, ReadsTheLowerTriangleOnly) {
    Matrix A = well_conditioned(40, Rng::from_seed(2));
    const Matrix expected = Cholesky::try_factor(A)->lower();
    A.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(Cholesky::try_factor(A)->lower() == expected);
}

TEST(Cholesky, SolvesAndLogDeterminantAgreeWithLu) {
    const Index n = 80;
    const Matrix A = well_conditioned(n, Rng::from_seed(3));
    Rng rng = Rng::from_seed(4);
    const Matrix B = Matrix::NullaryExpr(n, 5, [&] { return rng.normal(); });
    const Eigen::PartialPivLU<Matrix> lu(A);
    const auto factor = Cholesky::try_factor(A);
    EXPECT_NEAR(factor->log_determinant(), std::log(lu.determinant()), tolerance(n));
    EXPECT_LT((factor->solve(B) - lu.solve(B)).cwiseAbs().maxCoeff(), tolerance(n));
    EXPECT_LT((factor->solve(Vector(B.col(0))) - lu.solve(B.col(0))).cwiseAbs().maxCoeff(), tolerance(n));
    EXPECT_LT((factor->inverse() - A.inverse()).cwiseAbs().maxCoeff(), tolerance(n));
    const Matrix L = factor->lower();
    EXPECT_LT((L * factor->forward(B.col(1)) - B.col(1)).cwiseAbs().maxCoeff(), tolerance(n));
    EXPECT_LT((L.transpose() * factor->backward(B.col(1)) - B.col(1)).cwiseAbs().maxCoeff(), tolerance(n));
    EXPECT_LT((L * B.col(2) - factor->times_lower(B.col(2))).cwiseAbs().maxCoeff(), tolerance(n));
}

TEST(Cholesky, InverseLowerTriangleIsTheInverse) {
    for (const Index n : {1, 3, 64, 65, 150}) {
        const Matrix A = well_conditioned(n, Rng::from_seed(5));
        const Matrix expected = A.inverse(), found = Cholesky::try_factor(A)->inverse();
        EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance(n)) << n;
        EXPECT_TRUE(found == Matrix(found.transpose()));
    }
}

TEST(Cholesky, AppendedRowsEqualAFreshFactor) {
    const Index n = 90;
    const Matrix A = well_conditioned(n, Rng::from_seed(6));
    const Matrix fresh = Cholesky::try_factor(A)->lower();
    auto one_by_one = Cholesky::try_factor(A.topLeftCorner(50, 50));
    for (Index i = 50; i < n; ++i) ASSERT_TRUE(one_by_one->try_append(Vector(A.col(i).head(i)), A(i, i)));
    EXPECT_LT((one_by_one->lower() - fresh).cwiseAbs().maxCoeff(), tolerance(n));
    auto in_a_block = Cholesky::try_factor(A.topLeftCorner(50, 50));
    ASSERT_TRUE(in_a_block->try_append(Matrix(A.block(50, 0, 40, 50)), Matrix(A.block(50, 50, 40, 40))));
    EXPECT_LT((in_a_block->lower() - fresh).cwiseAbs().maxCoeff(), tolerance(n));
    EXPECT_EQ(in_a_block->size(), n);
}

TEST(Cholesky, GrowsFromNothing) {
    auto factor = Cholesky::try_factor(Matrix(0, 0));
    ASSERT_TRUE(factor);
    EXPECT_EQ(factor->log_determinant(), 0.0);
    EXPECT_TRUE(factor->try_append(Vector(0), 4.0));
    EXPECT_EQ(factor->lower()(0, 0), 2.0);
}

TEST(Cholesky, RefusesIndefiniteSingularAndNaNMatrices) {
    Matrix A = Matrix::Identity(3, 3);
    A(1, 1) = -1;
    EXPECT_FALSE(Cholesky::try_factor(A));
    EXPECT_FALSE(Cholesky::try_factor(Matrix::Ones(5, 5)));
    A(1, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(Cholesky::try_factor(A));
}

TEST(Cholesky, ARefusedAppendChangesNothing) {
    auto factor = Cholesky::try_factor(Matrix::Identity(2, 2));
    EXPECT_FALSE(factor->try_append(Vector::Unit(2, 0), 1.0));  // the third row would repeat the first
    EXPECT_FALSE(factor->try_append(Matrix(Vector::Unit(2, 0).transpose()), Matrix::Ones(1, 1)));
    EXPECT_EQ(factor->size(), 2);
    EXPECT_EQ(factor->lower(), Matrix::Identity(2, 2));
}

TEST(FactorWithJitter, ReportsNoJitterForAGoodMatrixAndTheSmallestThatWorksForABadOne) {
    const auto good = factor_with_jitter(4, [](Matrix& A) { A = 3 * Matrix::Identity(4, 4); });
    ASSERT_TRUE(good);
    EXPECT_EQ(good->jitter, 0.0);
    const auto singular = factor_with_jitter(4, [](Matrix& A) { A = Matrix::Constant(4, 4, 3.0); });
    ASSERT_TRUE(singular);
    EXPECT_DOUBLE_EQ(singular->jitter, 3e-10);
}

TEST(FactorWithJitter, GivesUpOnAMatrixThatIsTrulyIndefinite) {
    EXPECT_FALSE(factor_with_jitter(2, [](Matrix& A) { A << 1, 1, 1, 0.9; }));
}

TEST(FactorAndSolveInPlace, GivesLogDeterminantAndQuadraticForm) {
    const Index n = 70;
    const Matrix A = well_conditioned(n, Rng::from_seed(7));
    Rng rng = Rng::from_seed(8);
    const Vector b = Vector::NullaryExpr(n, [&] { return rng.normal(); });
    Matrix work = A;
    Vector right = b;
    const auto result = factor_and_solve_in_place(work, right);
    ASSERT_TRUE(result);
    EXPECT_NEAR(result->log_determinant, std::log(A.determinant()), tolerance(n));
    EXPECT_NEAR(result->quadratic, b.dot(A.inverse() * b), tolerance(n) * b.squaredNorm());
}

}  // namespace
}  // namespace summand
