// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

namespace summand {

/// Values in units in which they can be squared without overflow or underflow: y = unit * values, but for the
/// largest and the smallest.
struct WorkingValues {
    Vector values = {};
    double unit = 1.0;  ///< a power of two: dividing by it changes no digit
};

/// No value is further from 0 than the one in working units, and none but 0 is nearer than the other.
constexpr double largest_working_value = 1e50, smallest_working_value = 1e-60;

/// The unit is the one of 1, 2^±200, 2^±400, .. that is nearest to the spread: 1, so that nothing changes, for a spread between
/// 2^-100 and 2^100 (1e-30 and 1e30), and seldom another when values are added. The spread is the median of those distances to
/// the median value that are not 0: neither one huge value nor many equal ones decide about it. Values beyond
/// largest_working_value units are clipped to it; only values far outside of the spread of the others are. Values below
/// smallest_working_value count as 0, or a sample of them alone would underflow. Values that are NaN or infinite come back as
/// they are, for the caller to refuse.
WorkingValues in_working_units(const Vector& y);
/// The same with a unit that is given.
Vector in_unit(const Vector& y, double unit);

/// value * unit^power, kept within the finite numbers.
double in_users_units(double value, double unit, int power);

}  // namespace summand
