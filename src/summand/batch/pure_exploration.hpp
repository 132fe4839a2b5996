// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <vector>

namespace summand::batch {

/// Greedy maximisation of det(K_S): k times the row of largest variance given the rows already chosen, which is a
/// pivoted Cholesky factorisation of K [Contal2013; Kathuria2016]. Returned in the order chosen; ties: lowest index.
/// Rows whose variance is exhausted (rank < k) are still returned, the ones with the largest K_ii first, so the result
/// always has k entries. Throws InvalidArgument if k > rows. Cost O(n k²).
std::vector<Index> greedy_determinant(const Matrix& K, Index k);

}  // namespace summand::batch
