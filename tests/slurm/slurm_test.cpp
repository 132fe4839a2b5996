// SPDX-License-Identifier: Apache-2.0
// On a real Slurm, started by cluster.sh: SLURM_CONF names it. Skips where there is none.
#include "summand/executor/slurm.hpp"

#include "executor/executor_contract.hpp"
#include "slurm/cluster_fixture.hpp"
#include "summand/executor/slurm_folder.hpp"

#include <set>

namespace summand::executor {
namespace {

namespace fs = std::filesystem;

const Candidate on_slurm{"slurm", [](const fs::path& folder) { return slurm(quick_slurm(folder)); }, missing_cluster()};

INSTANTIATE_TEST_SUITE_P(Slurm, ExecutorContract, ::testing::Values(on_slurm),
                         [](const auto& instance) { return instance.param.name; });

TEST_F(SlurmTest, ABatchIsOneArray) {
    for (int id = 1; id <= 20; ++id) executor->start(job(id, "echo " + std::to_string(id)));
    executor->wait(0.0);
    EXPECT_EQ(arrays(), 1U);
    std::set<std::int64_t> seen;
    for (const Finished& finished : all()) {
        EXPECT_EQ(finished.output, std::to_string(finished.id) + "\n");
        seen.insert(finished.id);
        executor->forget(finished.id);
    }
    EXPECT_EQ(seen.size(), 20U);
    EXPECT_EQ(arrays(), 0U) << "what has been stored leaves nothing behind";
}

TEST_F(SlurmTest, JobsThatEndWhileNobodyWatchesAreTakenByTheNext) {
    for (int id = 1; id <= 3; ++id) executor->start(job(id, "echo x >> ran-$SLURM_ARRAY_TASK_ID; echo 5"));
    executor->wait(0.0);
    executor.reset();
    for (int task = 0; task < 3; ++task)
        while (!fs::exists(folder / ("ran-" + std::to_string(task))))
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
    executor = make();
    EXPECT_EQ(executor->left_behind(), (std::vector<std::int64_t>{1, 2, 3}));
    for (int id = 1; id <= 3; ++id) EXPECT_TRUE(executor->adopt(id));
    for (const Finished& finished : all()) EXPECT_EQ(finished.output, "5\n");
    for (int id = 1; id <= 3; ++id) executor->forget(id);
    EXPECT_TRUE(make()->left_behind().empty());
    for (int task = 0; task < 3; ++task) EXPECT_EQ(runs(task), 1U);
}

TEST_F(SlurmTest, AnArrayThatNeverReachedSlurmIsSubmittedByWhoAdoptsIt) {
    // As if the driver had died between writing the folder and sbatch.
    SlurmFolder(folder / "slurm").create(quick(), {job(1, "echo x >> ran-1; echo 5")});
    ASSERT_TRUE(executor->adopt(1));
    const auto finished = all();
    ASSERT_EQ(finished.size(), 1U);
    EXPECT_EQ(finished[0].output, "5\n");
    EXPECT_EQ(runs(1), 1U);
}

TEST_F(SlurmTest, ATaskThatSlurmStartsTwiceRunsOnce) {
    executor->start(job(1, "echo x >> ran-1; sleep 1; echo 5"));
    executor->wait(0.0);
    for (const auto& array : fs::directory_iterator(folder / "slurm"))
        if (fs::exists(array.path() / "script")) {
            const std::string again =
                "sbatch --quiet --parsable --array=0 --output=/dev/null " + (array.path() / "script").string();
            ASSERT_EQ(std::system((again + " >/dev/null; " + again + " >/dev/null").c_str()), 0);
        }
    EXPECT_EQ(all()[0].output, "5\n");
    EXPECT_EQ(runs(1), 1U);
}

TEST_F(SlurmTest, AWrongPartitionIsASentenceAndLeavesNothing) {
    SlurmOptions options = quick();
    options.partition = "nonexistent";
    executor = slurm(options);
    executor->start(job(1, "echo 5"));
    try {
        for (;;) executor->wait(1.0);
    } catch (const ExecutorError& error) {
        EXPECT_NE(std::string(error.what()).find("sbatch refuses the jobs: "), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("partition"), std::string::npos) << error.what();
    }
    EXPECT_EQ(executor->running(), 0U);
    EXPECT_TRUE(make()->left_behind().empty());
}

TEST_F(SlurmTest, OverviewTellsWaitingRunningAndFinished) {
    SlurmOptions held = quick();
    held.arguments = {"--hold"};
    const auto waiting = slurm(held);
    waiting->start(job(1, "echo 5"));
    while (waiting->places()[0].name.empty()) waiting->wait(0.05);
    executor->start(job(2, "touch started; " + until_go() + "echo 5"));
    wait_for("started");
    auto overview = slurm_overview(held);
    ASSERT_EQ(overview.tasks.size(), 2U) << overview.trouble;
    EXPECT_EQ(overview.tasks[0].state, "waiting");
    EXPECT_EQ(overview.tasks[0].detail, "JobHeldUser");
    EXPECT_EQ(overview.tasks[1].state, "running");
    EXPECT_EQ(overview.tasks[1].name, executor->places()[0].name);
    go();
    all();
    EXPECT_EQ(slurm_overview(held).tasks[1].state, "finished");
    waiting->stop_all();
}

// These disturb the cluster for everybody: CMake runs one test program at a time on it.

TEST_F(SlurmTest, AControllerThatIsDownForAWhileCostsNothing) {
    executor->start(job(1, "echo x >> ran-1; touch started; " + until_go() + "echo 5"));
    wait_for("started");
    cluster("kill controller");
    executor->start(job(2, "echo x >> ran-2; echo 6"));  // cannot be submitted now
    while (executor->trouble().empty()) EXPECT_TRUE(executor->wait(0.1).empty());
    go();
    std::vector<Finished> first;
    while (first.empty()) first = executor->wait(1.0);
    EXPECT_EQ(first[0].output, "5\n") << "results come without Slurm";
    cluster("revive controller");
    EXPECT_EQ(all()[0].output, "6\n");
    EXPECT_EQ(executor->trouble(), "");
    EXPECT_EQ(runs(1) + runs(2), 2U);
}

TEST_F(SlurmTest, ANodeDaemonThatIsKilledLosesNoJob) {
    for (int id = 1; id <= 4; ++id)
        executor->start(job(id, "touch started-$SLURM_ARRAY_TASK_ID; " + until_go() + "echo 5"));
    for (int task = 0; task < 4; ++task) wait_for("started-" + std::to_string(task));
    cluster("kill n1");
    go();
    const auto finished = all();
    EXPECT_EQ(finished.size(), 4U);
    for (const Finished& one : finished) EXPECT_EQ(one.output, "5\n");
    cluster("revive n1");
}

}  // namespace
}  // namespace summand::executor
