// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

namespace summand {

/// A = V diag(λ) Vᵀ.
struct SymmetricEigen {
    Vector values = {};   ///< λ, ascending
    Matrix vectors = {};  ///< the columns of V, orthonormal
};

/// Of a symmetric matrix of finite numbers; reads the lower triangle. O(n³), some ten times as much as Cholesky.
SymmetricEigen symmetric_eigen(const Matrix& A);

}  // namespace summand
