// SPDX-License-Identifier: Apache-2.0
// What Slurm does when it is in trouble, played by programs of our own: needs no Slurm.
#include "slurm/fake_slurm.hpp"
#include "slurm/fixture.hpp"
#include "summand/base/error.hpp"

namespace summand::executor {
namespace {

struct SlurmFaults : SlurmFixture {
    testing_support::FakeSlurm cluster;

    void SetUp() override { executor = make(); }
    void begin_with(double patience, double file_delay) {
        SlurmOptions options = quick();
        options.patience_seconds = patience;
        options.file_delay_seconds = file_delay;
        executor = slurm(options);
    }
    /// Until squeue has been called so many times more, and its answer was seen.
    void polls(int more) {
        const int until = cluster.calls("squeue") + more + 1;
        while (cluster.calls("squeue") < until) ASSERT_TRUE(executor->wait(0.05).empty());
    }
};

TEST_F(SlurmFaults, ASqueueThatHangsHoldsUpNothingAndIsNamed) {
    begin_with(0.5, 1.0);
    cluster.set("squeue-hangs");
    executor->start(job(1, until_go() + "echo 5"));
    while (executor->trouble().empty()) EXPECT_TRUE(executor->wait(0.1).empty());
    EXPECT_NE(executor->trouble().find("squeue: no answer"), std::string::npos) << executor->trouble();
    go();
    EXPECT_EQ(all()[0].output, "5\n") << "results come without squeue";
    cluster.unset("squeue-hangs");
    executor->start(job(2, "until test -e on; do sleep 0.05; done; echo 6"));
    while (!executor->trouble().empty()) EXPECT_TRUE(executor->wait(0.1).empty());
    std::ofstream(folder / "on").flush();
    EXPECT_EQ(all()[0].output, "6\n");
}

TEST_F(SlurmFaults, AnSbatchThatHangsAfterItsWorkIsNotRepeated) {
    begin_with(0.5, 1.0);
    cluster.set("sbatch-hangs");
    executor->start(job(1, "echo x >> ran-1; " + until_go() + "echo 5"));
    while (executor->places()[0].name.empty()) EXPECT_TRUE(executor->wait(0.1).empty());  // found in the queue
    go();
    EXPECT_EQ(all()[0].output, "5\n");
    EXPECT_EQ(cluster.calls("sbatch"), 1);
    EXPECT_EQ(runs(1), 1U);
}

TEST_F(SlurmFaults, AResultThatIsSeenLateCountsWhateverSlurmSays) {
    // NODE_FAIL: a controller calls a node failed that was too busy to start a task in time, and the task runs after all.
    for (const std::string word : {"COMPLETED", "NODE_FAIL"}) {
        begin_with(5.0, 600.0);
        cluster.say("RUNNING");
        executor->start(job(1, "touch started; " + until_go() + "rm started go; echo 5"));
        wait_for("started");
        cluster.say(word);
        polls(2);
        go();
        const auto finished = all();
        EXPECT_EQ(finished[0].ending, Ending::exited);
        EXPECT_EQ(finished[0].output, "5\n");
        executor->forget(1);
    }
}

TEST_F(SlurmFaults, ATaskThatTheQueueForgetsForAWhileIsNotLost) {
    // A controller that has just been started again may not know a job yet.
    begin_with(5.0, 600.0);
    executor->start(job(1, "touch started; " + until_go() + "echo 5"));
    wait_for("started");
    cluster.say("gone");
    polls(2);
    cluster.say("RUNNING");
    polls(2);
    go();
    EXPECT_EQ(all()[0].output, "5\n");
}

TEST_F(SlurmFaults, EveryCauseIsReportedInSlurmsWord) {
    for (const std::string cause : {"TIMEOUT", "PREEMPTED", "NODE_FAIL", "OUT_OF_MEMORY", "CANCELLED", "BOOT_FAIL"}) {
        executor = make();
        cluster.say("RUNNING");
        executor->start(job(1, "touch started; sleep 600"));
        wait_for("started");
        cluster.say(cause);
        const auto finished = all();
        EXPECT_EQ(finished[0].ending, Ending::scheduler);
        EXPECT_EQ(describe(finished[0]).rfind(cause + " (Slurm job ", 0), 0U) << describe(finished[0]);
        EXPECT_NE(describe(finished[0]).find(" on n1)"), std::string::npos);
        executor->forget(1);
        std::filesystem::remove(folder / "started");
    }
}

TEST_F(SlurmFaults, ATaskThatSlurmForgetsForGoodIsLost) {
    executor->start(job(1, "touch started; sleep 600"));
    wait_for("started");
    cluster.say("gone");
    EXPECT_EQ(describe(all()[0]).rfind("LOST (Slurm job 1_0)", 0), 0U);
}

TEST_F(SlurmFaults, ATaskThatRunsAlthoughSlurmHasLostItIsStoppedBeforeItIsStartedAgain) {
    // Also where Slurm calls it completed: a second start of it, which found the claim taken, has come to its end.
    for (const std::string word : {"gone", "COMPLETED"}) {
        executor = make();
        cluster.say("RUNNING");
        executor->start(job(1, "exec 9>lock; flock 9; touch started; sleep 600"));
        wait_for("started");
        cluster.say(word);
        EXPECT_EQ(all()[0].ending, Ending::scheduler);
        const std::string taken = "flock --nonblock " + (folder / "lock").string() + " true";
        EXPECT_EQ(std::system(taken.c_str()), 0) << word << ": the program still runs";
        executor->forget(1);
        std::filesystem::remove(folder / "started");
    }
}

TEST_F(SlurmFaults, ATaskThatRanAndWhoseNumberNobodyKnowsIsLostAndNotWaitedForForEver) {
    // Its sbatch got through and was not answered, it began, and the controller has forgotten it.
    begin_with(0.3, 0.3);
    cluster.say("gone");
    cluster.set("sbatch-hangs");
    executor->start(job(1, "touch started; sleep 600"));
    wait_for("started");
    EXPECT_EQ(describe(all()[0]), "LOST (its number in Slurm is not known)");
}

TEST_F(SlurmFaults, AQueueOfManyMegabytesIsReadWhole) {
    // 1.1 MB of others before ours and after: what is cut from the middle would be our tasks.
    cluster.add_others(20000);
    begin_with(60.0, 0.1);
    for (int id = 1; id <= 3; ++id) executor->start(job(id, until_go() + "echo 5"));
    polls(2);
    go();
    for (const Finished& finished : all()) EXPECT_EQ(finished.output, "5\n") << describe(finished);
}

TEST_F(SlurmFaults, ATaskThatIsGivenUpBeforeItRanNeverRuns) {
    cluster.set("held");
    executor->start(job(1, "echo x >> ran-1; echo 5"));
    polls(1);
    cluster.say("CANCELLED");
    EXPECT_EQ(all()[0].ending, Ending::scheduler);
    for (const auto& array : std::filesystem::directory_iterator(folder / "slurm"))
        if (std::filesystem::exists(array.path() / "script")) {
            const std::string late =
                "SLURM_ARRAY_TASK_ID=0 bash " + (array.path() / "script").string() + " 2>/dev/null";
            EXPECT_EQ(std::system(late.c_str()), 0);
        }
    EXPECT_EQ(runs(1), 0U) << "Slurm started it after all";
}

TEST_F(SlurmFaults, CallsGrowWithBatchesAndNotWithTrials) {
    for (int id = 1; id <= 300; ++id) executor->start(job(id, "echo 5"));
    EXPECT_EQ(all().size(), 300U);
    EXPECT_EQ(cluster.calls("sbatch"), 1);
}

}  // namespace
}  // namespace summand::executor
