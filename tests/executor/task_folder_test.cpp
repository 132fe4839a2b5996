// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/task_folder.hpp"

#include "summand/base/error.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

namespace summand::executor {
namespace {

struct TaskFolderTest : ::testing::Test {
    testing_support::TemporaryFolder parent;
    TaskFolder folder = TaskFolder::create(parent / "array", jobs(), "#!/bin/sh\n");

    static std::vector<Job> jobs() {
        std::vector<Job> some(3);
        for (std::size_t i = 0; i < some.size(); ++i) {
            some[i].id = 10 + static_cast<std::int64_t>(i);
            some[i].command = {"program", std::string(i * 100, 'x')};
        }
        return some;
    }
};

TEST_F(TaskFolderTest, EachTaskFindsItsJob) {
    const auto opened = TaskFolder::open(parent / "array");
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->ids(), (std::vector<std::int64_t>{10, 11, 12}));
    for (int task = 0; task < 3; ++task)
        EXPECT_EQ(opened->job(task)->command, jobs()[static_cast<std::size_t>(task)].command);
    EXPECT_FALSE(opened->job(3));
}

TEST_F(TaskFolderTest, ATaskThatIsWithdrawnNeverRunsOrIsToldToStop) {
    EXPECT_TRUE(folder.withdraw(0));
    EXPECT_FALSE(folder.claim(0, "a task that Slurm starts after all"));
    EXPECT_TRUE(folder.claim(1, "a task"));
    EXPECT_FALSE(folder.withdrawn(1));
    EXPECT_FALSE(folder.withdraw(1)) << "it runs";
    EXPECT_TRUE(folder.withdrawn(1));
    EXPECT_TRUE(folder.claim(2, "another"));
    folder.remove();
    EXPECT_TRUE(folder.withdrawn(2)) << "nobody waits for it";
}

TEST_F(TaskFolderTest, AClaimIsMadeOnceHoweverManyTry) {
    std::atomic<int> winners = 0;
    {
        std::vector<std::jthread> crowd;
        for (int i = 0; i < 16; ++i) crowd.emplace_back([&] { winners += folder.claim(1, "me") ? 1 : 0; });
    }
    EXPECT_EQ(winners, 1);
    EXPECT_TRUE(folder.claim(2, "me"));
}

TEST_F(TaskFolderTest, TheFilesTellWhereEachTaskIs) {
    folder.claim(0, "me");
    folder.claim(1, "me");
    folder.finish(1, Finished{11, Ending::exited, 0, "1\n", "", {}, {}, 0.5});
    folder.finish(2, Finished{12, Ending::exited, 0, "2\n", "", {}, {}, 0.5});
    EXPECT_EQ(folder.result(2)->output, "2\n");
    folder.mark_done(2);
    const auto states = folder.states();
    EXPECT_TRUE(states[0].claimed && !states[0].finished && !states[0].done);
    EXPECT_TRUE(states[1].claimed && states[1].finished && !states[1].done);
    EXPECT_TRUE(states[2].done && !states[2].finished);
}

TEST_F(TaskFolderTest, WhatIsNotWholeIsNotThere) {
    std::ofstream(folder.path() / "0.result.part") << "5:half";
    EXPECT_FALSE(folder.states()[0].finished);
    std::ofstream(folder.path() / "jobs", std::ios::trunc) << "cut";
    EXPECT_FALSE(TaskFolder::open(parent / "array"));
    EXPECT_FALSE(TaskFolder::open(parent / "nowhere"));
}

TEST_F(TaskFolderTest, AFolderThatIsGoneIsASentence) {
    folder.remove();
    EXPECT_THROW(folder.claim(0, "me"), ExecutorError);
}

}  // namespace
}  // namespace summand::executor
