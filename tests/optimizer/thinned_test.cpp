// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/slices.hpp"

#include <gtest/gtest.h>

namespace summand::optimizer {
namespace {

// Row i: x = i, value = (7 i) mod 101, order = 3 i.
Data told(Index count) {
    Data data{.X = Matrix(count, 1), .y = Vector(count)};
    for (Index i = 0; i < count; ++i) {
        data.X(i, 0) = static_cast<double>(i);
        data.y(i) = static_cast<double>(7 * i % 101);
        data.order.push_back(3 * i);
    }
    return data;
}

TEST(Thinned, KeepsTheBestHalfAndSpreadsTheOthers) {
    const Data data = thinned(told(101), 20);
    ASSERT_EQ(data.y.size(), 20);
    ASSERT_EQ(data.X.rows(), 20);
    int best = 0, early = 0;
    for (Index i = 0; i < 20; ++i) {
        EXPECT_EQ(data.y(i), static_cast<double>(static_cast<Index>(7 * data.X(i, 0)) % 101));  // rows stay whole
        EXPECT_EQ(data.order[static_cast<std::size_t>(i)], static_cast<std::int64_t>(3 * data.X(i, 0)));
        if (i > 0) {
            EXPECT_LT(data.X(i - 1, 0), data.X(i, 0));
        }
        best += data.y(i) >= 91;  // the ten best of 0 .. 100
        early += data.y(i) < 91 && data.X(i, 0) < 50;
    }
    EXPECT_EQ(best, 10);
    EXPECT_GE(early, 4);
    EXPECT_LE(early, 6);
}

TEST(Thinned, LeavesFewPointsAlone) {
    EXPECT_EQ(thinned(told(20), 20).X, told(20).X);
    EXPECT_EQ(thinned(told(5), 20).order, told(5).order);
}

}  // namespace
}  // namespace summand::optimizer
