// SPDX-License-Identifier: Apache-2.0
#include "experiments/race.hpp"

#include "experiments/methods.hpp"
#include "experiments/runner.hpp"
#include "experiments/search.hpp"
#include "experiments/store.hpp"
#include "summand/base/error.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace summand::experiments {
namespace {

using testing_support::TemporaryFolder;

Race small_race() {
    const PaperStrategy paper = quick({});
    return {.name = "small",
            .panels = {synthetic(3, 14), synthetic(4, 20, 10)},
            .methods = {known(paper), learners(paper).back(), ours()},
            .figures = {{}},
            .comparisons = {{"Known", {"Gibbs"}}}};
}

TEST(Race, ResultsDoNotDependOnThreadsOrOrder) {
    const TemporaryFolder one, three;
    const Experiment experiment = race_experiment(small_race(), {.repeats = 2});
    run_cells(experiment, {.folder = one.path(), .threads = 1});
    run_cells(experiment, {.folder = three.path(), .threads = 3, .methods = {"default"}});
    run_cells(experiment, {.folder = three.path(), .threads = 3});
    const auto a = Store(one / "small").load_all(experiment), b = Store(three / "small").load_all(experiment);
    ASSERT_EQ(a.size(), experiment.cells.size());
    ASSERT_EQ(b.size(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].cell, b[i].cell);
        EXPECT_EQ(a[i].values, b[i].values);
    }
}

TEST(Race, ThePapersMethodsShareFunctionAndInitialPoints) {
    const PaperStrategy paper = quick({});
    const Panel panel = synthetic(3, 11);
    const Result a = run_race(panel, known(paper), 5), b = run_race(panel, learners(paper).front(), 5);
    EXPECT_EQ(std::vector(a.values.begin(), a.values.begin() + 10),
              std::vector(b.values.begin(), b.values.begin() + 10));
    EXPECT_EQ(a.numbers.at("optimum"), b.numbers.at("optimum"));
    EXPECT_NE(run_race(panel, known(paper), 6).values, a.values);
}

Result made_up(const std::string& method, int repeat, std::vector<double> values) {
    return {.cell = {"D=3", method, repeat}, .values = std::move(values), .numbers = {{"seconds", 1.0}}};
}

TEST(Race, WithoutAKnownMaximumRegretIsToTheBestValueOfAnyRun) {
    Race race = small_race();
    race.panels = {synthetic(3, 2)};
    const Runs runs = runs_of(race, {made_up("Known", 0, {1.0, 4.0}), made_up("Gibbs", 0, {7.0, 2.0})});
    EXPECT_EQ(runs.at("D=3").at("Known").at(0).regret.simple, (std::vector<double>{6.0, 3.0}));
    EXPECT_EQ(runs.at("D=3").at("Gibbs").at(0).regret.cumulative, (std::vector<double>{0.0, 2.5}));
}

TEST(Race, TheReportHoldsWhateverCellsThereAre) {
    Race race = small_race();
    race.panels = {synthetic(3, 2)};
    std::vector<Result> results;
    for (int repeat = 0; repeat < 4; ++repeat) {
        results.push_back(made_up("Known", repeat, {1.0 + repeat, 9.0 + 0.01 * repeat}));
        if (repeat != 2) results.push_back(made_up("Gibbs", repeat, {1.0 + repeat, 5.0}));
    }
    for (Result& result : results) result.numbers["optimum"] = 10.0;
    const Report report = race_report(race, results);
    // Differences of the final simple regret on the three common functions: 1 - 5, 0.99 - 5, 0.97 - 5.
    EXPECT_NE(report.text.find("-4.01 ± 0.0088  yes"), std::string::npos) << report.text;
    EXPECT_NE(report.files.at("small.csv").find("D=3,Known,4,0.985,"), std::string::npos)
        << report.files.at("small.csv");
    EXPECT_NE(report.files.at("small.csv").find("D=3,Gibbs,3,5,0,"), std::string::npos);
    EXPECT_EQ(report.files.at("small.svg").substr(0, 4), "<svg");
}

TEST(Search, FindsTheGroupsOfASmallFunctionAndSaysSo) {
    // 24 and more two-level points for 5 parameters: 3.5 D and more, near certain without noise (docs/structure.md).
    const Searcher ours{.name = "ours", .learner = structure::AnnealedChains{}, .two_level = true, .given = false};
    const Result result = run_search(5, 50, ours, 3);
    EXPECT_EQ(result.numbers.at("exact"), 1.0);
    EXPECT_EQ(result.numbers.at("likelihood_gap"), 0.0);
    EXPECT_GT(result.numbers.at("f1"), 0.9);
}

TEST(PaperTables, StandBesideTheRowsTheyBelongTo) {
    EXPECT_EQ(paper_recovery("together", 20)->at(4).mean, 0.71);
    EXPECT_EQ(paper_recovery("rand_index", 5)->at(0).stddev, 0.20);
    EXPECT_FALSE(paper_recovery("together", 2));
    EXPECT_EQ(paper_alpha(0.5)->at(4).mean, 0.99505);
}

TEST(Catalogue, KnowsEveryExperimentAndNamesTheNearest) {
    EXPECT_EQ(names().size(), 9U);
    for (const std::string& name : names()) EXPECT_FALSE(make(name, {.quick = true}).cells.empty()) << name;
    try {
        make("recovry");
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean \"recovery\"?"), std::string::npos);
    }
}

}  // namespace
}  // namespace summand::experiments
