// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/representative.hpp"

#include "summand/numeric/working_units.hpp"

#include <algorithm>

namespace summand::optimizer {

std::vector<Index> representative_rows(const Vector& y, Index limit, Rng rng) {
    const Index n = y.size(), quarter = limit / 4;
    std::vector<Index> rows;
    if (n <= limit) {
        for (Index i = 0; i < n; ++i) rows.push_back(i);
        return rows;
    }
    std::vector<Index> older;
    for (Index i = 0; i < n - quarter; ++i) older.push_back(i);
    std::stable_sort(older.begin(), older.end(), [&](Index a, Index b) { return y(a) > y(b); });
    for (Index i = n - quarter; i < n; ++i) rows.push_back(i);
    rows.insert(rows.end(), older.begin(), older.begin() + quarter);
    std::vector<Index> rest(older.begin() + quarter, older.end());
    rng.shuffle(rest);
    rows.insert(rows.end(), rest.begin(), rest.begin() + (limit - static_cast<Index>(rows.size())));
    std::sort(rows.begin(), rows.end());
    return rows;
}

Data model_data(Data data, Index limit, const Rng& rng, std::optional<double> unit) {
    if (data.y.size() > limit) {
        const std::vector<Index> rows = representative_rows(data.y, limit, rng);
        data.X = Matrix(data.X(rows, Eigen::indexing::all));
        data.y = Vector(data.y(rows));
        std::vector<std::int64_t> order;
        for (const Index i : rows) order.push_back(data.order[static_cast<std::size_t>(i)]);
        data.order = std::move(order);
    }
    data.unit = unit.value_or(in_working_units(data.y).unit);
    data.y = in_unit(data.y, data.unit);
    return data;
}

}  // namespace summand::optimizer
