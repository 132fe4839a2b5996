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
}

}  // namespace
}  // namespace summand::executor
