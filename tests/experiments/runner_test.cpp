// SPDX-License-Identifier: Apache-2.0
#include "experiments/runner.hpp"

#include "experiments/store.hpp"
#include "summand/base/error.hpp"
#include "support/temporary_folder.hpp"

#include <atomic>
#include <fstream>

#include <gtest/gtest.h>

namespace summand::experiments {
namespace {

using testing_support::TemporaryFolder;

/// Twelve cells that count how often they are run; cell 7 can be made to fail, as a killed process would.
struct Counted {
    std::atomic<int> runs = 0;
    std::atomic<bool> fail_at_seven = false;

    Experiment experiment(int seed = 0) {
        Experiment e{.name = "counted", .cells_from = "counted"};
        for (int repeat = 0; repeat < 3; ++repeat)
            for (const char* panel : {"D=2", "D=20"})
                for (const char* method : {"PL-1", "Gibbs"}) e.cells.push_back({panel, method, repeat});
        e.definition = [seed](const Cell&) { return "{\"seed\":" + std::to_string(seed) + "}"; };
        e.run = [this, e](const Cell& cell) {
            if (fail_at_seven && cell == e.cells[7]) throw std::runtime_error("killed");
            ++runs;
            return Result{.cell = cell, .definition = e.definition(cell), .values = {0.1 + cell.repeat, 1.0 / 3.0}};
        };
        e.report = [](const std::vector<Result>& results) {
            return Report{.text = std::to_string(results.size()), .files = {{"counted.csv", "a,b\n"}}};
        };
        return e;
    }
};

TEST(Runner, AKilledRunGoesOnWhereItStopped) {
    const TemporaryFolder folder;
    Counted counted;
    counted.fail_at_seven = true;
    EXPECT_THROW(run_cells(counted.experiment(), {.folder = folder.path(), .threads = 1}), std::runtime_error);
    EXPECT_EQ(counted.runs, 7);
    counted.fail_at_seven = false;
    const Outcome outcome = run_cells(counted.experiment(), {.folder = folder.path(), .threads = 2});
    EXPECT_EQ(outcome.found, 7);
    EXPECT_EQ(outcome.computed, 5);
    EXPECT_EQ(outcome.left, 0);
    EXPECT_EQ(counted.runs, 12);
    EXPECT_EQ(run_cells(counted.experiment(), {.folder = folder.path()}).computed, 0);
}

TEST(Runner, PartsShareTheWorkWithoutOverlap) {
    const TemporaryFolder folder;
    Counted counted;
    for (int part = 1; part <= 5; ++part)
        run_cells(counted.experiment(), {.folder = folder.path(), .part = part, .parts = 5});
    EXPECT_EQ(counted.runs, 12);
    EXPECT_EQ(Store(folder / "counted").load_all(counted.experiment()).size(), 12U);
}

TEST(Runner, OnlyChosenPanelsAndMethodsAreRun) {
    const TemporaryFolder folder;
    Counted counted;
    run_cells(counted.experiment(), {.folder = folder.path(), .panels = {"D=20"}, .methods = {"PL-1"}});
    EXPECT_EQ(counted.runs, 3);
    for (const Result& result : Store(folder / "counted").load_all(counted.experiment())) {
        EXPECT_EQ(result.cell.panel, "D=20");
        EXPECT_EQ(result.cell.method, "PL-1");
    }
}

TEST(Runner, AFirstWordChoosesAllThatBeginWithIt) {
    const TemporaryFolder folder;
    const Experiment recovery = make("recovery", {.quick = true, .repeats = 1});
    // D = 5 (not D = 50) with two numbers of points, Gibbs on two kinds of points. Nothing is begun.
    const RunOptions options{.folder = folder.path(), .panels = {"D=5"}, .methods = {"Gibbs"}, .minutes = -1.0};
    EXPECT_EQ(run_cells(recovery, options).left, 4);
}

TEST(Runner, MistakesAreNamed) {
    const TemporaryFolder folder;
    Counted counted;
    const Experiment experiment = counted.experiment();
    EXPECT_THROW(run_cells(experiment, {.folder = folder.path(), .panels = {"D=21"}}), InvalidArgument);
    EXPECT_THROW(run_cells(experiment, {.folder = folder.path(), .part = 3, .parts = 2}), InvalidArgument);
    EXPECT_THROW(write_report(experiment, folder.path()), InvalidArgument);
    EXPECT_EQ(counted.runs, 0);
}

TEST(Runner, AfterTheTimeLimitNothingIsBegun) {
    const TemporaryFolder folder;
    Counted counted;
    const Outcome outcome = run_cells(counted.experiment(), {.folder = folder.path(), .minutes = -1.0});
    EXPECT_EQ(outcome.computed, 0);
    EXPECT_EQ(outcome.left, 12);
}

TEST(Store, AResultComesBackBitForBit) {
    const TemporaryFolder folder;
    Counted counted;
    const Experiment experiment = counted.experiment();
    run_cells(experiment, {.folder = folder.path()});
    const auto loaded = Store(folder / "counted").load(experiment.cells[9], experiment.definition(experiment.cells[9]));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->cell, experiment.cells[9]);
    EXPECT_EQ(loaded->values, (std::vector<double>{2.1, 1.0 / 3.0}));
    EXPECT_TRUE(loaded->numbers.contains("seconds"));
}

TEST(Store, ADamagedFileIsComputedAgain) {
    const TemporaryFolder folder;
    Counted counted;
    const Experiment experiment = counted.experiment();
    run_cells(experiment, {.folder = folder.path()});
    const Store store(folder / "counted");
    std::ofstream(store.file_of(experiment.cells[0])) << "{\"panel\":\"D=2\",\"va";
    std::ofstream(store.file_of(experiment.cells[1])) << "{}";
    EXPECT_EQ(run_cells(experiment, {.folder = folder.path()}).computed, 2);
    EXPECT_EQ(store.load_all(experiment).size(), 12U);
}

TEST(Store, ResultsOfAnotherSeedDoNotMix) {
    const TemporaryFolder folder;
    Counted counted;
    run_cells(counted.experiment(0), {.folder = folder.path()});
    EXPECT_THROW(run_cells(counted.experiment(1), {.folder = folder.path()}), StorageError);
}

TEST(Store, ReportsAreWrittenBesideTheCells) {
    const TemporaryFolder folder;
    Counted counted;
    run_cells(counted.experiment(), {.folder = folder.path()});
    EXPECT_EQ(write_report(counted.experiment(), folder.path()).text, "12");
    EXPECT_TRUE(std::filesystem::exists(folder / "counted.csv"));
}

}  // namespace
}  // namespace summand::experiments
