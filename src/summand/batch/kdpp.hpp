// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"

#include <vector>

namespace summand::batch {

/// Draws k distinct row indices of L from the k-DPP [Kulesza2011]
///
///     P(S) = det(L_S) / e_k(λ),    |S| = k,
///
/// λ the eigenvalues of L, e_k the k-th elementary symmetric polynomial: rows that L calls alike seldom appear together.
///
/// L: symmetric, positive semi-definite, rank >= k; otherwise throws InvalidArgument.
/// Returns sorted indices; depends on (L, k, rng) only. Cost O(n³) for the eigenvectors, O(n k²) for the draw.
/// Differs from the source: eigenvalues below n ε λ_max count as zero (docs/math.md).
std::vector<Index> sample_kdpp(const Matrix& L, Index k, Rng& rng);

/// The same for L = C Cᵀ, given C of n rows and r < n columns: the eigenvectors of the r x r matrix CᵀC are enough
/// (the dual representation [Kulesza2012, sec. 3.3]). Cost O(n r² + r³).
std::vector<Index> sample_kdpp_dual(const Matrix& C, Index k, Rng& rng);

/// log e_j(λ), j = 0 .. k, λ >= 0; -infinity where fewer than j are positive. In logarithms: nothing overflows.
Vector log_elementary_symmetric(const Vector& lambda, Index k);

}  // namespace summand::batch
