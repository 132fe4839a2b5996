// SPDX-License-Identifier: Apache-2.0
// The additive GP written as its formulas stand, with loops, std::exp and LU: slow, and independent of the library's paths.
#pragma once
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/model/kernel.hpp"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace summand::test {

struct Problem {
    KernelFamily family = KernelFamily::matern52;
    Partition partition = {};
    Hyperparameters hyperparameters = {};
    std::vector<bool> unordered = {};
    Matrix X = {};
    Vector y = {};
};

inline constexpr KernelFamily families[] = {KernelFamily::squared_exponential, KernelFamily::matern52};
inline constexpr double tolerance = 2e-9;  // of a posterior: the error of solving with a condition number of some 1e5

inline AdditiveGp gp_of(const Problem& p) {
    return {p.family, p.partition, p.hyperparameters, p.X, p.y, p.unordered};
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

inline Matrix uniform_points(Index count, Index dimension, Rng rng) {
    return Matrix::NullaryExpr(count, dimension, [&] { return rng.uniform(); });
}

/// Random data with mixed groups of six parameters, the last a choice of three; lengthscales 0.2 to 0.8, noise 0.01.
/// The covariance's condition number is below n · 6 / 0.01 = 6e2 n.
inline Problem mixed_problem(KernelFamily family, Index n, std::uint64_t seed) {
    Rng rng = Rng::from_seed(seed);
    Problem p{.family = family, .partition = Partition::from_groups({{0, 3}, {1}, {2, 4, 5}}, 6)};
    p.hyperparameters = {.lengthscale = Vector::NullaryExpr(6, [&] { return rng.uniform(0.2, 0.8); }),
                         .variance = Vector::NullaryExpr(3, [&] { return rng.uniform(0.5, 2.0); }),
                         .noise_variance = 0.01,
                         .mean = 0.7};
    p.unordered = {false, false, false, false, false, true};
    p.X = uniform_points(n, 6, rng.stream("points"));
    for (Index i = 0; i < n; ++i) p.X(i, 5) = (static_cast<double>(rng.below(3)) + 0.5) / 3;
    p.y = Vector::NullaryExpr(n, [&] { return 3 * rng.normal() + 1; });
    return p;
}

inline double dense_kernel(const Problem& p, Index m, const Vector& a, const Vector& b) {
    double r2 = 0;
    for (const Index j : p.partition.group(m)) {
        const bool choice = !p.unordered.empty() && p.unordered[static_cast<std::size_t>(j)];
        const double delta = choice ? (a[j] == b[j] ? 0.0 : 1.0) : a[j] - b[j];
        r2 += std::pow(delta / p.hyperparameters.lengthscale[j], 2);
    }
    const double r = std::sqrt(r2);
    const double smooth = std::exp(-r2 / 2);
    const double matern = (1 + std::sqrt(5.0) * r + 5 * r2 / 3) * std::exp(-std::sqrt(5.0) * r);
    const double shape = p.family == KernelFamily::squared_exponential ? smooth : matern;
    return p.hyperparameters.variance[m] * shape;
}

inline Matrix dense_gram(const Problem& p, Index m, const Matrix& A, const Matrix& B) {
    Matrix K(A.rows(), B.rows());
    for (Index i = 0; i < A.rows(); ++i)
        for (Index j = 0; j < B.rows(); ++j) K(i, j) = dense_kernel(p, m, A.row(i), B.row(j));
    return K;
}

inline Matrix dense_sum_gram(const Problem& p, const Matrix& A, const Matrix& B) {
    Matrix K = Matrix::Zero(A.rows(), B.rows());
    for (Index m = 0; m < p.partition.group_count(); ++m) K += dense_gram(p, m, A, B);
    return K;
}

inline Matrix dense_covariance(const Problem& p) {
    return dense_sum_gram(p, p.X, p.X) + p.hyperparameters.noise_variance * Matrix::Identity(p.X.rows(), p.X.rows());
}

inline double dense_log_likelihood(const Problem& p) {
    const Matrix K = dense_covariance(p);
    const Vector residual = p.y.array() - p.hyperparameters.mean;
    const Eigen::PartialPivLU<Matrix> lu(K);
    const double log_determinant = lu.matrixLU().diagonal().array().abs().log().sum();
    return -0.5 * (residual.dot(lu.solve(residual)) + log_determinant +
                   static_cast<double>(p.y.size()) * std::log(2 * std::numbers::pi));
}

/// All D columns with group m's from Z and the others arbitrary: no result of group m may depend on them.
inline Matrix spread(const Problem& p, Index m, const Matrix& Z) {
    Matrix X = Matrix::Constant(Z.rows(), p.partition.dimension(), 0.123);
    for (Index j = 0; j < Z.cols(); ++j) X.col(p.partition.group(m)[static_cast<std::size_t>(j)]) = Z.col(j);
    return X;
}

}  // namespace summand::test
