// SPDX-License-Identifier: Apache-2.0
#include "experiments/statistics.hpp"

#include "summand/base/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand::experiments {
namespace {

TEST(Statistics, MeanDeviationAndErrorFollowTheDefinitions) {
    const Summary summary = summarize({1.0, 2.0, 4.0, 5.0});
    EXPECT_EQ(summary.count, 4);
    EXPECT_DOUBLE_EQ(summary.mean, 3.0);
    EXPECT_DOUBLE_EQ(summary.stddev, std::sqrt(10.0 / 3.0));
    EXPECT_DOUBLE_EQ(summary.standard_error(), std::sqrt(10.0 / 12.0));
}

TEST(Statistics, OneValueHasNoDeviationAndNoneHasNothing) {
    EXPECT_EQ(summarize({7.0}).stddev, 0.0);
    EXPECT_EQ(summarize({}).count, 0);
    EXPECT_EQ(summarize({}).standard_error(), 0.0);
}

TEST(Statistics, ACurveIsSummarisedAtEachStep) {
    const Curve curve = mean_curve({{1.0, 10.0}, {3.0, 10.0}});
    EXPECT_EQ(curve.mean, (std::vector<double>{2.0, 10.0}));
    EXPECT_DOUBLE_EQ(curve.error[0], 1.0);
    EXPECT_EQ(curve.error[1], 0.0);
}

TEST(Statistics, RunsOfDifferentLengthAreRefused) {
    EXPECT_THROW(mean_curve({{1.0}, {1.0, 2.0}}), InvalidArgument);
}

TEST(Statistics, DifferencesArePairedByRepeat) {
    EXPECT_EQ(paired_differences({{0, 5.0}, {1, 3.0}, {3, 9.0}}, {{0, 4.0}, {2, 1.0}, {3, 10.0}}),
              (std::vector<double>{1.0, -1.0}));
}

TEST(Statistics, ThinningKeepsBothEnds) {
    for (const std::size_t count : {1, 59, 60, 61, 250, 1000}) {
        const auto indices = thinned_indices(count);
        EXPECT_EQ(indices.front(), 0U);
        EXPECT_EQ(indices.back(), count - 1);
        EXPECT_LE(indices.size(), 121U);
    }
}

}  // namespace
}  // namespace summand::experiments
