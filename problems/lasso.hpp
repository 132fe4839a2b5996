// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

namespace summand::problems {

/// A linear regression with D features of which D/20 matter, and its folds for cross-validation.
struct LassoData {
    Matrix X = {};  ///< rows are training samples
    Vector y = {};
    Vector truth = {};           ///< the coefficients that made y
    std::vector<int> fold = {};  ///< of each sample
    double penalty_max = 0.0;    ///< max_j |X_jᵀ y| / n: above it no coefficient is nonzero
};
inline constexpr int lasso_folds = 5;

/// The data of docs/problems/lasso-synthetic.md.
LassoData make_lasso_data(Index dimension, std::uint64_t seed);

/// argmin_w |y - X w|² / (2n) + Σ_j penalty_j |w_j|, by coordinate descent until no coefficient moves by more than 1e-9.
Vector weighted_lasso(const Matrix& X, const Vector& y, const Vector& penalty);

/// Minimised: cross-validated squared error over that of the true coefficients, at penalties penalty_max · 10^(x_j - 1).
Problem make_lasso(const std::string& name, const Options& options);

}  // namespace summand::problems
