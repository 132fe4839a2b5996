// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

namespace summand {

/// R with R Rᵀ = A for a symmetric positive semi-definite A, whose eigenvalues below 0 are rounding errors and count as 0.
/// Unlike Cholesky it needs no jitter, however small A is beside the errors it was computed with. Both triangles are read. O(n³),
/// ten times as much as Cholesky. A holds finite numbers.
Matrix square_root(const Matrix& A);

}  // namespace summand
