// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/slurm_commands.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace summand::executor {
namespace {

TEST(SlurmCommands, NumbersAreWrittenAsRanges) {
    EXPECT_EQ(ranges({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
    EXPECT_EQ(ranges({4}), "4");
}

TEST(SlurmCommands, OptionsReachSbatchAndTheUsersOwnDoNotUndoOurs) {
    SlurmOptions options;
    options.partition = "gpu";
    options.cpus = 4;
    options.arguments = {"--qos=long", "--array=0-99"};
    const auto command = submit_command(options, "name", "/f", {0, 1});
    const auto position = [&](const std::string& word) { return std::find(command.begin(), command.end(), word); };
    EXPECT_NE(position("--partition=gpu"), command.end());
    EXPECT_NE(position("--cpus-per-task=4"), command.end());
    EXPECT_LT(position("--array=0-99"), position("--array=0-1"));
    EXPECT_EQ(std::count_if(command.begin(), command.end(), [](const auto& w) { return w.rfind("--mem", 0) == 0; }), 0);
    EXPECT_EQ(command.back(), "/f/script");
}

TEST(SlurmCommands, AQueueIsReadByNameAndTask) {
    const Queue queue = parse_queue(
        "12|0|RUNNING|n1|None|summand-a\n"
        "12|1|PENDING||Resources|summand-a\n"
        "13|N/A|RUNNING|n2|None|some|one else's\n"
        "garbage\n"
        "11|0|COMPLETED|n3|None|summand-a\n");
    EXPECT_EQ(queue.at("summand-a").at(0).array, "12") << "of two, the one that is not over";
    EXPECT_EQ(queue.at("summand-a").at(1).reason, "Resources");
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_TRUE(is_waiting("PENDING") && !is_waiting("RUNNING") && !is_over("COMPLETING") && is_over("NODE_FAIL"));
}

TEST(SlurmCommands, AccountingGivesTheCauseWithoutWhoCancelled) {
    const auto found = parse_accounting("12_0|CANCELLED by 1000|n1\n12_1|TIMEOUT|n2\n");
    EXPECT_EQ(found.at("12_0").state, "CANCELLED");
    EXPECT_EQ(found.at("12_1").node, "n2");
}

TEST(SlurmCommands, ADownControllerPassesAWrongPartitionDoesNot) {
    // slurmctld was killed while sbatch spoke to it.
    EXPECT_TRUE(passes_by_itself("sbatch: error: Batch job submission failed: Unexpected missing socket error"));
    EXPECT_TRUE(passes_by_itself("sbatch: error: Batch job submission failed: Message receive failure"));
    EXPECT_TRUE(passes_by_itself("slurm_load_jobs error: Unable to contact slurm controller (connect failure)"));
    EXPECT_TRUE(
        passes_by_itself("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"));
    EXPECT_FALSE(passes_by_itself("sbatch: error: invalid partition specified: gpu"));
    EXPECT_FALSE(
        passes_by_itself("sbatch: error: Batch job submission failed: Invalid account or account/partition "
                         "combination specified"));
}

TEST(SlurmCommands, TheScriptRunsThePrologueThenTheTask) {
    SlurmOptions options;
    options.prologue = "module load gcc";
    EXPECT_EQ(task_script(options, "/a b/summand-task", "/it's"),
              "#!/bin/bash\nmodule load gcc\nexec '/a b/summand-task' '/it'\\''s' \"$SLURM_ARRAY_TASK_ID\" 7.500000\n");
}

}  // namespace
}  // namespace summand::executor
