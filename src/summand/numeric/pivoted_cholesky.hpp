// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <functional>
#include <vector>

namespace summand {

/// A ≈ F Fᵀ with r <= max_rank columns: the rows in `pivots` are met exactly, the diagonal of A - F Fᵀ is `residual`.
struct PivotedCholesky {
    std::vector<Index> pivots = {};  ///< in the order chosen: each time the row of largest residual, ties: lowest index
    Matrix factor = {};              ///< n x r; its rows at the pivots form a lower triangular matrix
    Vector residual = {};            ///< n, never below 0
};

/// Pivoted Cholesky factorisation of a positive semi-definite matrix [Harbrecht2012]: the greedy choice of rows that
/// explain the others best. Stops at max_rank, or when no residual exceeds `tolerance` (an absolute variance).
/// column(i, target) writes column i of A, so that A need never be formed. O(n r²) and r columns of A.
PivotedCholesky pivoted_cholesky(const Vector& diagonal, const std::function<void(Index, Eigen::Ref<Vector>)>& column,
                                 Index max_rank, double tolerance);
PivotedCholesky pivoted_cholesky(const Matrix& A, Index max_rank, double tolerance);

}  // namespace summand
