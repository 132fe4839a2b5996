// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/figure.hpp"

#include "support/xml.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand::plot {
namespace {

using summand::testing::count_of;
using summand::testing::xml_problem;

std::vector<Panel> every_kind() {
    const std::vector<double> x = {1, 2, 3}, y = {1, 4, 2};
    const Grid grid{{0, 1, 2}, {0, 1}, {0, 1, 2, 3, 4, 5}};
    Panel lines{.title = "lines & <bands>", .x = {.label = "x"}, .y = {.label = "y", .scale = Axis::Scale::log}};
    lines.series = {
        Band{.name = "a", .x = x, .low = {0, 1, 1}, .high = {2, 5, 3}},
        Line{.name = "a", .x = x, .y = y, .step = true},
        Scatter{.name = "b", .x = x, .y = y, .tooltips = {"<1>", "2", "3"}, .marker = Scatter::Marker::cross},
        ErrorBars{.name = "c", .x = x, .y = y, .error = {0.5, 0.5, 0.5}},
        Rule{.name = "d", .at = 2},
        Rule{.at = 2, .vertical = true}};
    Panel bars{.title = "bars", .y = {.categories = {"p", "q", "r"}}};
    bars.series = {
        Bars{.values = {1, -2, 3}, .errors = {0.1, 0.1, 0.1}, .labels = {"1", "2", "3"}, .horizontal = true}};
    Panel cells{.title = "cells", .x = {.categories = {"u", "v", "w"}}, .y = {.reversed = true}};
    cells.series = {HeatMap{.grid = grid, .colors = {.map = ColorScale::Map::tint, .high = 5}}};
    cells.color_bar = ColorBar{{.high = 5}, "share"};
    Panel map{.title = "map"};
    map.series = {Contours{.grid = grid, .colors = {.high = 5}}};
    return {lines, bars, cells, map};
}

TEST(Figure, OfEveryKindOfSeriesIsWellFormed) {
    for (const int columns : {1, 2, 7})
        for (const bool shared : {false, true})
            EXPECT_EQ(xml_problem(figure(every_kind(), {.title = "all", .columns = columns, .shared_legend = shared})),
                      "");
    EXPECT_EQ(xml_problem(figure({})), "");
    EXPECT_EQ(xml_problem(figure({Panel{}})), "");
}

TEST(Figure, InAPagePointsStayOnePathThatNamesThem) {
    Panel panel;
    panel.series = {Scatter{.x = {1, 2, 3}, .y = {1, 4, 2}, .tooltips = {"a", "b", "c"}, .ids = {17, 5, 9}},
                    Scatter{.x = {1, NAN, 3}, .y = {1, 4, 2}, .tooltips = {"<u>", "v", "w\nz"}},
                    Line{.x = {1, 2}, .y = {1, 2}, .id = 12}};
    const std::string page = figure({panel}, {.document = Document::inline_html}), file = figure({panel});
    EXPECT_EQ(count_of(page, "data-ids=\"17 5 9\""), 1);
    EXPECT_EQ(count_of(page, "data-tips=\"&lt;u&gt;\nw z\""), 1);  // a point that is not drawn has no name
    EXPECT_EQ(count_of(page, "data-ids=\"12\""), 1);
    EXPECT_EQ(count_of(page, "<title>"), 0);
    EXPECT_EQ(count_of(file, "<title>"), 5);
    EXPECT_EQ(count_of(file, "data-"), 0);
}

TEST(Figure, InAPageAMapTellsItsValues) {
    Panel panel;
    panel.series = {HeatMap{.grid = {{0, 1, 2}, {0, 1}, {0, 1, 2, 3, 4, NAN}},
                            .colors = {.high = 5},
                            .tip = {.text = "{x} and {y}: {z}", .x = {"a", "b", "{y}"}, .y = {"p", "q"}}}};
    const std::string page = figure({panel}, {.document = Document::inline_html}), file = figure({panel});
    EXPECT_EQ(count_of(page, "data-z=\"0090i0qzzz--\""), 1);  // quarters of 1295 = zz in base 36
    EXPECT_EQ(count_of(page, "data-columns=\"a\nb\n{y}\""), 1);
    EXPECT_EQ(count_of(page, "data-high=\"4\""), 1);
    EXPECT_EQ(count_of(file, "<title>{y} and p: 2</title>"), 1);
    EXPECT_EQ(count_of(file, "data-"), 0);
}

TEST(Figure, ANameHasOneEntryAndOneColourInAllPanels) {
    Panel first, second;
    first.series = {Line{.name = "ours", .x = {0, 1}, .y = {0, 1}}, Line{.name = "theirs", .x = {0, 1}, .y = {1, 0}}};
    second.series = {Line{.name = "theirs", .x = {0, 1}, .y = {1, 0}}};
    const std::string text =
        figure({first, second}, {.columns = 2, .shared_legend = true, .document = Document::inline_html});
    EXPECT_EQ(count_of(text, ">theirs</text>"), 1);
    EXPECT_EQ(count_of(text, ">ours</text>"), 1);
    EXPECT_EQ(count_of(text, "ps-s1"), 2 + 1);  // a line in each panel and one in the legend
}

TEST(Figure, DataThatAreNotFiniteOrDoNotMatchInLengthAreLeftOut) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    Panel panel;
    panel.series = {Line{.x = {1, 2, 3, 4}, .y = {nan, inf, 1}},
                    Band{.x = {1, 2}, .low = {nan}, .high = {1, 2}},
                    Scatter{.x = {nan, 1}, .y = {1, inf}},
                    Bars{.values = {nan, 1}},
                    Contours{.grid = {{0, 1}, {0, 1}, {nan, nan, nan, nan}}},
                    HeatMap{.grid = {{0, 1}, {0, 1}, {1}}}};
    const std::string text = figure({panel});
    EXPECT_EQ(xml_problem(text), "");
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(Figure, OfTenThousandPointsStaysSmall) {
    Line line;
    Scatter dots;
    Line steps{.step = true};
    for (int i = 0; i < 10000; ++i) {
        line.x.push_back(i);
        line.y.push_back(std::sin(i * 0.1) + i * 1e-4);
        steps.y.push_back(std::floor(i / 500.0));
    }
    steps.x = dots.x = line.x;
    dots.y = line.y;
    Panel panel;
    panel.series = {line};
    EXPECT_LT(figure({panel}).size(), 40'000u);  // 1,600 points of at most 15 characters, and the axes
    panel.series = {dots};
    EXPECT_LT(figure({panel}).size(), 200'000u);  // "M123.45 123.45h0" each
    panel.series = {steps};
    EXPECT_LT(figure({panel}).size(), 10'000u);  // 20 steps
}

TEST(Figure, IsTheSameTextEveryTime) {
    EXPECT_EQ(figure(every_kind()), figure(every_kind()));
}

}  // namespace
}  // namespace summand::plot
