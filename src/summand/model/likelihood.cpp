// SPDX-License-Identifier: Apache-2.0
#include "summand/model/likelihood.hpp"

#include "summand/numeric/cholesky.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace summand {
namespace {

Matrix covariance(const LikelihoodData& data, const ScaledInputs& inputs, const Hyperparameters& hyperparameters) {
    Matrix K(data.X.rows(), data.X.rows());
    sum_gram(data.family, data.partition, hyperparameters.variance, inputs, hyperparameters.noise_variance, K);
    return K;
}

// Derivatives of the kernel's parameters, with A = K⁻¹ - ααᵀ given by its lower triangle:
//     ∂/∂θ log p = -½ Σ_ij A_ij ∂K_ij/∂θ,
//     ∂K_ij/∂ log v_m = k_m(i,j),    ∂K_ij/∂ log l_j = -2 d_j(i,j) dk_m/d(r²),    d_j = δ_j² / l_j².
// Distances are computed again, a column at a time, instead of kept: keeping them would take D N² numbers.
void add_kernel_gradients(const LikelihoodData& data, const ScaledInputs& inputs,
                          const Hyperparameters& hyperparameters, const Matrix& A, LikelihoodTerms& terms) {
    const Index n = inputs.U.rows();
    Vector kernel(n), slope(n);
    for (Index c = 0; c < n; ++c) {
        const Index count = n - c - 1;  // pairs below the diagonal count twice; on it all distances are 0
        const auto weight = A.col(c).tail(count);
        const double* point = inputs.points.col(c).data();
        for (Index m = 0; m < data.partition.group_count(); ++m) {
            const auto& group = data.partition.group(m);
            const double variance = hyperparameters.variance[m];
            squared_distances(inputs, group, c + 1, count, point, kernel.data());
            apply_kernel_and_slope(data.family, variance, count, kernel.data(), slope.data());
            terms.variance[m] -= 0.5 * A(c, c) * variance + weight.dot(kernel.head(count));
            slope.head(count).array() *= weight.array();
            for (const Index j : group) {
                const auto u = inputs.U.col(j).tail(count).array();
                const double mismatch = inputs.mismatch[j];
                terms.lengthscale[j] +=
                    2 * (mismatch > 0 ? (u != point[j]).select(slope.head(count).array() * mismatch, 0.0).sum()
                                      : (slope.head(count).array() * (u - point[j]).square()).sum());
            }
        }
    }
}

}  // namespace

std::optional<LikelihoodTerms> likelihood_terms(const LikelihoodData& data, const Hyperparameters& hyperparameters,
                                                bool profile_mean) {
    const Index n = data.X.rows();
    const ScaledInputs inputs = scale_inputs(data.X, hyperparameters.lengthscale, data.unordered);
    auto factor = Cholesky::try_factor(covariance(data, inputs, hyperparameters));
    if (!factor) return {};

    // The mean enters as y - mean 1; the best one is 1ᵀK⁻¹y / 1ᵀK⁻¹1.
    LikelihoodTerms terms{.mean = hyperparameters.mean,
                          .lengthscale = Vector::Zero(data.partition.dimension()),
                          .variance = Vector::Zero(data.partition.group_count())};
    Vector whitened = factor->forward(data.y);
    const Vector ones = factor->forward(Vector::Ones(n));
    if (profile_mean && n > 0) terms.mean = ones.dot(whitened) / ones.squaredNorm();
    whitened -= terms.mean * ones;
    terms.log_likelihood = -0.5 * (whitened.squaredNorm() + factor->log_determinant() +
                                   static_cast<double>(n) * std::log(2 * std::numbers::pi));

    const Vector alpha = factor->backward(whitened);
    Matrix A = std::move(*factor).into_inverse();
    A.selfadjointView<Eigen::Lower>().rankUpdate(alpha, -1.0);
    add_kernel_gradients(data, inputs, hyperparameters, A, terms);
    terms.noise = -0.5 * hyperparameters.noise_variance * A.diagonal().sum();
    terms.mean_slope = profile_mean ? 0.0 : alpha.sum();
    return terms;
}

}  // namespace summand
