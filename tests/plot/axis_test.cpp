// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/axis.hpp"

#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace summand::plot {
namespace {

std::string labels(const std::vector<Tick>& ticks) {
    std::string text;
    for (const Tick& tick : ticks) text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

TEST(LinearTicks, AreRoundNumbersWithEqualDecimals) {
    EXPECT_EQ(labels(linear_ticks(0, 1, 5)), "0 0.2 0.4 0.6 0.8 1.0");
    EXPECT_EQ(labels(linear_ticks(-3, 7, 5)), "-2 0 2 4 6");
    EXPECT_EQ(labels(linear_ticks(0, 200, 4)), "0 50 100 150 200");
    EXPECT_EQ(labels(linear_ticks(0.0011, 0.0029, 4)), "0.0015 0.0020 0.0025");
    EXPECT_EQ(labels(linear_ticks(0, 4e7, 4)), "0 1e7 2e7 3e7 4e7");
    EXPECT_EQ(labels(linear_ticks(1e6, 1.4e6, 4)), "1e6 1.1e6 1.2e6 1.3e6 1.4e6");
    EXPECT_EQ(labels(linear_ticks(0, 3, 10, true)), "0 1 2 3");
}

TEST(LinearTicks, LieInsideAndAreDistinctForAnyRange) {
    for (double low : {-1e9, -7.3, 0.0, 1e-12, 5.5, 1e15})
        for (double range : {1e-9, 1e-3, 0.7, 13.0, 2e6}) {
            if (range < 1e-12 * std::abs(low)) continue;
            const double high = low + range;
            for (int count : {2, 5, 9}) {
                const auto ticks = linear_ticks(low, high, count);
                EXPECT_GE(ticks.size(), 1u) << low << " " << range;
                EXPECT_LE(ticks.size(), static_cast<std::size_t>(1.5 * count) + 2);
                std::set<double> values;
                for (const Tick& tick : ticks) {
                    EXPECT_GE(tick.value, low - 1e-6 * range);
                    EXPECT_LE(tick.value, high + 1e-6 * range);
                    values.insert(tick.value);
                }
                EXPECT_EQ(values.size(), ticks.size());
            }
        }
    EXPECT_EQ(linear_ticks(1, std::nextafter(1, 2), 5).size(), 1u);
    EXPECT_TRUE(linear_ticks(1, 1, 5).empty());
    EXPECT_TRUE(linear_ticks(std::nan(""), 1, 5).empty());
}

TEST(LogTicks, ArePowersOfTenOrFinerOnAShortRange) {
    EXPECT_EQ(labels(log_ticks(1e-5, 1, 5)), "10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰");
    EXPECT_EQ(labels(log_ticks(1e-12, 1, 4)), "10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³ 10⁰");
    EXPECT_EQ(labels(log_ticks(0.1, 5, 5)), "0.1 0.2 0.5 1 2 5");
    EXPECT_EQ(labels(log_ticks(2, 4, 4)), "2.0 2.5 3.0 3.5 4.0");
    EXPECT_TRUE(log_ticks(0, 1, 4).empty());
}

TEST(AxisMap, IsLinearInTheValueOrItsLogarithm) {
    const AxisMap linear{0, 10, 100, 0};
    EXPECT_DOUBLE_EQ(linear(2.5), 75);
    const AxisMap log{1, 100, 0, 200, Axis::Scale::log};
    EXPECT_DOUBLE_EQ(log(10), 100);
    EXPECT_TRUE(std::isnan(log(0)));
}

TEST(AxisRange, IsNeverEmptyAndKeepsGivenEnds) {
    EXPECT_LT(axis_range({}, {3, 3}, true).low, 3);
    EXPECT_GT(axis_range({}, {3, 3}, true).high, 3);
    EXPECT_GT(axis_range({}, {HUGE_VAL, -HUGE_VAL}, true).high, axis_range({}, {HUGE_VAL, -HUGE_VAL}, true).low);
    EXPECT_EQ(axis_range({.low = 0.0}, {1, 2}, true).low, 0);
    EXPECT_GT(axis_range({.low = 0.0}, {1, 2}, true).high, 2);
    EXPECT_EQ(axis_range({.categories = {"a", "b"}}, {}, true).high, 1.5);
    const Range log = axis_range({.scale = Axis::Scale::log}, {-1, 2}, true);
    EXPECT_GT(log.low, 0);
}

}  // namespace
}  // namespace summand::plot
