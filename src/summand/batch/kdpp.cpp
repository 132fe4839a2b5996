// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/kdpp.hpp"

#include "summand/base/error.hpp"
#include "summand/numeric/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace summand::batch {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

double log_sum(double a, double b) {
    if (a < b) std::swap(a, b);
    return b == minus_infinity ? a : a + std::log1p(std::exp(b - a));
}

// Row i, column j: log e_j(λ_1 .. λ_i), by e_j(i) = e_j(i-1) + λ_i e_{j-1}(i-1)  [Kulesza2011, alg. 2].
Matrix log_polynomial_table(const Vector& lambda, Index k) {
    Matrix table = Matrix::Constant(lambda.size() + 1, k + 1, minus_infinity);
    table.col(0).setZero();
    for (Index i = 1; i <= lambda.size(); ++i) {
        const double log_lambda = lambda(i - 1) > 0 ? std::log(lambda(i - 1)) : minus_infinity;
        for (Index j = 1; j <= std::min(i, k); ++j)
            table(i, j) = log_sum(table(i - 1, j), log_lambda + table(i - 1, j - 1));
    }
    return table;
}

// Phase 1: which k eigenvectors span the sample. Walking down from the last, eigenvector i is taken with probability
// λ_i e_{j-1}(λ_1 .. λ_{i-1}) / e_j(λ_1 .. λ_i) while j are still to be chosen. Zeros come first in λ and are passed over.
std::vector<Index> choose_eigenvectors(const Vector& lambda, Index k, Rng& rng) {
    const Index zeros = (lambda.array() <= 0).count();
    const Vector positive = lambda.tail(lambda.size() - zeros);
    const Matrix table = log_polynomial_table(positive, k);
    std::vector<Index> chosen;
    Index left = k;
    for (Index i = positive.size(); left > 0; --i) {
        const double log_probability = std::log(positive(i - 1)) + table(i - 1, left - 1) - table(i, left);
        if (left == i || rng.uniform() < std::exp(log_probability)) {
            chosen.push_back(zeros + i - 1);
            --left;
        }
    }
    return chosen;
}

// Phase 2: a sample of the projection DPP with kernel V Vᵀ, V orthonormal n x k, by the chain rule: the next index is i
// with probability proportional to the variance of i given those chosen, kept up to date by a Cholesky step a draw.
std::vector<Index> sample_projection(const Matrix& V, Rng& rng) {
    const Index n = V.rows(), k = V.cols();
    Vector variance = V.rowwise().squaredNorm();
    Matrix factor(n, k);
    std::vector<Index> chosen;
    for (Index s = 0; s < k; ++s) {
        double target = rng.uniform() * variance.sum();
        Index pick = -1;
        for (Index i = 0; i < n; ++i) {
            if (variance(i) <= 0) continue;
            pick = i;
            if ((target -= variance(i)) < 0) break;
        }
        chosen.push_back(pick);
        Vector column = V * V.row(pick).transpose();
        column.noalias() -= factor.leftCols(s) * factor.row(pick).head(s).transpose();
        factor.col(s) = column / std::sqrt(variance(pick));
        variance = (variance - factor.col(s).cwiseAbs2()).cwiseMax(0.0);
        for (const Index i : chosen) variance(i) = 0.0;
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

void check(const Matrix& values, Index rows, Index k, const char* where) {
    if (k < 0 || k > rows)
        throw InvalidArgument(std::string(where) + ": asked for " + std::to_string(k) + " of " + std::to_string(rows) +
                              " rows; ask for 0 to " + std::to_string(rows));
    if (!values.allFinite())
        throw InvalidArgument(std::string(where) + ": the matrix holds NaN or infinite entries; give finite ones");
}

// Eigenvalues below n ε λ_max are rounding error of the decomposition; a truly negative one is the caller's mistake.
Vector cleaned(const Vector& eigenvalues, Index n, Index k, const char* where) {
    const double largest = eigenvalues.size() > 0 ? eigenvalues.maxCoeff() : 0.0;
    const double threshold = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
    if (eigenvalues.size() > 0 && eigenvalues.minCoeff() < -std::max(1e-8 * largest, threshold))
        throw InvalidArgument(std::string(where) + ": the matrix has the eigenvalue " +
                              std::to_string(eigenvalues.minCoeff()) +
                              " but must be positive semi-definite; give a covariance");
    Vector lambda = (eigenvalues.array() > threshold).select(eigenvalues, 0.0);
    const Index rank = (lambda.array() > 0).count();
    if (rank < k)
        throw InvalidArgument(std::string(where) + ": asked for " + std::to_string(k) + " rows of a matrix of rank " +
                              std::to_string(rank) + "; ask for at most its rank, or add a little to its diagonal");
    if (largest > 0) lambda /= largest;  // a common factor changes no probability
    return lambda;
}

}  // namespace

Vector log_elementary_symmetric(const Vector& lambda, Index k) {
    return log_polynomial_table(lambda, k).row(lambda.size()).transpose();
}

std::vector<Index> sample_kdpp(const Matrix& L, Index k, Rng& rng) {
    if (L.rows() != L.cols())
        throw InvalidArgument("sample_kdpp: the matrix is " + std::to_string(L.rows()) + " x " +
                              std::to_string(L.cols()) + " but must be square");
    check(L, L.rows(), k, "sample_kdpp");
    if (k == 0) return {};
    const SymmetricEigen eigen = symmetric_eigen(L);
    const Vector lambda = cleaned(eigen.values, L.rows(), k, "sample_kdpp");
    return sample_projection(eigen.vectors(Eigen::all, choose_eigenvectors(lambda, k, rng)), rng);
}

std::vector<Index> sample_kdpp_dual(const Matrix& C, Index k, Rng& rng) {
    check(C, C.rows(), k, "sample_kdpp_dual");
    if (k == 0) return {};
    // C Cᵀ has the non-zero eigenvalues of CᵀC = W Λ Wᵀ, with eigenvectors C W Λ^(-1/2).
    const SymmetricEigen eigen = symmetric_eigen(C.transpose() * C);
    const Vector lambda = cleaned(eigen.values, C.rows(), k, "sample_kdpp_dual");
    const std::vector<Index> chosen = choose_eigenvectors(lambda, k, rng);
    Matrix V = C * eigen.vectors(Eigen::all, chosen);
    V.colwise().normalize();
    return sample_projection(V, rng);
}

}  // namespace summand::batch
