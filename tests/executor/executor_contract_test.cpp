// SPDX-License-Identifier: Apache-2.0
#include "executor_contract.hpp"

#include "summand/executor/local_process.hpp"

namespace summand::executor {
namespace {

const Candidate local{"local", [](const auto&) { return local_processes(); }, ""};

INSTANTIATE_TEST_SUITE_P(Executors, ExecutorContract, ::testing::Values(local),
                         [](const auto& instance) { return instance.param.name; });

TEST(Shortened, KeepsBothEndsAndSaysHowMuchIsMissing) {
    EXPECT_EQ(shortened("abcdef", 6), "abcdef");
    EXPECT_EQ(shortened("abcdefgh", 4), "ab\n[4 bytes left out]\ngh");
    EXPECT_EQ(shortened("abc" + left_out(1000) + "fgh", 4), "ab\n[1002 bytes left out]\ngh") << "shortened twice";
}

}  // namespace
}  // namespace summand::executor
