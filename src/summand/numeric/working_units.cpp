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
constexpr double ordinary_low = 1e-30, ordinary_high = 1e30;

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
    if (spread > 0 && (spread < ordinary_low || spread > ordinary_high))
        result.unit = std::ldexp(1.0, std::ilogb(spread));
    result.values = (y / result.unit).cwiseMax(-largest_working_value).cwiseMin(largest_working_value);
    return result;
}

double in_users_units(double value, double unit, int power) {
    for (int i = 0; i < power; ++i) value = std::clamp(value * unit, -largest, largest);
    return value;
}

}  // namespace summand
