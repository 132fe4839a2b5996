// SPDX-License-Identifier: Apache-2.0
#include "summand/report/page.hpp"

#include "report/sample.hpp"
#include "summand/report/html.hpp"
#include "summand/report/plots.hpp"
#include "summand/report/tables.hpp"
#include "support/xml.hpp"

#include <set>

#include <gtest/gtest.h>

namespace summand::report {
namespace {

using summand::testing::count_of;
using summand::testing::sample_report;
using summand::testing::xml_problem;

// The body of a page is written as XML, so that one check serves pictures and markup.
std::string body_of(const std::string& page) {
    const std::size_t from = page.find("<main>"), to = page.find("</main>");
    return page.substr(from, to + 7 - from);
}

TEST(Page, IsWellFormedAndHasEverySection) {
    const std::string page = render_page(sample_report());
    EXPECT_EQ(xml_problem(body_of(page)), "");
    for (const char* id :
         {"progress", "best", "regret", "structure", "slices", "importance", "failures", "time", "trials", "options"}) {
        EXPECT_EQ(count_of(page, "<section id=\"" + std::string(id) + "\">"), 1) << id;
        EXPECT_EQ(count_of(page, "<a href=\"#" + std::string(id) + "\">"), 1) << id;
    }
    EXPECT_NE(page.find("seed 7"), std::string::npos);
}

TEST(Page, CountsTrialsAgainstTheBudgetWithoutTheUsersOwnData) {
    ReportData data = sample_report(20);
    data.trials[3].added = data.trials[7].added = true;
    const std::string page = render_page(data);
    EXPECT_NE(page.find("18 of 70"), std::string::npos);
    EXPECT_NE(page.find("2 added by hand"), std::string::npos);
}

TEST(Page, FetchesNothing) {
    std::string page = render_page(sample_report());
    const std::string name_of_svg = "http://www.w3.org/2000/svg";  // a name, never fetched
    for (std::size_t at = page.find(name_of_svg); at != page.npos; at = page.find(name_of_svg))
        page.erase(at, name_of_svg.size());
    for (const char* forbidden : {"http:", "https:", "src=", "<link", "@import", "url(", "fetch("})
        EXPECT_EQ(page.find(forbidden), std::string::npos) << forbidden;
}

TEST(Page, ShowsNoMarkupFromNamesAndReasons) {
    const std::string attack = "</script><script>alert(1)</script>";
    ReportData data{.name = attack,
                    .space = SearchSpace({Real{.name = attack}, Choice{.name = "c", .values = {attack, "b"}}})};
    data.trials = {{.id = 1, .state = ReportTrial::State::completed, .values = {0.5, attack}, .value = 1.0},
                   {.id = 2, .state = ReportTrial::State::failed, .values = {0.5, "b"}, .reason = attack}};
    data.structure = {
        .names = {attack, "c"}, .groups = {{attack, "c"}}, .pair_probability = {{1, 1}, {1, 1}}, .verdict = attack};
    data.importance = {0.5, 0.5};
    data.notes = {attack};
    data.option_list = {{attack, attack}};
    const std::string page = render_page(data);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(xml_problem(body_of(page)), "");
}

TEST(Page, OfAStudyWithoutTrialsSaysSo) {
    const ReportData data{.name = "empty", .space = SearchSpace({Real{.name = "x"}, Real{.name = "y"}})};
    const std::string page = render_page(data);
    EXPECT_EQ(xml_problem(body_of(page)), "");
    EXPECT_NE(page.find("none yet"), std::string::npos);
    for (const char* id : {"progress", "regret", "slices", "importance", "failures", "time"})
        EXPECT_EQ(count_of(page, "<section id=\"" + std::string(id) + "\">"), 0) << id;
}

TEST(Page, LeavesOutRegretWithoutAnOptimumAndFailuresWithoutAny) {
    ReportData data = sample_report();
    data.optimum.reset();
    std::erase_if(data.trials, [](const ReportTrial& t) { return t.state == ReportTrial::State::failed; });
    const std::string page = render_page(data);
    EXPECT_EQ(page.find("id=\"regret\""), std::string::npos);
    EXPECT_EQ(page.find("id=\"failures\""), std::string::npos);
}

TEST(Page, OfTenThousandTrialsAndAHundredParametersIsBelowFiveMegabytes) {
    EXPECT_LT(render_page(sample_report(10'000, 96)).size(), 5'000'000u);
    EXPECT_LT(render_page(sample_report(10'000, 10)).size(), 1'500'000u);
}

TEST(Plots, AreWellFormedFilesOfTheirOwn) {
    const auto plots = all_plots(sample_report());
    EXPECT_GT(plots.size(), 8u);
    for (const ReportPlot& plot : plots) {
        const std::string text = plot.svg(plot::Document::standalone);
        EXPECT_EQ(xml_problem(text), "") << plot.name;
        EXPECT_EQ(text.find("nan"), std::string::npos) << plot.name;
    }
}

TEST(Plots, ProgressCutsOffALongBadTailAndSaysSo) {
    ReportData data = sample_report();
    data.target.reset(), data.optimum.reset();
    const ReportPlot plot = progress_plots(data).at(0);
    EXPECT_GT(*plot.panel.y.low, -100);  // the first five values lie near -300
    EXPECT_NE(plot.caption.find("beyond the axis"), std::string::npos);
    EXPECT_GT(*plot.panel.y.high, *data.best()->value);
    // The same upside down.
    data.options.goal = Goal::minimize;
    for (ReportTrial& trial : data.trials)
        if (trial.value) trial.value = -*trial.value;
    EXPECT_LT(*progress_plots(data).at(0).panel.y.high, 100);
    EXPECT_LT(*progress_plots(data).at(0).panel.y.low, *data.best()->value);
}

TEST(Plots, BestSoFarNeverGetsWorse) {
    ReportData data = sample_report();
    for (const Goal goal : {Goal::maximize, Goal::minimize}) {
        data.options.goal = goal;
        const ReportPlot plot = progress_plots(data).at(0);
        const auto& line = std::get<plot::Line>(plot.panel.series.at(1));
        for (std::size_t k = 1; k < line.y.size(); ++k)
            EXPECT_TRUE(goal == Goal::maximize ? line.y[k] >= line.y[k - 1] : line.y[k] <= line.y[k - 1]);
        EXPECT_EQ(line.y.back(), *data.best()->value);
    }
}

TEST(Plots, HeatMapOrdersParametersByGroup) {
    const ReportData data = sample_report();
    const ReportPlot plot = structure_plots(data).at(0);
    EXPECT_EQ(plot.panel.x.categories, names_by_group(data.structure));
    const auto& map = std::get<plot::HeatMap>(plot.panel.series.at(0));
    const std::vector<std::string>& names = plot.panel.x.categories;
    for (std::size_t j = 0; j < names.size(); ++j)
        for (std::size_t i = 0; i < names.size(); ++i)
            EXPECT_EQ(map.grid.at(i, j),
                      data.structure.pair_probability[*data.space.find(names[i])][*data.space.find(names[j])]);
}

TEST(Plots, MapsPutTheFirstAxisOfASliceOnX) {
    ReportData data{.name = "two", .space = SearchSpace({Real{.name = "a"}, Real{.name = "b"}})};
    // mean(a, b) = 10 a + b on a = 0, 1 and b = 0, 0.5, 1; the first axis varies slowest.
    data.slices = {{.group = {"a", "b"},
                    .parameters = {"a", "b"},
                    .axes = {{0.0, 1.0}, {0.0, 0.5, 1.0}},
                    .mean = {0, 0.5, 1, 10, 10.5, 11}}};
    const ReportPlot plot = slice_plots(data).at(0);
    const auto& grid = std::get<plot::Contours>(plot.panel.series.at(0)).grid;
    EXPECT_EQ(grid.at(1, 0), 10);
    EXPECT_EQ(grid.at(0, 1), 0.5);
    EXPECT_EQ(grid.at(1, 2), 11);
}

TEST(Plots, ImportanceIsSortedAndGathersTheRest) {
    const ReportData data = sample_report(20, 96);
    const ReportPlot plot = importance_plots(data).at(0);
    const auto& bars = std::get<plot::Bars>(plot.panel.series.at(0));
    ASSERT_EQ(bars.values.size(), 41u);
    EXPECT_TRUE(std::is_sorted(bars.values.rbegin() + 1, bars.values.rend()));
    EXPECT_EQ(plot.panel.y.categories.back(), "the other 60");
    double sum = 0;
    for (const double v : bars.values) sum += v;
    EXPECT_NEAR(sum, 100, 1e-9);
}

TEST(Tables, FailuresAreCountedByTheirFirstLine) {
    ReportData data{.name = "f", .space = SearchSpace({Real{.name = "x"}})};
    for (int i = 1; i <= 5; ++i)
        data.trials.push_back({.id = i,
                               .state = ReportTrial::State::failed,
                               .reason = i == 2  ? ""
                                         : i < 4 ? "exit status 1\nline " + std::to_string(i)
                                                 : "time limit"});
    const std::string html = failures_by_cause(data);
    EXPECT_EQ(count_of(html, "exit status 1"), 1);
    EXPECT_EQ(count_of(html, "no reason given"), 1);
    EXPECT_EQ(count_of(html, "40 %"), 2);
}

TEST(Tables, PositionsFollowTheScale) {
    EXPECT_DOUBLE_EQ(*position_in_range(Real{.low = -1, .high = 3}, 0.0), 0.25);
    EXPECT_NEAR(*position_in_range(Real{.low = 1e-4, .high = 1, .scale = Scale::log}, 1e-2), 0.5, 1e-12);
    EXPECT_DOUBLE_EQ(*position_in_range(Integer{.low = 0, .high = 4}, std::int64_t{3}), 0.75);
    EXPECT_FALSE(position_in_range(Choice{.values = {"a", "b"}}, std::string("a")));
}

TEST(Html, TimesAreInUtc) {
    EXPECT_EQ(utc_time(0), "1970-01-01 00:00 UTC");
    EXPECT_EQ(utc_time(951868799), "2000-02-29 23:59 UTC");
    EXPECT_EQ(utc_time(1e300), "unknown");
}

TEST(ReportData, BestFollowsTheGoalAndTheFirstAmongEquals) {
    ReportData data{.name = "b", .space = SearchSpace({Real{.name = "x"}})};
    EXPECT_EQ(data.best(), nullptr);
    for (const double v : {2.0, 3.0, 1.0, 3.0})
        data.trials.push_back({.id = static_cast<std::int64_t>(data.trials.size()) + 1,
                               .state = ReportTrial::State::completed,
                               .value = v});
    data.options.goal = Goal::maximize;
    EXPECT_EQ(data.best()->id, 2);
    data.options.goal = Goal::minimize;
    EXPECT_EQ(data.best()->id, 3);
}

}  // namespace
}  // namespace summand::report
