// SPDX-License-Identifier: Apache-2.0
#include "summand/model/partition.hpp"

#include "summand/base/error.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

TEST(Partition, IsCanonicalWhateverTheLabels) {
    const auto a = Partition::from_labels({7, 2, 7, 5}), b = Partition::from_groups({{3}, {1}, {2, 0}}, 4);
    EXPECT_EQ(a, b);
    EXPECT_EQ(std::hash<Partition>{}(a), std::hash<Partition>{}(b));
    EXPECT_EQ(to_text(a), "{0 2} {1} {3}");
    EXPECT_EQ(to_text(a, {"a", "b", "c", "d"}), "{a c} {b} {d}");
    EXPECT_EQ(a.largest_group(), 2);
    EXPECT_TRUE(a.together(0, 2));
    EXPECT_FALSE(a.together(0, 1));
}

TEST(Partition, MovesOneParameterBetweenGroups) {
    const auto p = Partition::from_groups({{0, 2}, {1}, {3}}, 4);
    EXPECT_EQ(p.with(2, 1), Partition::from_groups({{0}, {1, 2}, {3}}, 4));
    EXPECT_EQ(p.with(2, 3), Partition::singletons(4));
    EXPECT_EQ(p.with(1, 0), Partition::from_groups({{0, 1, 2}, {3}}, 4));
}

TEST(Partition, MergesTwoGroups) {
    const auto p = Partition::from_groups({{0, 2}, {1}, {3}}, 4);
    EXPECT_EQ(p.merged(0, 2), Partition::from_groups({{0, 2, 3}, {1}}, 4));
    EXPECT_EQ(p.merged(2, 1), Partition::from_groups({{0, 2}, {1, 3}}, 4));
}

TEST(Partition, MistakesAreRefusedWithASentence) {
    const auto message = [](const std::vector<std::vector<Index>>& groups) -> std::string {
        try {
            Partition::from_groups(groups, 3);
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(message({{0, 1}, {1, 2}}).find("parameter 1 appears twice"), std::string::npos);
    EXPECT_NE(message({{0, 1}}).find("parameter 2 is in no group"), std::string::npos);
    EXPECT_NE(message({{0, 1, 3}}).find("names parameter 3"), std::string::npos);
}

TEST(PairScores, CountPairs) {
    const auto truth = Partition::from_groups({{0, 1, 2}, {3}}, 4), found = Partition::from_groups({{0, 1}, {2, 3}}, 4);
    const PairScores scores = compare(found, truth);  // pairs 01 02 12 are joined in truth, 01 23 in found
    EXPECT_DOUBLE_EQ(scores.together, 1.0 / 3);
    EXPECT_DOUBLE_EQ(scores.separated, 2.0 / 3);
    EXPECT_DOUBLE_EQ(scores.rand_index, 3.0 / 6);
    EXPECT_DOUBLE_EQ(scores.precision, 1.0 / 2);
    EXPECT_DOUBLE_EQ(scores.f1, 2.0 / 5);
    EXPECT_THROW(compare(truth, Partition::single(3)), InvalidArgument);
}

}  // namespace
}  // namespace summand
