// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/task_record.hpp"

#include <gtest/gtest.h>

namespace summand::executor {
namespace {

TEST(TaskRecord, AJobComesBackAsItWas) {
    Job job;
    job.id = -7;
    job.command = {"/bin/prog", "", "a b\n", std::string("\0:3", 3)};
    job.directory = "/some/where";
    job.environment = {{"A", ""}, {"B", "x=y"}};
    job.input = std::string(1000, '\0');
    job.time_limit_seconds = 0.1;
    job.result_file = "r";
    const auto back = job_from(to_bytes(job));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->id, job.id);
    EXPECT_EQ(back->command, job.command);
    EXPECT_EQ(back->directory, job.directory);
    EXPECT_EQ(back->environment, job.environment);
    EXPECT_EQ(back->input, job.input);
    EXPECT_EQ(back->time_limit_seconds, job.time_limit_seconds);
    EXPECT_EQ(back->memory_limit_bytes, job.memory_limit_bytes);
    EXPECT_EQ(back->result_file, job.result_file);
}

TEST(TaskRecord, AnEndComesBackAsItWas) {
    Finished finished{3, Ending::signalled, 9, "out", "", "file", "", 1.25};
    const auto back = finished_from(to_bytes(finished));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->ending, Ending::signalled);
    EXPECT_EQ(back->output, "out");
    EXPECT_EQ(back->seconds, 1.25);
    EXPECT_EQ(back->result, "file");
}

TEST(TaskRecord, BytesThatAreNotWholeAreNoRecord) {
    const std::string bytes = to_bytes(Finished{3, Ending::exited, 0, "out", "err", "file", "", 1.25});
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_FALSE(finished_from(bytes.substr(0, length))) << length;
    EXPECT_FALSE(finished_from(bytes + "0:"));
    EXPECT_FALSE(finished_from("99999999999999999999:x"));
}

}  // namespace
}  // namespace summand::executor
