// SPDX-License-Identifier: Apache-2.0
#include "summand/space/encoding.hpp"

#include <algorithm>
#include <cmath>

namespace summand {
namespace {

// log(a/b), also of positive numbers whose ratio is no number any more.
double log_ratio(double a, double b) {
    return std::isfinite(a / b) ? std::log(a / b) : std::log(a) - std::log(b);
}

// Within a factor of two differences are exact, and of a ratio near 1 they keep the digits: 2^53 - 1 and 2^53 are two numbers.
bool narrow(double low, double high) {
    return high <= 2 * low;
}

// [low, high] -> [0, 1] and back, in logarithms on a log scale. Both directions are clamped, so rounding never leaves
// the interval.
double to_unit(double value, double low, double high, Scale scale) {
    const double unit = scale == Scale::linear ? (value - low) / (high - low)
                        : narrow(low, high)    ? std::log1p((value - low) / low) / std::log1p((high - low) / low)
                                               : log_ratio(value, low) / log_ratio(high, low);
    return std::clamp(unit, 0.0, 1.0);
}

double from_unit(double unit, double low, double high, Scale scale) {
    const double u = std::clamp(unit, 0.0, 1.0);
    if (u == 1.0) return high;
    if (scale == Scale::linear) return std::clamp(low + u * (high - low), low, high);
    if (narrow(low, high)) return std::clamp(low + low * std::expm1(u * std::log1p((high - low) / low)), low, high);
    const double factor = std::exp(u * log_ratio(high, low));
    return std::clamp(std::isfinite(factor) ? low * factor : std::exp(std::log(low) + u * log_ratio(high, low)), low,
                      high);
}

double integer_unit(const Integer& p, std::int64_t value) {
    return to_unit(static_cast<double>(value), static_cast<double>(p.low), static_cast<double>(p.high), p.scale);
}

// The integer whose image is nearest to `unit`: the rounded inverse or a neighbour (they differ on a log scale).
std::int64_t nearest_integer(const Integer& p, double unit) {
    const double value = from_unit(unit, static_cast<double>(p.low), static_cast<double>(p.high), p.scale);
    const auto below = std::clamp(static_cast<std::int64_t>(std::floor(value)), p.low, p.high);
    const auto above = std::min(below + 1, p.high);
    return std::abs(integer_unit(p, above) - unit) < std::abs(unit - integer_unit(p, below)) ? above : below;
}

// Increasing places in [0, 1], moved by as little as tells every level from the next, however near they are to each other
// beside the range of all.
std::vector<double> told_apart(std::vector<double> places) {
    for (std::size_t k = 1; k < places.size(); ++k) places[k] = std::max(places[k], std::nextafter(places[k - 1], 2.0));
    places.back() = std::min(places.back(), 1.0);
    for (std::size_t k = places.size() - 1; k > 0; --k)
        places[k - 1] = std::min(places[k - 1], std::nextafter(places[k], -1.0));
    return places;
}

}  // namespace

Encoding::Encoding(const SearchSpace& space) : parameters_(space.parameters()) {
    for (const auto& parameter : parameters_) {
        Column column;
        if (const auto* integer = std::get_if<Integer>(&parameter)) {
            column.kind = Kind::ordered;
            column.count = integer->high - integer->low + 1;
        } else if (const auto* choice = std::get_if<Choice>(&parameter)) {
            column.kind = Kind::unordered;
            column.count = static_cast<std::int64_t>(choice->values.size());
        } else if (const auto* levels = std::get_if<Levels>(&parameter)) {
            column.kind = Kind::ordered;
            column.count = static_cast<std::int64_t>(levels->values.size());
            for (const double value : levels->values)
                column.units.push_back(to_unit(value, levels->values.front(), levels->values.back(), levels->scale));
            column.units = told_apart(std::move(column.units));
        }
        columns_.push_back(std::move(column));
    }
}

bool Encoding::all_continuous() const {
    return std::all_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.kind == Kind::continuous; });
}

std::vector<bool> Encoding::unordered_columns() const {
    std::vector<bool> result;
    for (const auto& column : columns_) result.push_back(column.kind == Kind::unordered);
    return result;
}

double Encoding::unit(Index j, std::int64_t k) const {
    const auto& parameter = parameters_[static_cast<std::size_t>(j)];
    const auto& column = columns_[static_cast<std::size_t>(j)];
    if (const auto* integer = std::get_if<Integer>(&parameter)) return integer_unit(*integer, integer->low + k);
    if (column.kind == Kind::unordered) return (static_cast<double>(k) + 0.5) / static_cast<double>(column.count);
    return column.units[static_cast<std::size_t>(k)];
}

std::int64_t Encoding::nearest(Index j, double unit) const {
    const auto& parameter = parameters_[static_cast<std::size_t>(j)];
    const auto& column = columns_[static_cast<std::size_t>(j)];
    if (const auto* integer = std::get_if<Integer>(&parameter)) return nearest_integer(*integer, unit) - integer->low;
    if (column.kind == Kind::unordered)
        return std::clamp(static_cast<std::int64_t>(std::floor(unit * static_cast<double>(column.count))),
                          std::int64_t{0}, column.count - 1);
    const auto& units = column.units;
    const auto above = std::lower_bound(units.begin(), units.end(), unit);
    if (above == units.begin()) return 0;
    if (above == units.end()) return column.count - 1;
    const auto k = above - units.begin();
    return *above - unit < unit - *(above - 1) ? k : k - 1;
}

double Encoding::snap(Index j, double unit) const {
    return kind(j) == Kind::continuous ? std::clamp(unit, 0.0, 1.0) : this->unit(j, nearest(j, unit));
}

Vector Encoding::snap(const Vector& unit) const {
    Vector result(unit.size());
    for (Index j = 0; j < unit.size(); ++j) result[j] = snap(j, unit[j]);
    return result;
}

std::int64_t Encoding::point_count() const {
    constexpr std::int64_t limit = std::int64_t{1} << 62;
    std::int64_t product = 1;
    for (const auto& column : columns_) {
        if (column.count == 0 || product > limit / column.count) return 0;
        product *= column.count;
    }
    return product;
}

Vector Encoding::encode(const Point& point) const {
    Vector unit(dimension());
    for (Index j = 0; j < dimension(); ++j) {
        const auto& parameter = parameters_[static_cast<std::size_t>(j)];
        const Value& value = point[static_cast<std::size_t>(j)];
        if (const auto* real = std::get_if<Real>(&parameter))
            unit[j] = to_unit(std::get<double>(value), real->low, real->high, real->scale);
        else if (const auto* integer = std::get_if<Integer>(&parameter))
            unit[j] = integer_unit(*integer, std::get<std::int64_t>(value));
        else if (const auto* choice = std::get_if<Choice>(&parameter))
            unit[j] =
                this->unit(j, std::find(choice->values.begin(), choice->values.end(), std::get<std::string>(value)) -
                                  choice->values.begin());
        else {
            const auto& values = std::get<Levels>(parameter).values;
            unit[j] =
                this->unit(j, std::lower_bound(values.begin(), values.end(), std::get<double>(value)) - values.begin());
        }
    }
    return unit;
}

Point Encoding::decode(const Vector& unit) const {
    Point point;
    point.reserve(parameters_.size());
    for (Index j = 0; j < dimension(); ++j) {
        const auto& parameter = parameters_[static_cast<std::size_t>(j)];
        if (const auto* real = std::get_if<Real>(&parameter)) {
            point.emplace_back(from_unit(unit[j], real->low, real->high, real->scale));
            continue;
        }
        const std::int64_t k = nearest(j, unit[j]);
        if (const auto* integer = std::get_if<Integer>(&parameter))
            point.emplace_back(integer->low + k);
        else if (const auto* choice = std::get_if<Choice>(&parameter))
            point.emplace_back(choice->values[static_cast<std::size_t>(k)]);
        else
            point.emplace_back(std::get<Levels>(parameter).values[static_cast<std::size_t>(k)]);
    }
    return point;
}

Vector Encoding::random(Rng& rng) const {
    Vector unit(dimension());
    for (Index j = 0; j < dimension(); ++j)
        unit[j] = kind(j) == Kind::continuous ? rng.uniform() : this->unit(j, rng.below(count(j)));
    return unit;
}

}  // namespace summand
