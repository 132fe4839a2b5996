// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/working_units.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand {
namespace {

Vector vector_of(std::initializer_list<double> values) {
    return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

TEST(WorkingUnits, OrdinaryValuesStayAsTheyAreBitForBit) {
    for (const Vector& y : {vector_of({}), vector_of({3.7}), vector_of({0, 0, 0}), vector_of({1e25, 1.0, -3.3, 1e-20}),
                            vector_of({1e15 + 0.125, 1e15, 1e15 + 3})}) {
        const WorkingValues working = in_working_units(y);
        EXPECT_EQ(working.unit, 1.0);
        EXPECT_EQ(working.values, y);
    }
}

TEST(WorkingUnits, ScalesByAPowerOfTwoSoThatNoDigitChanges) {
    const Vector y = vector_of({0.1, 0.7, -1.3, 2.9});
    for (const int exponent : {-1000, -565, 532, 1020}) {
        const WorkingValues working = in_working_units(y * std::ldexp(1.0, exponent));
        EXPECT_EQ(working.values * (working.unit / std::ldexp(1.0, exponent)), y) << exponent;
        EXPECT_GE(working.values.cwiseAbs().maxCoeff(), 1e-31);
        EXPECT_LE(working.values.cwiseAbs().maxCoeff(), 1e31);
    }
}

TEST(WorkingUnits, OneHugeValueIsClippedAndTheOthersStay) {
    for (const double huge : {1e160, 1e300, -1e300}) {
        const WorkingValues working = in_working_units(vector_of({1, 2, 3, huge, 4}));
        EXPECT_EQ(working.unit, 1.0);
        EXPECT_EQ(working.values, vector_of({1, 2, 3, std::copysign(largest_working_value, huge), 4}));
    }
}

TEST(WorkingUnits, WhatIsNothingBesideTheSpreadCountsAsZero) {
    const WorkingValues working = in_working_units(vector_of({1, -1, 2, 3, 7.9e-196, 5.8e-301, 1e-59, -1e-61}));
    EXPECT_EQ(working.unit, 1.0);
    EXPECT_EQ(working.values, vector_of({1, -1, 2, 3, 0, 0, 1e-59, 0}));
}

TEST(WorkingUnits, EqualValuesDoNotHideTheSpreadOfTheOthers) {
    const WorkingValues working = in_working_units(vector_of({0, 0, 0, 0, 0, 3e-200, 0}));
    EXPECT_EQ(working.unit, std::ldexp(1.0, -600));
    EXPECT_EQ(working.values.maxCoeff(), 3e-200 / working.unit);
    EXPECT_EQ(working.values.minCoeff(), 0.0);
}

TEST(WorkingUnits, TheLargestAndTheSmallestNumbersGiveFiniteValuesThatDiffer) {
    const double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
    for (const Vector& y : {vector_of({most, -most}), vector_of({most, -most, 0, most / 2}), vector_of({least, 0}),
                            vector_of({least, most}), vector_of({least, 2 * least, 3 * least, most, -most})}) {
        const WorkingValues working = in_working_units(y);
        EXPECT_TRUE(working.values.allFinite());
        EXPECT_LE(working.values.cwiseAbs().maxCoeff(), largest_working_value);
        EXPECT_GT(working.values.maxCoeff(), working.values.minCoeff());
    }
}

TEST(WorkingUnits, WhatLeavesTheFiniteNumbersIsTheLargestOfThem) {
    EXPECT_EQ(in_users_units(3.0, 4.0, 2), 48.0);
    EXPECT_EQ(in_users_units(2.0, 1e200, 2), std::numeric_limits<double>::max());
    EXPECT_EQ(in_users_units(-2.0, 1e200, 2), -std::numeric_limits<double>::max());
}

}  // namespace
}  // namespace summand
