// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every executor promises; runs on each of them.
#include "summand/base/error.hpp"
#include "summand/executor/executor.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace summand::executor {

struct Candidate {
    std::string name = {};
    std::function<std::unique_ptr<Executor>(const std::filesystem::path& folder)> make = {};
    std::string missing = {};  ///< why it cannot be tested here; empty: it can
};

struct ExecutorContract : ::testing::TestWithParam<Candidate> {
    testing_support::TemporaryFolder own;
    std::unique_ptr<Executor> executor;

    void SetUp() override {
        if (!GetParam().missing.empty()) GTEST_SKIP() << GetParam().missing;
        executor = GetParam().make(own.path());
    }
    Finished run(Job job) {
        executor->start(job);
        for (;;) {
            auto finished = executor->wait(30.0);
            if (!finished.empty()) return finished[0];
        }
    }
    Finished shell(const std::string& script) {
        Job job;
        job.command = {"/bin/sh", "-c", script};
        return run(job);
    }
};

TEST_P(ExecutorContract, OutputErrorAndExitStatusComeBack) {
    const Finished finished = shell("echo 1.5; echo trouble >&2; exit 3");
    EXPECT_EQ(finished.output, "1.5\n");
    EXPECT_EQ(finished.error, "trouble\n");
    EXPECT_EQ(finished.ending, Ending::exited);
    EXPECT_EQ(finished.code, 3);
    EXPECT_EQ(describe(finished), "exit status 3");
    EXPECT_EQ(executor->running(), 0U);
}

TEST_P(ExecutorContract, ArgumentsReachTheProgramAsTheyAre) {
    Job job;
    job.command = {"/usr/bin/printf", "%s|", "a b", "$HOME", "'\"", "", "*"};
    EXPECT_EQ(run(job).output, "a b|$HOME|'\"||*|");
}

TEST_P(ExecutorContract, InputEnvironmentAndFolderAreGiven) {
    testing_support::TemporaryFolder folder;
    Job job;
    job.command = {"/bin/sh", "-c", "cat; echo $SUMMAND_x; pwd -P"};
    job.input = std::string(200000, 'i');  // more than a pipe holds
    job.environment = {{"SUMMAND_x", "2.5"}};
    job.directory = folder.path();
    EXPECT_EQ(run(job).output, job.input + "2.5\n" + std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST_P(ExecutorContract, AProgramThatIsNotThereIsASentence) {
    Job job;
    job.command = {"./no-such-program"};
    try {
        executor->start(job);
        FAIL();
    } catch (const ExecutorError& error) {
        EXPECT_NE(std::string(error.what()).find("cannot start \"./no-such-program\""), std::string::npos)
            << error.what();
    }
    EXPECT_EQ(executor->running(), 0U);
}

TEST_P(ExecutorContract, ASignalIsReportedAsOne) {
    const Finished finished = shell("kill -SEGV $$");
    EXPECT_EQ(finished.ending, Ending::signalled);
    EXPECT_EQ(finished.code, SIGSEGV);
}

TEST_P(ExecutorContract, TheTimeLimitEndsTheWholeTree) {
    testing_support::TemporaryFolder folder;
    Job job;
    // A grandchild that would leave a mark after its parent has been killed.
    job.command = {"/bin/sh", "-c", "(sleep 0.6; touch mark) & sleep 30"};
    job.directory = folder.path();
    job.time_limit_seconds = 0.2;
    const Finished finished = run(job);
    EXPECT_EQ(finished.ending, Ending::time_limit);
    EXPECT_GE(finished.seconds, 0.2);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    EXPECT_FALSE(std::filesystem::exists(folder / "mark"));
}

TEST_P(ExecutorContract, WhatAProgramLeavesBehindIsEndedWithIt) {
    const Finished finished = shell("sleep 20 & echo 1");
    EXPECT_EQ(finished.output, "1\n");
    EXPECT_LT(finished.seconds, 15.0) << "the background process held the output open";
}

TEST_P(ExecutorContract, TheMemoryLimitHolds) {
    Job job;
    job.command = {"/bin/sh", "-c", "head -c 300000000 /dev/zero | tail -c 300000000 | wc -c"};
    job.memory_limit_bytes = 100'000'000;
    EXPECT_EQ(run(job).output.find("300000000"), std::string::npos);
    job.memory_limit_bytes = {};
    EXPECT_NE(run(job).output.find("300000000"), std::string::npos);
}

TEST_P(ExecutorContract, EndlessOutputKeepsItsEnds) {
    const Finished finished = shell("echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo 42");
    EXPECT_LT(finished.output.size(), 1'100'000U);
    EXPECT_EQ(finished.output.substr(0, 6), "first\n");
    EXPECT_EQ(finished.output.substr(finished.output.size() - 4), "\n42\n");
    EXPECT_NE(finished.output.find("bytes left out"), std::string::npos);
}

TEST_P(ExecutorContract, StoppingEndsEverything) {
    Job job;
    job.command = {"/bin/sleep", "30"};
    for (job.id = 1; job.id <= 3; ++job.id) executor->start(job);
    executor->stop_all();
    std::size_t stopped = 0;
    while (executor->running() > 0)
        for (const Finished& finished : executor->wait(5.0)) stopped += finished.ending == Ending::stopped ? 1 : 0;
    EXPECT_EQ(stopped, 3U);
}

TEST_P(ExecutorContract, WaitingEndsWhenWokenOrWhenTheTimeIsOver) {
    EXPECT_TRUE(executor->wait(0.01).empty());
    executor->wake();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(executor->wait(20.0).empty());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST_P(ExecutorContract, TheResultFileComesBackAndAnOldOneIsNotTakenForIt) {
    testing_support::TemporaryFolder folder;
    Job job;
    job.directory = folder.path();
    job.result_file = "result";
    std::ofstream(folder / "result") << "old";
    job.command = {"/bin/sh", "-c", "test -e result && echo old > result; echo 1"};
    EXPECT_EQ(run(job).result, std::nullopt);
    job.command = {"/bin/sh", "-c", "echo new > result"};
    EXPECT_EQ(run(job).result, "new\n");
}

TEST_P(ExecutorContract, AStartedJobHasAPlaceUntilItHasEnded) {
    EXPECT_TRUE(executor->places().empty());
    Job job;
    job.id = 7;
    job.command = {"/bin/sh", "-c", "echo 1"};
    executor->start(job);
    ASSERT_EQ(executor->places().size(), 1U);
    EXPECT_EQ(executor->places()[0].id, 7);
    while (executor->running() > 0) executor->wait(5.0);
    EXPECT_TRUE(executor->places().empty());
}

TEST_P(ExecutorContract, WhatARunningProgramHasWrittenCanBeSeen) {
    Job job;
    job.id = 7;
    job.directory = own.path();
    job.command = {"/bin/sh", "-c", "seq 100000; echo hm >&2; until test -e go; do sleep 0.05; done; echo done"};
    executor->start(job);
    std::optional<Written> written;
    while (!written || written->error.empty()) {
        ASSERT_TRUE(executor->wait(0.05).empty());
        written = executor->so_far(7, 1000);
    }
    EXPECT_EQ(written->error, "hm\n");
    EXPECT_LE(written->output.size(), 1000U);
    EXPECT_TRUE(written->output.ends_with("99999\n100000\n")) << written->output;
    EXPECT_EQ(written->output.find('\n'), 5U) << "it begins with a whole line";
    std::ofstream(own / "go").flush();
    while (executor->running() > 0) executor->wait(5.0);
    EXPECT_FALSE(executor->so_far(7, 1000));
}

TEST_P(ExecutorContract, WhatNobodyHasStartedCannotBeAdopted) {
    EXPECT_FALSE(executor->adopt(1));
    EXPECT_TRUE(executor->left_behind().empty());
    executor->forget(1);
}

}  // namespace summand::executor
