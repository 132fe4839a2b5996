// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/pure_exploration.hpp"

#include "summand/base/error.hpp"
#include "summand/numeric/pivoted_cholesky.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace summand::batch {

std::vector<Index> greedy_determinant(const Matrix& K, Index k) {
    const Index n = K.rows();
    if (k < 0 || k > n || K.cols() != n)
        throw InvalidArgument("greedy_determinant: asked for " + std::to_string(k) + " rows of a " + std::to_string(n) +
                              " x " + std::to_string(K.cols()) +
                              " matrix; give a square matrix of at least that many rows");
    std::vector<Index> chosen = pivoted_cholesky(K, k, 0.0).pivots;
    if (static_cast<Index>(chosen.size()) == k) return chosen;
    std::vector<Index> others;
    for (Index i = 0; i < n; ++i)
        if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) others.push_back(i);
    std::stable_sort(others.begin(), others.end(), [&](Index a, Index b) { return K(a, a) > K(b, b); });
    others.resize(static_cast<std::size_t>(k) - chosen.size());
    chosen.insert(chosen.end(), others.begin(), others.end());
    return chosen;
}

}  // namespace summand::batch
