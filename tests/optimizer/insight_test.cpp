// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/insight.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

StructureView guess() {
    return {.names = {"a", "b", "c"},
            .groups = {{"a", "b"}, {"c"}},
            .pair_probability = {{1, 0.5, 0.1}, {0.5, 1, 0.9}, {0.1, 0.9, 1}},
            .verdict = "Chains end in different groups.",
            .models = {{"learned groups", 0.03}, {"every parameter alone", 0.71}, {"one group", 0.26}}};
}

TEST(StructureView, NamesGroupsOnlyIfTheVerdictSaysThatTheyAreFound) {
    StructureView view = guess();
    EXPECT_EQ(in_sentences(view),
              (std::vector<std::string>{
                  "No groups were found.", "Chains end in different groups.",
                  "Pairs that are together in most samples of the learner: b and c (90 %).",
                  "The model that foretells best: every parameter alone (weight 71 %); learned groups: 3 %."}));
    EXPECT_EQ(in_short(view), "none found; every parameter alone leads (71 %)");
    view.found = true;
    view.verdict = "Independent chains found the same groups.";
    EXPECT_EQ(in_sentences(view),
              (std::vector<std::string>{
                  "Groups: {a, b} and 1 alone.", "Independent chains found the same groups.",
                  "The model that foretells best: every parameter alone (weight 71 %); learned groups: 3 %."}));
    EXPECT_EQ(in_short(view), "{a, b} and 1 alone");
}

TEST(StructureView, SaysSoIfNoPairIsLikelyOrNothingHasBeenLearned) {
    StructureView view = guess();
    view.pair_probability = {{1, 0.5, 0.5}, {0.5, 1, 0.5}, {0.5, 0.5, 1}};
    view.models.clear();
    EXPECT_TRUE(likely_pairs(view).empty());
    EXPECT_EQ(in_sentences(view).back(), "No two parameters are together in most samples of the learner.");
    EXPECT_EQ(in_short(view), "none found");
    EXPECT_EQ(in_sentences({.verdict = "Nothing has been learned yet."}),
              std::vector<std::string>{"Nothing has been learned yet."});
    EXPECT_EQ(in_short({}), "not learned yet");
}

TEST(StructureView, GivesTheMostProbablePairsFirstAndCountsTheOthers) {
    StructureView view;
    for (int k = 0; k < 5; ++k) view.names.push_back("x" + std::to_string(k));
    view.groups = {view.names};
    view.pair_probability.assign(5, std::vector<double>(5, 0.6));
    view.pair_probability[2][4] = 0.8;
    EXPECT_EQ(likely_pairs(view).front().first, "x2");
    EXPECT_EQ(likely_pairs(view).size(), 10u);
    EXPECT_NE(in_sentences(view)[1].find("x2 and x4 (80 %), x0 and x1 (60 %)"), std::string::npos);
    EXPECT_NE(in_sentences(view)[1].find("and 4 more."), std::string::npos);
}

TEST(StructureView, WritesGroupsOfOneAsACount) {
    EXPECT_EQ(groups_text({{"a"}, {"b", "c"}, {"d"}}), "{b, c} and 2 alone");
    EXPECT_EQ(groups_text({{"a"}, {"b"}}), "every parameter alone");
    EXPECT_EQ(groups_text({{"a", "b"}}), "{a, b}");
}

}  // namespace
}  // namespace summand
