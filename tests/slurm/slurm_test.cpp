// SPDX-License-Identifier: Apache-2.0
// On a real Slurm, started by cluster.sh: SLURM_CONF names it. Skips where there is none.
#include "summand/executor/slurm.hpp"

#include "executor/executor_contract.hpp"
#include "summand/executor/slurm_folder.hpp"

#include <cstdlib>
#include <set>

namespace summand::executor {
namespace {

namespace fs = std::filesystem;

std::string missing_cluster() {
    const char* configuration = std::getenv("SLURM_CONF");
    return configuration != nullptr && fs::exists(configuration)
               ? ""
               : "no Slurm cluster runs here: tests/slurm/cluster.sh starts one where Debian's packages are installed";
}

SlurmOptions quick(const fs::path& folder) {
    SlurmOptions options;
    options.folder = folder;
    options.poll_seconds = 0.5;
    options.file_delay_seconds = 1.0;
    return options;
}

const Candidate on_slurm{"slurm", [](const fs::path& folder) { return slurm(quick(folder / "slurm")); },
                         missing_cluster()};

INSTANTIATE_TEST_SUITE_P(Slurm, ExecutorContract, ::testing::Values(on_slurm),
                         [](const auto& instance) { return instance.param.name; });

void cluster(const std::string& action) {
    const std::string command = std::string(SUMMAND_CLUSTER) + " " + action.substr(0, action.find(' ')) + " " +
                                fs::path(std::getenv("SLURM_CONF")).parent_path().string() +
                                action.substr(std::min(action.size(), action.find(' ')));
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

struct SlurmTest : ::testing::Test {
    testing_support::TemporaryFolder folder;
    std::unique_ptr<Executor> executor;

    void SetUp() override {
        if (const std::string missing = missing_cluster(); !missing.empty()) GTEST_SKIP() << missing;
        executor = make();
    }
    void TearDown() override {
        if (executor) executor->stop_all();
    }
    std::unique_ptr<Executor> make() { return slurm(quick(folder / "slurm")); }

    Job job(std::int64_t id, const std::string& script) {
        Job made;
        made.id = id;
        made.command = {"/bin/sh", "-c", script};
        made.directory = folder.path();
        return made;
    }
    std::vector<Finished> all() {
        std::vector<Finished> found;
        while (executor->running() > 0)
            for (Finished& finished : executor->wait(5.0)) found.push_back(std::move(finished));
        return found;
    }
    void wait_for(const std::string& file) {
        while (!fs::exists(folder / file)) executor->wait(0.05);
    }
    std::size_t arrays() {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(folder / "slurm"))
            count += entry.path().filename().string().rfind("summand-1", 0) == 0 ? 1 : 0;
        return count;
    }
    /// How often task `id` ran: each run appends a line.
    std::size_t runs(std::int64_t id) {
        std::ifstream file(folder / ("ran-" + std::to_string(id)));
        std::size_t lines = 0;
        for (std::string line; std::getline(file, line);) ++lines;
        return lines;
    }
};

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
    SlurmFolder(folder / "slurm").create(quick(folder / "slurm"), {job(1, "echo x >> ran-1; echo 5")});
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

TEST_F(SlurmTest, ACancelledJobIsReportedWithItsCauseWhetherItRanOrNot) {
    SlurmOptions options = quick(folder / "slurm");
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

TEST_F(SlurmTest, AWrongPartitionIsASentenceAndLeavesNothing) {
    SlurmOptions options = quick(folder / "slurm");
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
    SlurmOptions held = quick(folder / "slurm");
    held.arguments = {"--hold"};
    const auto waiting = slurm(held);
    waiting->start(job(1, "echo 5"));
    while (waiting->places()[0].name.empty()) waiting->wait(0.05);
    executor->start(job(2, "touch started; while ! test -e go; do sleep 0.05; done; echo 5"));
    wait_for("started");
    auto overview = slurm_overview(held);
    ASSERT_EQ(overview.tasks.size(), 2U) << overview.trouble;
    EXPECT_EQ(overview.tasks[0].state, "waiting");
    EXPECT_EQ(overview.tasks[0].detail, "JobHeldUser");
    EXPECT_EQ(overview.tasks[1].state, "running");
    EXPECT_EQ(overview.tasks[1].name, executor->places()[0].name);
    std::ofstream(folder / "go").flush();
    all();
    EXPECT_EQ(slurm_overview(held).tasks[1].state, "finished");
    waiting->stop_all();
}

// These disturb the cluster for everybody: CMake runs one test program at a time on it.

TEST_F(SlurmTest, AControllerThatIsDownForAWhileCostsNothing) {
    executor->start(job(1, "echo x >> ran-1; touch started; while ! test -e go; do sleep 0.05; done; echo 5"));
    wait_for("started");
    cluster("kill controller");
    executor->start(job(2, "echo x >> ran-2; echo 6"));  // cannot be submitted now
    while (executor->trouble().empty()) EXPECT_TRUE(executor->wait(0.1).empty());
    std::ofstream(folder / "go").flush();
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
        executor->start(job(id, "touch started-$SLURM_ARRAY_TASK_ID; while ! test -e go; do sleep 0.05; done; echo 5"));
    for (int task = 0; task < 4; ++task) wait_for("started-" + std::to_string(task));
    cluster("kill n1");
    std::ofstream(folder / "go").flush();
    const auto finished = all();
    EXPECT_EQ(finished.size(), 4U);
    for (const Finished& one : finished) EXPECT_EQ(one.output, "5\n");
    cluster("revive n1");
}

}  // namespace
}  // namespace summand::executor
