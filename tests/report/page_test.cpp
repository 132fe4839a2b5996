// SPDX-License-Identifier: Apache-2.0
#include "summand/report/page.hpp"

#include "report/sample.hpp"
#include "summand/report/html.hpp"
#include "summand/report/parameter_axis.hpp"
#include "summand/report/plots.hpp"
#include "summand/report/tables.hpp"
#include "summand/report/trials_section.hpp"
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
    for (const char* id : {"progress", "best", "regret", "structure", "slices", "importance", "values", "parallel",
                           "failures", "time", "trials", "options"}) {
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

TEST(Page, NamesTheRecommendedTrialBesideTheBestOneOnlyIfThatMayMislead) {
    ReportData data = sample_report(30);
    const std::int64_t best = data.best()->id, other = best == 1 ? 2 : 1;
    const auto trial = [&](std::int64_t id) {
        return std::find_if(data.trials.begin(), data.trials.end(), [&](const auto& t) { return t.id == id; });
    };
    data.recommended = Recommended{.id = other,
                                   .values = trial(other)->values,
                                   .value = 7.25,
                                   .mean = 7.5,
                                   .stddev = 0.13,
                                   .noise_stddev = 0.75,
                                   .noisy = true};
    const std::string both = render_page(data);
    EXPECT_EQ(xml_problem(body_of(both)), "");
    for (const char* text : {"Recommended (expected without noise)", "7.50 ± 0.13", "told 7.25", "± 0.75"})
        EXPECT_NE(both.find(text), std::string::npos) << text;
    EXPECT_NE(both.find("Recommended: trial " + std::to_string(other)), std::string::npos);

    data.recommended->noisy = false;
    EXPECT_EQ(render_page(data).find("ecommended"), std::string::npos);
    data.recommended->best_doubted = true;
    for (const char* text : {"Recommended: trial", "far from what the others foretell and has no say", "wrong perhaps"})
        EXPECT_NE(render_page(data).find(text), std::string::npos) << text;
    data.recommended->best_doubted = false;
    data.recommended->noisy = true;
    data.recommended->id = best;  // the best one, with what is expected of it
    const std::string one = render_page(data);
    EXPECT_EQ(one.find("ecommended"), std::string::npos);
    EXPECT_NE(one.find("expected without noise: 7.50 ± 0.13"), std::string::npos);
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
    data.trials = {{.id = 1, .state = TrialState::completed, .values = {0.5, attack}, .value = 1.0},
                   {.id = 2, .state = TrialState::failed, .values = {0.5, "b"}, .reason = attack},
                   {.id = 3, .state = TrialState::completed, .values = {0.1, "b"}, .value = 2.0}};
    data.logs[1] = attack;
    data.source = attack;
    data.slices = {{.group = {attack, "c"},
                    .parameters = {attack, "c"},
                    .axes = {{0.0, 1.0}, {attack, "b"}},
                    .mean = {0, 0.5, 1, 10}},
                   {.group = {"c"}, .parameters = {"c"}, .axes = {{attack, "b"}}, .mean = {0, 1}}};
    data.structure = {
        .names = {attack, "c"}, .groups = {{attack, "c"}}, .pair_probability = {{1, 1}, {1, 1}}, .verdict = attack};
    data.importance = {{0.5}, {0.5}};
    data.notes = {attack};
    data.option_list = {{attack, attack}};
    const std::string page = render_page(data);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(count_of(page, "</script>"), 2);  // of the data and of the script
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
    std::erase_if(data.trials, [](const Trial& t) { return t.state == TrialState::failed; });
    const std::string page = render_page(data);
    EXPECT_EQ(page.find("id=\"regret\""), std::string::npos);
    EXPECT_EQ(page.find("id=\"failures\""), std::string::npos);
}

TEST(Page, OfTenThousandTrialsAndAHundredParametersIsBelowEightMegabytes) {
    EXPECT_LT(render_page(sample_report(10'000, 96)).size(), 8'000'000u);
    EXPECT_LT(render_page(sample_report(10'000, 10)).size(), 4'000'000u);
}

TEST(Page, ShowsGroupsOnlyIfTheVerdictSaysThatTheyAreFound) {
    ReportData data = sample_report();
    const auto frames = [&] { return structure_plots(data).at(0).panel.series.size() - 1; };
    EXPECT_NE(render_page(data).find("<h3>Groups</h3>"), std::string::npos);
    EXPECT_EQ(frames(), 5u);  // one group is a single parameter
    data.structure.found = false;
    const std::string page = render_page(data);
    EXPECT_EQ(page.find("<h3>Groups</h3>"), std::string::npos);
    EXPECT_EQ(page.find("Most probable structures"), std::string::npos);
    EXPECT_NE(page.find("none found"), std::string::npos);
    EXPECT_NE(page.find("in most samples"), std::string::npos);
    EXPECT_EQ(frames(), 0u);
}

TEST(Page, SaysOfWhichModelTheSlicesAre) {
    ReportData data = sample_report();
    EXPECT_NE(render_page(data).find("What the groups do"), std::string::npos);
    for (GroupSlice& slice : data.slices) slice.group = {"rate"};
    EXPECT_NE(render_page(data).find("What each parameter does"), std::string::npos);
    for (GroupSlice& slice : data.slices) slice.additive = false;
    EXPECT_NE(render_page(data).find("Cuts through the model"), std::string::npos);
}

TEST(Page, HasNoCaptionTwice) {
    const std::string page = render_page(sample_report());
    std::set<std::string> captions;
    for (std::size_t at = page.find("<figcaption>"); at != page.npos; at = page.find("<figcaption>", at + 1))
        EXPECT_TRUE(captions.insert(page.substr(at, page.find("</figcaption>", at) - at)).second);
}

TEST(Page, ShowsWhatWasMeasuredBesidesTheValue) {
    ReportData data = sample_report(3, 1);
    data.trials[1].also = {{"size", 12.0}};
    data.trials[2].also = {{"seconds <all>", 3.0}, {"size", 7.0}};
    const std::string json = trials_data(data);
    EXPECT_EQ(count_of(json, "\"measures\":[\"size\",\"seconds \\u003call>\"]"), 1);
    EXPECT_EQ(count_of(json, ",[null,null]]"), 1);
    EXPECT_EQ(count_of(json, ",[12,null]]"), 1);
    EXPECT_EQ(count_of(json, ",[7,3]]"), 1);
    data.trials[1].also[0].second = 123456789;
    EXPECT_EQ(count_of(trials_data(data), ",[123456789,null]]"), 1);
}

TEST(Page, KeepsTheParametersOfTheBestTrialsWhenThereAreTooMany) {
    const ReportData data = sample_report(30, 10);
    EXPECT_EQ(count_of(trials_data(data), ",null]"), 0);
    const std::string some = trials_data(data, 14 * 10);
    EXPECT_EQ(count_of(some, ",null]"), static_cast<int>(best_first(data).size()) - 10);
    const std::size_t best = some.find("\n[" + std::to_string(data.best()->id) + ",");
    EXPECT_EQ(some.substr(best, some.find('\n', best + 1) - best).find("null"), std::string::npos);
    EXPECT_EQ(count_of(some, "\n["), 30);
}

TEST(Plots, EveryPointOfEveryPlotOfFiveHundredTrialsHasAName) {
    for (const ReportPlot& plot : all_plots(sample_report(500))) {
        for (const plot::Series& series : plot.panel.series) {
            const auto* dots = std::get_if<plot::Scatter>(&series);
            if (!dots || dots->x.size() <= 20) continue;  // few: marks on a curve
            EXPECT_EQ(dots->tooltips.size(), dots->x.size()) << plot.name;
        }
    }
}

TEST(Plots, RegretIsOnALogAxisAndSaysIfTheOptimumWasPassed) {
    ReportData data = sample_report();
    const ReportPlot plot = regret_plots(data).at(0);
    EXPECT_EQ(plot.panel.y.scale, plot::Axis::Scale::log);
    EXPECT_EQ(plot.caption.find("passed"), std::string::npos);
    data.optimum = *data.best()->value - 1;
    EXPECT_NE(regret_plots(data).at(0).caption.find("passed"), std::string::npos);
    EXPECT_EQ(regret_plots(data).at(0).panel.y.scale, plot::Axis::Scale::log);
}

TEST(Plots, PanelsThatAreComparedHaveOneAxis) {
    const ReportData data = sample_report();
    for (const auto& plots : {value_plots(data), time_plots(data)})
        for (const ReportPlot& plot : plots) {
            EXPECT_EQ(plot.panel.y.low, plots[0].panel.y.low) << plot.name;
            EXPECT_EQ(plot.panel.y.high, plots[0].panel.y.high) << plot.name;
            EXPECT_EQ(plot.panel.y.scale, plots[0].panel.y.scale) << plot.name;
        }
    std::set<double> curves, maps;
    for (const ReportPlot& plot : slice_plots(data)) {
        if (plot.panel.color_bar)
            maps.insert(plot.panel.color_bar->colors.high);
        else
            curves.insert(plot.panel.y.high.value());
    }
    EXPECT_EQ(curves.size(), 1u);
    EXPECT_EQ(maps.size(), 1u);
}

TEST(Plots, ParallelCoordinatesGiveEachTrialALineThroughItsShares) {
    ReportData data{.name = "p",
                    .space = SearchSpace({Real{.name = "a", .low = 1, .high = 100, .scale = Scale::log},
                                          Choice{.name = "b", .values = {"u", "v", "w"}}})};
    data.options.goal = Goal::maximize;
    data.trials = {{.id = 4, .state = TrialState::completed, .values = {10.0, "v"}, .value = 1.0},
                   {.id = 7, .state = TrialState::completed, .values = {100.0, "w"}, .value = 2.0}};
    std::vector<plot::Line> lines;
    const ReportPlot plot = parallel_plots(data).at(0);
    for (const plot::Series& series : plot.panel.series)
        if (const auto* line = std::get_if<plot::Line>(&series); line && line->id) lines.push_back(*line);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].id, 4);
    EXPECT_NEAR(lines[0].y[0], 0.5, 1e-12);
    EXPECT_EQ(lines[0].y[1], 0.5);
    EXPECT_EQ(lines[1].id, 7);  // the best lies on top
    EXPECT_EQ(lines[1].y[0], 1.0);
    EXPECT_EQ(lines[1].y[1], 1.0);
    EXPECT_LT(lines[0].y[2], lines[1].y[2]);
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
    for (Trial& trial : data.trials)
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
                               .state = TrialState::failed,
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
        data.trials.push_back(
            {.id = static_cast<std::int64_t>(data.trials.size()) + 1, .state = TrialState::completed, .value = v});
    data.options.goal = Goal::maximize;
    EXPECT_EQ(data.best()->id, 2);
    data.options.goal = Goal::minimize;
    EXPECT_EQ(data.best()->id, 3);
}

}  // namespace
}  // namespace summand::report
