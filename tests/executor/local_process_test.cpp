// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/local_process.hpp"

#include "summand/base/error.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace summand::executor {
namespace {

TEST(LocalProcesses, DieWithTheProcessThatStartedThemEvenIfItIsKilled) {
    testing_support::TemporaryFolder folder;
    const pid_t runner = fork();
    if (runner == 0) {
        const auto executor = local_processes();
        Job job;
        // An orphan in a session of its own: only the supervisor reaches it.
        job.command = {"/bin/sh", "-c", "(setsid sh -c 'touch started; sleep 0.8; touch mark' &) ; sleep 30"};
        job.directory = folder.path();
        executor->start(job);
        for (;;) executor->wait(10.0);
    }
    while (!std::filesystem::exists(folder / "started")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(runner, SIGKILL);
    waitpid(runner, nullptr, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    EXPECT_FALSE(std::filesystem::exists(folder / "mark"));
}

TEST(LocalProcesses, WhatAProgramHadStartedIsGoneWhenItsSupervisorWasKilled) {
    // Whoever is told that a program was killed starts it again: what is left of it must not run beside the new one.
    testing_support::TemporaryFolder folder;
    const auto executor = local_processes();
    Job job;
    job.command = {"/bin/bash", "-c",
                   "exec 9>lock; flock 9; sleep 30 & "
                   "echo $PPID > supervisor.new; mv supervisor.new supervisor; wait"};
    job.directory = folder.path();
    executor->start(job);
    while (!std::filesystem::exists(folder / "supervisor")) executor->wait(0.01);
    pid_t supervisor = 0;
    std::ifstream(folder / "supervisor") >> supervisor;
    kill(supervisor, SIGKILL);
    std::vector<Finished> finished;
    while (finished.empty()) finished = executor->wait(5.0);
    EXPECT_EQ(finished[0].ending, Ending::signalled);
    const std::string taken = "flock --nonblock " + (folder / "lock").string() + " true";
    EXPECT_EQ(std::system(taken.c_str()), 0) << "its child still holds the lock";
}

TEST(LocalProcesses, ADaemonOutlivesAProgramThatEndsByItself) {
    testing_support::TemporaryFolder folder;
    const auto executor = local_processes();
    Job job;
    job.command = {"/bin/sh", "-c", "setsid sh -c 'sleep 0.3; touch mark' >/dev/null 2>&1 & sleep 0.1"};
    job.directory = folder.path();
    executor->start(job);
    while (executor->running() > 0) executor->wait(5.0);
    for (int i = 0; i < 1000 && !std::filesystem::exists(folder / "mark"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(std::filesystem::exists(folder / "mark"));
}

TEST(LocalProcesses, KeepIgnoringTheHangUpUnderNohup) {
    const auto before = std::signal(SIGHUP, SIG_IGN);
    const auto executor = local_processes();
    Job job;
    job.command = {"/bin/sh", "-c", "kill -HUP $$; echo alive"};
    executor->start(job);
    std::vector<Finished> finished;
    while (finished.empty()) finished = executor->wait(5.0);
    std::signal(SIGHUP, before);
    EXPECT_EQ(finished[0].output, "alive\n");
}

TEST(LocalProcesses, ATimeLimitReachesSessionsOfTheirOwnAndOrphans) {
    testing_support::TemporaryFolder folder;
    const auto executor = local_processes();
    Job job;
    // One child in a session of its own; one that is an orphan besides, as daemons are.
    job.command = {"/bin/sh", "-c",
                   "setsid sh -c 'touch one; sleep 0.8; touch mark1' & "
                   "(setsid sh -c 'touch two; sleep 0.8; touch mark2' &) ; sleep 30"};
    job.directory = folder.path();
    job.time_limit_seconds = 0.3;
    executor->start(job);
    std::vector<Finished> finished;
    while (finished.empty()) finished = executor->wait(5.0);
    EXPECT_EQ(finished[0].ending, Ending::time_limit);
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    EXPECT_FALSE(std::filesystem::exists(folder / "mark1"));
    EXPECT_FALSE(std::filesystem::exists(folder / "mark2"));
}

TEST(LocalProcesses, NameADirectoryThatIsNotThere) {
    Job job;
    job.command = {"/bin/true"};
    job.directory = "/no/such/folder";
    try {
        local_processes()->start(job);
        FAIL();
    } catch (const ExecutorError& error) {
        EXPECT_NE(std::string(error.what()).find("the directory /no/such/folder"), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find("/bin/true"), std::string::npos) << "the program is not to blame";
    }
}

}  // namespace
}  // namespace summand::executor
