// SPDX-License-Identifier: Apache-2.0
#include "summand/study/run.hpp"

#include "studies.hpp"
#include "summand/base/error.hpp"
#include "summand/executor/local_process.hpp"
#include "support/temporary_folder.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace summand {
namespace {

struct RunTest : ::testing::Test {
    testing_support::TemporaryFolder folder;
    StudyDefinition definition = testing_support::small_study(folder / "s.db", 6);
    std::unique_ptr<executor::Executor> executor = executor::local_processes();
    RunControl control;
    RunObserver silent;

    RunTest() {
        definition.settings.directory = folder.path();
        script("echo $1");
    }
    void script(const std::string& text) {
        definition.settings.command = {"/bin/sh", "-c", text, "program", "{x}", "{y}"};
    }
    RunSummary go(Study& study) { return run(study, *executor, control, silent, 2); }
};

TEST_F(RunTest, EvaluatesTheBudgetAndStoresEveryOutput) {
    script("echo thinking; echo hm >&2; echo $1");
    Study study = Study::open_or_create(definition);
    const RunSummary summary = go(study);
    EXPECT_EQ(summary.end, RunEnd::budget);
    EXPECT_EQ(summary.completed, 6);
    for (const Trial& trial : study.trials()) {
        EXPECT_EQ(trial.state, TrialState::completed);
        EXPECT_EQ(*trial.value, std::get<double>(trial.values[0])) << "the double survives the way through text";
        ASSERT_EQ(study.attempts(trial.id).size(), 1U);
        EXPECT_EQ(study.attempts(trial.id)[0].error, "hm\n");
        EXPECT_EQ(study.attempts(trial.id)[0].output.rfind("thinking\n", 0), 0U);
    }
    EXPECT_EQ(go(study).completed, 0) << "nothing is left";
}

TEST_F(RunTest, FailuresAreRetriedAsConfiguredAndKeptWithTheirCauses) {
    script("echo try >> count-$SUMMAND_TRIAL; exit 3");
    definition.settings.retries = 2;
    definition.settings.budget = 2;
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(go(study).failed, 2);
    EXPECT_EQ(study.trials()[0].reason, "exit status 3");
    EXPECT_EQ(study.trials()[0].attempt, 3);
    EXPECT_EQ(study.attempts(1).size(), 3U);
    EXPECT_EQ(std::filesystem::file_size(folder / "count-1"), 12U);
}

TEST_F(RunTest, ATrialThatSucceedsOnTheSecondAttemptIsCompleted) {
    script("test $SUMMAND_ATTEMPT = 2 && echo 5");
    definition.settings.retries = 1;
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(go(study).completed, 6);
}

TEST_F(RunTest, TheTimeLimitIsAFailureOfItsOwnKind) {
    script("sleep 20");
    definition.settings.time_limit_seconds = 0.1;
    definition.settings.budget = 2;
    Study study = Study::open_or_create(definition);
    go(study);
    EXPECT_EQ(study.trials()[0].reason, "time limit");
}

TEST_F(RunTest, TheTargetEndsIt) {
    script("echo 1");
    definition.settings.target = 1.5;
    Study study = Study::open_or_create(definition);
    const RunSummary summary = go(study);
    EXPECT_EQ(summary.end, RunEnd::target);
    EXPECT_LE(summary.completed, 2);
    EXPECT_EQ(go(study).completed, 0);
}

TEST_F(RunTest, ASlowTrialHoldsBackItsBatchOnlyIfTheStudyIsSynchronous) {
    // Trial 1 waits until trial 5 has been evaluated: possible only if the batch does not wait for it.
    script(
        "echo > done-$SUMMAND_TRIAL; if [ $SUMMAND_TRIAL = 1 ]; then for i in $(seq 300); do test -e done-5 && echo 1 "
        "&& exit; "
        "sleep 0.02; done; fi; echo 0");
    definition.settings.asynchronous = true;
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(go(study).completed, 6);
    EXPECT_EQ(study.trial(1)->value, 1.0);
}

TEST_F(RunTest, StoppingKillsTheProgramsAndTheNextRunIssuesTheirTrialsAgain) {
    script("echo $$ > pid-$SUMMAND_TRIAL; test $SUMMAND_ATTEMPT = 1 -a $SUMMAND_TRIAL -le 2 && sleep 20; echo 1");
    Study study = Study::open_or_create(definition);
    std::jthread stopper([&] {
        while (!std::filesystem::exists(folder / "pid-1")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        control.finish_or_stop();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        control.finish_or_stop();
    });
    EXPECT_EQ(go(study).end, RunEnd::interrupted);
    stopper.join();
    EXPECT_EQ(study.counts().lost, 2);
    RunControl fresh;
    EXPECT_EQ(run(study, *executor, fresh, silent, 2).end, RunEnd::budget);
    EXPECT_EQ(study.counts().issued(), 6);
    EXPECT_EQ(study.trial(1)->attempt, 2);
}

TEST_F(RunTest, FinishingLetsTheProgramsEnd) {
    script("echo > started; sleep 0.3; echo 1");
    Study study = Study::open_or_create(definition);
    std::jthread stopper([&] {
        while (!std::filesystem::exists(folder / "started")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        control.finish();
    });
    const RunSummary summary = go(study);
    EXPECT_EQ(summary.end, RunEnd::interrupted);
    EXPECT_GE(summary.completed, 1);
    EXPECT_EQ(study.counts().failed, 0);
    EXPECT_EQ(study.counts().running, 0);
}

TEST_F(RunTest, AProgramThatDoesNotExistEndsTheRunAndFailsNoTrial) {
    definition.settings.command = {"./missing", "{x}", "{y}"};
    Study study = Study::open_or_create(definition);
    EXPECT_THROW(go(study), ExecutorError);
    EXPECT_EQ(study.counts().failed, 0);
    EXPECT_EQ(study.counts().lost, 2);
}

TEST_F(RunTest, BatchByBatchTheSeedDecidesEverything) {
    definition.options.initial_points = 4;
    definition.settings.budget = 12;
    Study one = Study::in_memory(definition);
    script("sleep 0.0$SUMMAND_TRIAL; echo $1");  // ends in another order
    Study two = Study::in_memory(definition);
    go(one);
    go(two);
    EXPECT_EQ(one.history(), two.history());
}

TEST_F(RunTest, ACommandThatAlwaysFailsDoesNotBurnTheBudget) {
    script("echo $SUMMAND_TRIAL; echo broken >&2; exit 1");
    definition.settings.budget = 100;
    Study study = Study::open_or_create(definition);
    const RunSummary summary = go(study);
    EXPECT_EQ(summary.end, RunEnd::failing);
    EXPECT_NE(summary.last_failure.find("exit status 1: broken"), std::string::npos) << summary.last_failure;
    EXPECT_GE(study.counts().failed, 10);
    EXPECT_LE(study.counts().failed, 11) << "one more was running";
    EXPECT_EQ(go(study).failed, 10) << "after it was mended, the next run starts afresh";
}

TEST_F(RunTest, FailuresAfterASuccessAreJustData) {
    script("test $SUMMAND_TRIAL = 2 && echo 1");
    definition.settings.budget = 30;
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(go(study).end, RunEnd::budget);
    EXPECT_EQ(study.counts().failed, 29);
}

TEST_F(RunTest, GivingUpCountsAttemptsAndCanBeSwitchedOff) {
    script("exit 1");
    definition.settings.budget = 20;
    definition.settings.retries = 4;
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(go(study).end, RunEnd::failing);
    EXPECT_LE(study.counts().issued(), 4);
    definition.name = "stubborn";
    definition.settings.retries = 0;
    definition.settings.give_up_after = 0;
    Study stubborn = Study::open_or_create(definition);
    EXPECT_EQ(go(stubborn).end, RunEnd::budget);
    EXPECT_EQ(stubborn.counts().failed, 20);
}

struct Listener : RunObserver {
    std::vector<std::string> warnings = {};
    void warned(const std::string& sentence) override { warnings.push_back(sentence); }
};

TEST_F(RunTest, AnObjectiveThatNeverChangesIsWorthAWarning) {
    definition.settings.budget = 25;
    Listener listener;
    Study varied = Study::open_or_create(definition);
    run(varied, *executor, control, listener, 2);
    EXPECT_TRUE(listener.warnings.empty());
    script("echo 3.5");
    definition.name = "constant";
    Study constant = Study::open_or_create(definition);
    run(constant, *executor, control, listener, 2);
    ASSERT_EQ(listener.warnings.size(), 1U);
    EXPECT_NE(listener.warnings[0].find("3.5"), std::string::npos);
}

TEST_F(RunTest, ASharedResultFileIsRefusedAndDirectoriesOfTheirOwnKeepResultsApart) {
    script("echo $1 > out.txt; sleep 0.02");
    definition.settings.result = ResultMode::file;
    definition.settings.result_file = "out.txt";
    Study study = Study::open_or_create(definition);
    EXPECT_THROW(go(study), InvalidArgument);
    EXPECT_EQ(study.counts().issued(), 0);
    definition.settings.directory = (folder / "work").string() + "/{trial}";
    Study apart = Study::open_or_create(definition);
    EXPECT_EQ(go(apart).completed, 6);
    for (const Trial& trial : apart.trials()) EXPECT_EQ(*trial.value, std::get<double>(trial.values[0]));
}

TEST_F(RunTest, TwoRunsDoNotShareAResultFileEither) {
    script("echo > started; sleep 0.5; echo 1 > out.txt");
    definition.settings.result = ResultMode::file;
    definition.settings.result_file = "out.txt";
    definition.settings.budget = 1;
    Study one = Study::open_or_create(definition);
    std::jthread other([&] { EXPECT_EQ(run(one, *executor, control, silent, 1).completed, 1); });
    while (!std::filesystem::exists(folder / "started")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    Study two = Study::open_or_create(definition);
    const auto second = executor::local_processes();
    RunControl fresh;
    EXPECT_THROW(run(two, *second, fresh, silent, 1), InvalidArgument);
}

}  // namespace
}  // namespace summand
