// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/terminal.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand::plot {
namespace {

TEST(Sparkline, RunsFromTheLowestToTheHighest) {
    EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7}), "▁▂▃▄▅▆▇█");
    EXPECT_EQ(sparkline({5, 5}), "▅▅");
    EXPECT_EQ(sparkline({0, std::nan(""), 1}), "▁ █");
    EXPECT_EQ(sparkline({}), "");
    EXPECT_EQ(sparkline({0, 0, 9, 9}, 2), "▁█");
}

TEST(TextBar, HasEighthsAndKeepsItsWidth) {
    EXPECT_EQ(text_bar(0.5, 4), "██  ");
    EXPECT_EQ(text_bar(0.3125, 4), "█▎  ");
    EXPECT_EQ(text_bar(7, 2), "██");
    EXPECT_EQ(text_bar(std::nan(""), 2), "  ");
}

TEST(TextTable, AlignsColumnsByCharacters) {
    const TextTable table{.head = {"method", "µ"}, .rows = {{"größe", "1.5"}, {"a", "22"}}, .align = "lr"};
    EXPECT_EQ(table.plain(),
              "method    µ\n"
              "------  ---\n"
              "größe   1.5\n"
              "a        22\n");
    EXPECT_EQ(table.markdown(),
              "| method |   µ |\n"
              "|--------|----:|\n"
              "| größe  | 1.5 |\n"
              "| a      |  22 |\n");
    EXPECT_EQ((TextTable{.head = {"a|b"}}).markdown(), "| a\\|b |\n|------|\n");
}

}  // namespace
}  // namespace summand::plot
