// SPDX-License-Identifier: Apache-2.0
// How a real Slurm ends jobs, and what is said about it.
#include "slurm/cluster_fixture.hpp"

#include <csignal>

namespace summand::executor {
namespace {

namespace fs = std::filesystem;

TEST_F(SlurmTest, ACancelledJobIsReportedWithItsCauseWhetherItRanOrNot) {
    SlurmOptions options = quick();
    options.arguments = {"--hold"};
    executor = slurm(options);
    executor->start(job(1, "echo 5"));
    while (executor->places()[0].name.empty()) executor->wait(0.05);
    EXPECT_EQ(executor->places()[0].stage, Stage::waiting);
    ASSERT_EQ(std::system(("scancel " + executor->places()[0].name).c_str()), 0);
    const auto never_ran = all();
    EXPECT_EQ(never_ran[0].ending, Ending::scheduler);
    EXPECT_EQ(describe(never_ran[0]).rfind("CANCELLED or lost before it ran (Slurm job ", 0), 0U)
        << describe(never_ran[0]);
    executor = make();
    executor->start(job(2, "touch started; sleep 60"));
    wait_for("started");
    ASSERT_EQ(std::system(("scancel " + executor->places()[0].name).c_str()), 0);
    EXPECT_EQ(describe(all()[0]).rfind("CANCELLED (Slurm job ", 0), 0U);
}

TEST_F(SlurmTest, AKilledWorkerIsReportedAndItsProgramEnded) {
    // Between the worker and the program stands the program's supervisor; its parent is the fourth word of its state.
    executor->start(job(1, "cut -d' ' -f4 /proc/$PPID/stat > worker; sleep 60"));
    wait_for("worker");
    while (fs::file_size(folder / "worker") == 0) executor->wait(0.05);
    std::ifstream file(folder / "worker");
    pid_t worker = 0;
    file >> worker;
    ASSERT_EQ(kill(worker, SIGKILL), 0);
    const auto finished = all();
    EXPECT_EQ(finished[0].ending, Ending::scheduler);
    EXPECT_NE(describe(finished[0]).find("FAILED without a result (Slurm job "), std::string::npos);
}

TEST_F(SlurmTest, ATimeLimitIsReported) {
    executor->start(job(1, "touch started; sleep 600"));
    // Slurm's shortest limit is a minute, and it looks every half; an administrator may move the end.
    shell("scontrol update EndTime=now JobId=" + name_when_started());
    EXPECT_EQ(describe(all()[0]).rfind("TIMEOUT (Slurm job ", 0), 0U);
}

TEST_F(SlurmTest, APreemptedJobIsReported) {
    executor->start(job(1, "touch started; sleep 600"));
    shell("sbatch --quiet --partition=urgent --exclusive --nodelist=" + node_when_started() +
          " --output=/dev/null --wrap true");
    EXPECT_EQ(describe(all()[0]).rfind("PREEMPTED (Slurm job ", 0), 0U);
}

TEST_F(SlurmTest, ANodeThatIsDownIsReported) {
    executor->start(job(1, "touch started; sleep 600"));
    shell("node=" + node_when_started() +
          "; scontrol update NodeName=$node State=DOWN Reason=test; "
          // It may have come back by itself meanwhile.
          "scontrol update NodeName=$node State=RESUME 2>/dev/null; true");
    EXPECT_EQ(describe(all()[0]).rfind("NODE_FAIL (Slurm job ", 0), 0U);
}

}  // namespace
}  // namespace summand::executor
