// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/working_units.hpp"

#include "summand/base/kth_smallest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace summand {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double octaves = 200.0;  // from one unit to the next

// 0 if all values are equal.
double spread_of(const Vector& y) {
    const double median = kth_smallest(y, y.size() / 2);
    std::vector<double> distances;
    for (const double value : y)
        if (value != median) distances.push_back(std::min(std::abs(value - median), largest));
    if (distances.empty()) return 0.0;
    const Eigen::Map<const Vector> nonzero(distances.data(), static_cast<Index>(distances.size()));
    return kth_smallest(nonzero, nonzero.size() / 2);
}

}  // namespace

WorkingValues in_working_units(const Vector& y) {
    WorkingValues result{.values = y};
    if (y.size() == 0 || !y.allFinite()) return result;
    const double spread = spread_of(y);
    if (spread > 0) result.unit = std::ldexp(1.0, static_cast<int>(octaves * std::round(std::log2(spread) / octaves)));
    result.values = in_unit(y, result.unit);
    return result;
}

Vector in_unit(const Vector& y, double unit) {
    return (y / unit).unaryExpr([](double value) {
        if (std::abs(value) < smallest_working_value) return 0.0;
        return std::clamp(value, -largest_working_value, largest_working_value);
    });
}

double in_users_units(double value, double unit, int power) {
    for (int i = 0; i < power; ++i) value = std::clamp(value * unit, -largest, largest);
    return value;
}

}  // namespace summand
