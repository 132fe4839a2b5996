// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/planner.hpp"

#include "summand/optimizer/uniform_planner.hpp"

#include <algorithm>
#include <numeric>

namespace summand::optimizer {

std::unique_ptr<Planner> make_planner(const Options&) {
    return std::make_unique<UniformPlanner>();
}

Matrix best_rows(const Matrix& X, const Vector& y, Index count) {
    std::vector<Index> order(static_cast<std::size_t>(y.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y(a) > y(b); });
    order.resize(static_cast<std::size_t>(std::min<Index>(count, y.size())));
    return X(order, Eigen::indexing::all);
}

}  // namespace summand::optimizer
