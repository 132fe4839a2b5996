// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/combine.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace summand::batch {
namespace {

// Writes part order[i] of group m into row i, for every i.
void place(Matrix& points, const std::vector<Index>& columns, const Matrix& rows,
           const std::vector<std::int64_t>& order) {
    assert(rows.rows() == points.rows() && rows.cols() == static_cast<Index>(columns.size()));
    for (Index i = 0; i < points.rows(); ++i)
        for (std::size_t c = 0; c < columns.size(); ++c)
            points(i, columns[c]) = rows(order[static_cast<std::size_t>(i)], static_cast<Index>(c));
}

Index part_count(const std::vector<Parts>& parts) {
    return parts.empty() ? 0 : parts.front().rows.rows();
}

}  // namespace

Matrix combine_at_random(const Partition& partition, const std::vector<Parts>& parts, Rng& rng) {
    Matrix points(part_count(parts), partition.dimension());
    for (std::size_t m = 0; m < parts.size(); ++m)
        place(points, partition.groups()[m], parts[m].rows, rng.permutation(points.rows()));
    return points;
}

Matrix combine_by_quality(const Partition& partition, const std::vector<Parts>& parts) {
    Matrix points(part_count(parts), partition.dimension());
    for (std::size_t m = 0; m < parts.size(); ++m) {
        std::vector<std::int64_t> order(static_cast<std::size_t>(points.rows()));
        std::iota(order.begin(), order.end(), 0);
        const Vector& quality = parts[m].quality;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return quality(a) > quality(b); });
        place(points, partition.groups()[m], parts[m].rows, order);
    }
    return points;
}

}  // namespace summand::batch
