// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/slices.hpp"

#include "summand/acquisition/pathwise.hpp"
#include "summand/numeric/working_units.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace summand::optimizer {
namespace {

std::string name_at(const SearchSpace& space, Index j) {
    return name_of(space[static_cast<std::size_t>(j)]);
}

/// Unit coordinates along one column: all allowed values if there are few, else evenly spread ones.
std::vector<double> axis(const Encoding& encoding, Index j, int resolution) {
    std::vector<double> units;
    const std::int64_t count = encoding.count(j);
    const bool list_all = count > 0 && (count <= resolution || encoding.kind(j) == Encoding::Kind::unordered);
    const std::int64_t steps = list_all ? count : resolution;
    for (std::int64_t k = 0; k < steps; ++k) {
        const double even = steps > 1 ? static_cast<double>(k) / static_cast<double>(steps - 1) : 0.5;
        units.push_back(list_all ? encoding.unit(j, k) : encoding.snap(j, even));
    }
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units;
}

std::vector<Value> in_users_units(const Explained& explained, Index j, const std::vector<double>& units) {
    std::vector<Value> values;
    Vector point = explained.best;
    for (const double unit : units) {
        point(j) = unit;
        values.push_back(explained.encoding.decode(point)[static_cast<std::size_t>(j)]);
    }
    return values;
}

/// Rows over the group's columns: the group's part of the best point with the axes' columns replaced.
Matrix grid(const std::vector<Index>& group, const std::vector<Index>& columns,
            const std::vector<std::vector<double>>& units, const Vector& best) {
    const std::size_t inner = units.size() == 2 ? units[1].size() : 1;
    Matrix Z(static_cast<Index>(units[0].size() * inner), static_cast<Index>(group.size()));
    for (Index i = 0; i < Z.rows(); ++i) {
        const std::size_t position[2] = {static_cast<std::size_t>(i) / inner, static_cast<std::size_t>(i) % inner};
        for (std::size_t c = 0; c < group.size(); ++c) {
            Z(i, static_cast<Index>(c)) = best(group[c]);
            for (std::size_t a = 0; a < columns.size(); ++a)
                if (columns[a] == group[c]) Z(i, static_cast<Index>(c)) = units[a][position[a]];
        }
    }
    return Z;
}

}  // namespace

GroupSlice slice_of(const Explained& explained, const std::vector<Index>& columns, int resolution) {
    const Index m = explained.gp.partition().group_of(columns.front());
    const std::vector<Index>& group = explained.gp.partition().group(m);
    GroupSlice slice;
    slice.additive = explained.gp.partition().group_count() > 1;
    for (const Index j : group) slice.group.push_back(name_at(explained.space, j));
    std::vector<std::vector<double>> units;
    for (const Index j : columns) {
        slice.parameters.push_back(name_at(explained.space, j));
        units.push_back(axis(explained.encoding, j, resolution));
        slice.axes.push_back(in_users_units(explained, j, units.back()));
    }
    const Marginals marginals = explained.gp.group_marginals(m, grid(group, columns, units, explained.best));
    const double offset = slice.additive ? 0.0 : explained.gp.hyperparameters().mean;
    const double sign = explained.goal == Goal::maximize ? 1.0 : -1.0;
    for (Index i = 0; i < marginals.mean.size(); ++i) {
        slice.mean.push_back(sign * summand::in_users_units(marginals.mean(i) + offset, explained.unit, 1));
        slice.stddev.push_back(summand::in_users_units(std::sqrt(marginals.variance(i)), explained.unit, 1));
    }
    return slice;
}

std::vector<GroupSlice> slices_of_groups(const Explained& explained, int resolution) {
    std::vector<GroupSlice> slices;
    for (const std::vector<Index>& group : explained.gp.partition().groups()) {
        if (group.size() <= 2) {
            slices.push_back(slice_of(explained, group, resolution));
            continue;
        }
        for (const Index j : group) slices.push_back(slice_of(explained, {j}, resolution));
    }
    return slices;
}

std::vector<Importance> total_effects(const AdditiveGp& gp, const Encoding& encoding, const Rng& rng) {
    constexpr Index points = 256, functions = 100;
    constexpr int frequencies = 256;
    Matrix X(points, encoding.dimension()), other(points, encoding.dimension());
    for (Index i = 0; i < points; ++i) {
        Rng stream = rng.stream("importance", {i});
        X.row(i) = encoding.random(stream).transpose();
        other.row(i) = encoding.random(stream).transpose();
    }
    const PathwiseDraws draws(gp, Vector::Ones(functions), frequencies, rng.stream("importance/draws"));
    Matrix effect(encoding.dimension(), functions);
    for (Index m = 0; m < gp.partition().group_count(); ++m) {
        const std::vector<Index>& group = gp.partition().group(m);
        const Matrix Z = X(Eigen::indexing::all, group);
        const Matrix values = draws.values(m, Z);
        for (std::size_t c = 0; c < group.size(); ++c) {
            Matrix changed = Z;
            changed.col(static_cast<Index>(c)) = other.col(group[c]);
            effect.row(group[c]) = (values - draws.values(m, changed)).colwise().squaredNorm();
        }
    }
    for (auto column : effect.colwise())
        if (const double sum = column.sum(); sum > 0.0) column /= sum;
    std::vector<Importance> found;
    for (const auto& row : effect.rowwise()) {
        std::vector<double> shares(row.begin(), row.end());
        std::sort(shares.begin(), shares.end());
        found.push_back({row.mean(), shares[functions / 20], shares[functions - 1 - functions / 20]});
    }
    return found;
}

Data thinned(Data data, Index limit) {
    const Index count = data.y.size();
    if (count <= limit) return data;
    std::vector<Index> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), Index{0});
    std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) { return data.y(a) > data.y(b); });
    const Index best = limit / 2, others = limit - best, rest = count - best;
    std::sort(rows.begin() + best, rows.end());  // by time again
    std::vector<Index> kept(rows.begin(), rows.begin() + best);
    for (Index k = 0; k < others; ++k) kept.push_back(rows[static_cast<std::size_t>(best + k * rest / others)]);
    std::sort(kept.begin(), kept.end());
    std::vector<std::int64_t> order;
    for (const Index row : kept) order.push_back(data.order[static_cast<std::size_t>(row)]);
    data.X = Matrix(data.X(kept, Eigen::indexing::all));
    data.y = Vector(data.y(kept));
    data.order = std::move(order);
    return data;
}

}  // namespace summand::optimizer
