// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/local_process.hpp"

#include "support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
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
        // The grandchild is not a direct child of the runner: only the guardian reaches it.
        job.command = {"/bin/sh", "-c", "(touch started; sleep 0.8; touch mark) & wait"};
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

}  // namespace
}  // namespace summand::executor
