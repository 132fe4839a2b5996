// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/planner.hpp"

#include "summand/acquisition/domain.hpp"
#include "summand/optimizer/default_planner.hpp"
#include "summand/optimizer/paper_planner.hpp"

#include <algorithm>
#include <numeric>

namespace summand::optimizer {

std::unique_ptr<Planner> make_planner(const Options& options) {
    if (const auto* paper = std::get_if<PaperStrategy>(&*options.strategy))
        return std::make_unique<PaperPlanner>(*paper);
    return std::make_unique<DefaultPlanner>(std::get<DefaultStrategy>(*options.strategy));
}

Domain domain_of(const Encoding& encoding) {
    constexpr std::int64_t most_listed = 1000;  // longer lists are searched by their box and snapped
    std::vector<Column> columns;
    for (Index j = 0; j < encoding.dimension(); ++j) {
        const std::int64_t count = encoding.count(j);
        if (encoding.kind(j) == Encoding::Kind::continuous) {
            columns.push_back(Column::continuous());
            continue;
        }
        if (encoding.kind(j) == Encoding::Kind::ordered && count > most_listed) {
            columns.push_back({.kind = Column::Kind::ordered,
                               .snap = [&encoding, j](double unit) { return encoding.snap(j, unit); }});
            continue;
        }
        std::vector<double> values;
        for (std::int64_t k = 0; k < count; ++k) values.push_back(encoding.unit(j, k));
        columns.push_back(encoding.kind(j) == Encoding::Kind::ordered ? Column::ordered(values)
                                                                      : Column::unordered(values));
    }
    return Domain(std::move(columns));
}

Matrix best_rows(const Matrix& X, const Vector& y, Index count) {
    std::vector<Index> order(static_cast<std::size_t>(y.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y(a) > y(b); });
    order.resize(static_cast<std::size_t>(std::min<Index>(count, y.size())));
    return X(order, Eigen::indexing::all);
}

}  // namespace summand::optimizer
