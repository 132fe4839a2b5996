// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/domain.hpp"

#include "summand/numeric/sobol.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

namespace summand {
namespace {

constexpr std::int64_t most_listed = 1000;  // longer lists are searched by their box and snapped
using Kind = Column::Kind;

Column column_of(const std::shared_ptr<const Encoding>& encoding, Index j) {
    if (encoding->kind(j) == Encoding::Kind::continuous) return Column::continuous();
    const bool unordered = encoding->kind(j) == Encoding::Kind::unordered;
    if (!unordered && encoding->count(j) > most_listed) {
        Column column = Column::continuous();
        column.kind = Kind::ordered;
        column.snap = [encoding, j](double unit) { return encoding->snap(j, unit); };
        return column;
    }
    std::vector<double> values;
    for (std::int64_t k = 0; k < encoding->count(j); ++k) values.push_back(encoding->unit(j, k));
    return unordered ? Column::unordered(std::move(values)) : Column::ordered(std::move(values));
}

// The position in an increasing list of the entry nearest to u; ties: the lower one.
std::size_t nearest(const std::vector<double>& values, double u) {
    const auto above = std::lower_bound(values.begin(), values.end(), u);
    if (above == values.begin()) return 0;
    if (above == values.end()) return values.size() - 1;
    const auto i = static_cast<std::size_t>(above - values.begin());
    return u - values[i - 1] <= values[i] - u ? i - 1 : i;
}

}  // namespace

Column Column::continuous(double low, double high) {
    return Column{Kind::continuous, {}, low, high, {}};
}

Column Column::ordered(std::vector<double> values) {
    assert(!values.empty() && std::is_sorted(values.begin(), values.end()));
    const double low = values.front(), high = values.back();
    return Column{Kind::ordered, std::move(values), low, high, {}};
}

Column Column::unordered(std::vector<double> values) {
    Column column = ordered(std::move(values));
    column.kind = Kind::unordered;
    return column;
}

Domain::Domain(std::vector<Column> columns) : columns_(std::move(columns)) {}

Domain Domain::cube(Index dimension) {
    return Domain(std::vector<Column>(static_cast<std::size_t>(dimension)));
}

Domain Domain::of(const Encoding& encoding) {
    const auto shared = std::make_shared<const Encoding>(encoding);
    std::vector<Column> columns;
    for (Index j = 0; j < encoding.dimension(); ++j) columns.push_back(column_of(shared, j));
    return Domain(std::move(columns));
}

bool Domain::all_continuous() const {
    return std::all_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.kind == Kind::continuous; });
}

Domain Domain::group(const std::vector<Index>& columns) const {
    std::vector<Column> chosen;
    for (const Index j : columns) chosen.push_back(column(j));
    return Domain(std::move(chosen));
}

Domain Domain::within(const Vector& low, const Vector& high) const {
    assert(low.size() == dimension() && high.size() == dimension());
    std::vector<Column> columns = columns_;
    for (Index j = 0; j < dimension(); ++j) {
        Column& c = columns[static_cast<std::size_t>(j)];
        if (c.kind == Kind::unordered) continue;
        if (!listed(j)) {
            const double lower = std::clamp(low(j), c.low, c.high);
            c.high = std::max(lower, std::clamp(high(j), c.low, c.high));
            c.low = lower;
            continue;
        }
        const double middle = c.values[nearest(c.values, 0.5 * (low(j) + high(j)))];
        std::erase_if(c.values, [&](double v) { return (v < low(j) || v > high(j)) && v != middle; });
        c = Column::ordered(std::move(c.values));
    }
    return Domain(std::move(columns));
}

std::int64_t Domain::point_count() const {
    std::int64_t count = 1;
    for (const Column& c : columns_) {
        if (c.values.empty() || count > (std::int64_t{1} << 62) / static_cast<std::int64_t>(c.values.size())) return 0;
        count *= static_cast<std::int64_t>(c.values.size());
    }
    return count;
}

Matrix Domain::enumerate() const {
    const std::int64_t count = point_count();
    Matrix points(count, dimension());
    std::int64_t run = 1;  // how often a value repeats before the next one
    for (Index j = dimension() - 1; j >= 0; --j) {
        const auto& values = column(j).values;
        const auto size = static_cast<std::int64_t>(values.size());
        for (std::int64_t i = 0; i < count; ++i) points(i, j) = values[static_cast<std::size_t>(i / run % size)];
        run *= size;
    }
    return points;
}

Vector Domain::low() const {
    Vector result(dimension());
    for (Index j = 0; j < dimension(); ++j) result(j) = column(j).low;
    return result;
}

Vector Domain::high() const {
    Vector result(dimension());
    for (Index j = 0; j < dimension(); ++j) result(j) = column(j).high;
    return result;
}

Vector Domain::snap(const Vector& z) const {
    Vector result(dimension());
    for (Index j = 0; j < dimension(); ++j) {
        const Column& c = column(j);
        if (listed(j))
            result(j) = c.values[nearest(c.values, z(j))];
        else
            result(j) = c.snap ? c.snap(std::clamp(z(j), c.low, c.high)) : std::clamp(z(j), c.low, c.high);
    }
    return result;
}

bool Domain::contains(const Vector& z) const {
    return z.size() == dimension() && snap(z) == z;
}

double Domain::place(Index j, double u) const {
    const Column& c = column(j);
    if (listed(j)) {
        const auto size = c.values.size();
        return c.values[std::min(size - 1, static_cast<std::size_t>(u * static_cast<double>(size)))];
    }
    const double value = c.low + u * (c.high - c.low);
    return c.snap ? c.snap(value) : value;
}

Vector Domain::random(Rng& rng) const {
    Vector z(dimension());
    for (Index j = 0; j < dimension(); ++j) z(j) = place(j, rng.uniform());
    return z;
}

Matrix Domain::spread(Index count, Rng& rng) const {
    Matrix points(count, dimension());
    if (dimension() <= largest_sobol_dimension) {
        points = sobol_points(count, dimension(), rng);
        for (Index j = 0; j < dimension(); ++j)
            for (Index i = 0; i < count; ++i) points(i, j) = place(j, points(i, j));
    } else {
        for (Index i = 0; i < count; ++i) points.row(i) = random(rng).transpose();
    }
    return points;
}

Matrix Domain::near(const Vector& z, Index count, double scale, Rng& rng) const {
    Matrix points(count, dimension());
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < dimension(); ++j) {
            const Column& c = column(j);
            const double step = scale * rng.normal();
            if (c.kind == Kind::unordered) {
                points(i, j) = rng.uniform() < scale ? place(j, rng.uniform()) : c.values[nearest(c.values, z(j))];
            } else if (listed(j)) {
                // A step of the same length counted in values, and at least one value away or none at all.
                const double last = static_cast<double>(c.values.size() - 1);
                const double shift = std::copysign(std::ceil(std::abs(step) * last - 0.5), step);
                const double position = static_cast<double>(nearest(c.values, z(j))) + shift;
                points(i, j) = c.values[static_cast<std::size_t>(std::clamp(position, 0.0, last))];
            } else {
                const double value = std::clamp(z(j) + step * (c.high - c.low), c.low, c.high);
                points(i, j) = c.snap ? c.snap(value) : value;
            }
        }
    return points;
}

}  // namespace summand
