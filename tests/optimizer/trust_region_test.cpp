// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/trust_region.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace summand::optimizer::trust_region_test {
namespace {

constexpr Index dimension = 20;
const double start = TrustRegion{}.length;

/// The region after values that were better than all before or not, `at_once` of them known at each ask.
TrustRegion after(const std::vector<bool>& better, std::size_t at_once) {
    TrustRegion region;
    for (std::size_t i = 0; i < better.size(); i += at_once) {
        const std::size_t end = std::min(i + at_once, better.size());
        bool improved = false;
        for (std::size_t j = i; j < end; ++j) improved = improved || better[j];
        region = updated(region, improved, static_cast<int>(end - i), dimension);
    }
    return region;
}

/// One better value at place `place` of each of `rounds` rounds of ten.
std::vector<bool> one_better_a_round(int rounds, int place) {
    std::vector<bool> better(static_cast<std::size_t>(10 * rounds), false);
    for (int r = 0; r < rounds; ++r) better[static_cast<std::size_t>(10 * r + place)] = true;
    return better;
}

TEST(TrustRegion, DoublesAfterThreeRoundsThatBroughtSomethingBetter) {
    EXPECT_EQ(after(one_better_a_round(2, 4), 10).length, start);
    EXPECT_EQ(after(one_better_a_round(3, 4), 10).length, 2 * start);
    EXPECT_EQ(after(one_better_a_round(9, 4), 10).length, 1.6);
}

TEST(TrustRegion, HalvesAfterAsManyFailedEvaluationsAsDimensions) {
    EXPECT_EQ(after(std::vector<bool>(19, false), 19).length, start);
    EXPECT_EQ(after(std::vector<bool>(20, false), 10).length, start / 2);
    std::vector<bool> interrupted(30, false);
    interrupted[10] = true;  // the failures before are forgiven, and so are those of its own round
    EXPECT_EQ(after(interrupted, 10).length, start);
    EXPECT_EQ(after(interrupted, 10).failures, 10);
}

TEST(TrustRegion, StartsAgainWhenItHasShrunkToNothing) {
    const TrustRegion region = after(std::vector<bool>(7 * 20, false), 10);  // 0.8 / 2^7 is below 2^-7
    EXPECT_EQ(region.length, start);
}

// Counted by asks, values that come one by one would have to be better three times in a row to let the region grow.
TEST(TrustRegion, IsTheSameHoweverManyValuesAnAskKnows) {
    for (const int place : {0, 4, 9})
        for (const std::size_t at_once : {1, 2, 5}) {
            EXPECT_EQ(after(one_better_a_round(3, place), at_once), after(one_better_a_round(3, place), 10));
            EXPECT_EQ(after(std::vector<bool>(60, false), at_once), after(std::vector<bool>(60, false), 10));
        }
}

TEST(TrustRegion, ABatchOfManyIsOneRound) {
    EXPECT_EQ(after(one_better_a_round(12, 4), 40).length, 2 * start);
    EXPECT_EQ(after(std::vector<bool>(40, false), 40).length, start / 2);
}

}  // namespace
}  // namespace summand::optimizer::trust_region_test
