// SPDX-License-Identifier: Apache-2.0
// What every storage promises; runs on each of them.
#include "summand/base/error.hpp"
#include "summand/storage/memory.hpp"
#include "summand/storage/open_storage.hpp"
#ifdef SUMMAND_TEST_POSTGRES
#include "support/postgres_database.hpp"
#endif
#include "support/temporary_folder.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace summand::storage {
namespace {

StudyRecord some_study(const std::string& name) {
    StudyRecord study;
    study.name = name;
    study.goal = Goal::maximize;
    study.space = R"([{"name":"x"}])";
    study.options = R"({"seed":1})";
    study.settings = "{}";
    study.created_at = 1000.25;
    return study;
}

Answer value_of(std::int64_t trial, double value, double now = 20.0) {
    Answer answer;
    answer.trial = trial;
    answer.value = value;
    answer.now = now;
    return answer;
}

Answer failure_of(std::int64_t trial, const std::string& reason, double now = 20.0) {
    Answer answer;
    answer.trial = trial;
    answer.reason = reason;
    answer.now = now;
    return answer;
}

class StorageContract : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        storage_ = open();
        if (!storage_) return;
        study_ = storage_->create_study(some_study("push")).id;
    }

    std::unique_ptr<Storage> open() {
        if (GetParam() == "memory") return open_memory();
        if (GetParam() == "sqlite") return open_storage(folder_ / "studies.db", OpenMode::create_if_missing);
#ifdef SUMMAND_TEST_POSTGRES
        if (database_.there()) return open_storage(database_.url(), OpenMode::create_if_missing);
        skip(testing_support::without_postgres);
#endif
        return nullptr;
    }
    static void skip(const char* why) {
        GTEST_SKIP() << why;
    }

    /// Asks for trials with these ids, leased until t = 100.
    std::vector<TrialRecord> reserve(const std::vector<std::int64_t>& ids, std::int64_t ask = 0,
                                     const Request& request = {}) {
        Reservation reservation;
        reservation.first_sequence = storage_->begin_ask(study_, static_cast<int>(ids.size()));
        reservation.ask = ask;
        for (const std::int64_t id : ids)
            reservation.trials.push_back({id, "{\"x\":" + std::to_string(id) + "}", {}, {}});
        reservation.worker = "a";
        reservation.now = 10.0;
        reservation.lease_ends = 100.0;
        reservation.seconds = 0.5;
        reservation.request = request;
        return storage_->reserve(study_, reservation);
    }

    std::vector<TrialRecord> reissue(const std::vector<std::int64_t>& ids, double now) {
        Reservation reservation;
        reservation.reissued = ids;
        reservation.worker = "b";
        reservation.now = now;
        reservation.lease_ends = now + 100.0;
        return storage_->reserve(study_, reservation);
    }

    std::vector<std::pair<EventKind, std::int64_t>> history() {
        std::vector<std::pair<EventKind, std::int64_t>> found;
        for (const EventRecord& event : storage_->events(study_, 0)) found.emplace_back(event.kind, event.trial);
        return found;
    }

    testing_support::TemporaryFolder folder_;
#ifdef SUMMAND_TEST_POSTGRES
    testing_support::TemporaryDatabase database_{GetParam() == "postgres" ? testing_support::postgres_server() : ""};
#endif
    std::unique_ptr<Storage> storage_;
    std::int64_t study_ = 0;
};

TEST_P(StorageContract, AStudyComesBackAsItWasStored) {
    const auto found = storage_->find_study("push");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->goal, Goal::maximize);
    EXPECT_EQ(found->space, R"([{"name":"x"}])");
    EXPECT_EQ(found->options, R"({"seed":1})");
    EXPECT_EQ(found->created_at, 1000.25);
    EXPECT_FALSE(found->budget);
    EXPECT_FALSE(storage_->find_study("pull"));
}

TEST_P(StorageContract, TwoStudiesOfOneNameAreRefused) {
    EXPECT_THROW(storage_->create_study(some_study("push")), InvalidArgument);
    EXPECT_EQ(storage_->studies().size(), 1U);
}

TEST_P(StorageContract, StudiesInOneStorageDoNotSeeEachOther) {
    const std::int64_t other = storage_->create_study(some_study("pull")).id;
    reserve({1, 2});
    EXPECT_EQ(storage_->trials(other).size(), 0U);
    EXPECT_EQ(storage_->events(other, 0).size(), 0U);
    EXPECT_EQ(storage_->trials(study_).size(), 2U);
}

TEST_P(StorageContract, AReservedTrialIsRunningUntilItsAnswer) {
    const auto handed_out = reserve({1, 2});
    ASSERT_EQ(handed_out.size(), 2U);
    EXPECT_EQ(handed_out[0].parameters, "{\"x\":1}");
    EXPECT_EQ(handed_out[0].state, TrialState::running);
    EXPECT_EQ(handed_out[0].worker, "a");
    EXPECT_EQ(storage_->tell(study_, value_of(2, 0.1)), Verdict::accepted);
    EXPECT_EQ(storage_->tell(study_, failure_of(1, "exit status 3")), Verdict::accepted);
    const auto trials = storage_->trials(study_);
    EXPECT_EQ(trials[0].state, TrialState::failed);
    EXPECT_EQ(trials[0].reason, "exit status 3");
    EXPECT_FALSE(trials[0].value);
    EXPECT_EQ(trials[1].state, TrialState::completed);
    EXPECT_EQ(trials[1].value, 0.1);  // the very same double
    EXPECT_EQ(trials[1].ended_at, 20.0);
    EXPECT_FALSE(trials[1].late);
    EXPECT_TRUE(storage_->open_trials(study_).empty());
}

TEST_P(StorageContract, AReasonMayBeAnyBytes) {
    reserve({1});
    const std::string bytes("no number: \xff\0\xc3", 14);
    storage_->tell(study_, failure_of(1, bytes));
    EXPECT_EQ(storage_->trial(study_, 1)->reason, bytes);
    EXPECT_EQ(storage_->tell(study_, failure_of(1, bytes)), Verdict::repeated);
}

TEST_P(StorageContract, AnAnswerThatArrivesDuringAnAskStandsBehindItInTheHistory) {
    reserve({1});
    Reservation second;
    second.first_sequence = storage_->begin_ask(study_, 2);
    storage_->tell(study_, value_of(1, 5.0));  // the optimiser is computing and does not see this
    second.ask = 1;
    second.trials = {{2, "{}", {}, {}}, {3, "{}", {}, {}}};
    storage_->reserve(study_, second);
    using K = EventKind;
    EXPECT_EQ(history(),
              (std::vector<std::pair<K, std::int64_t>>{{K::asked, 1}, {K::asked, 2}, {K::asked, 3}, {K::told, 1}}));
}

TEST_P(StorageContract, AnAskThatNeverFinishedLeavesNoTrace) {
    storage_->begin_ask(study_, 5);
    reserve({1});
    EXPECT_EQ(history().size(), 1U);
    EXPECT_EQ(storage_->counts(study_, 0.0).issued(), 1);
}

TEST_P(StorageContract, EventsAfterASequenceNumberAreTheNewOnes) {
    reserve({1, 2});
    const std::int64_t seen = storage_->events(study_, 0).back().sequence;
    storage_->tell(study_, value_of(1, 2.5));
    const auto fresh = storage_->events(study_, seen);
    ASSERT_EQ(fresh.size(), 1U);
    EXPECT_EQ(fresh[0].kind, EventKind::told);
    EXPECT_EQ(fresh[0].value, 2.5);
}

TEST_P(StorageContract, OptionsCanBeReplaced) {
    storage_->update_options(study_, "{\"seed\":3}");
    EXPECT_EQ(storage_->studies().front().options, "{\"seed\":3}");
}

TEST_P(StorageContract, TheBudgetIsNeverExceeded) {
    storage_->update_settings(study_, "{}", 3);
    reserve({1, 2});
    EXPECT_THROW(reserve({3, 4}, 1), InvalidArgument);
    EXPECT_EQ(storage_->trials(study_).size(), 2U);
    reserve({3}, 2);
    EXPECT_THROW(reserve({4}, 3), InvalidArgument);
    storage_->abandon(study_, 3, 30.0);  // an abandoned trial gives its place back
    reserve({4}, 4);
    EXPECT_EQ(storage_->counts(study_, 0.0).issued(), 3);
}

TEST_P(StorageContract, AnIdIsNeverUsedTwice) {
    reserve({1, 2});
    EXPECT_THROW(reserve({2, 3}, 1), InvalidArgument);
    EXPECT_THROW(storage_->add(study_, {{1, "{}", 1.0, {}}}, 5.0, {}), InvalidArgument);
    EXPECT_EQ(storage_->trials(study_).size(), 2U);
    EXPECT_EQ(history().size(), 2U);
}

TEST_P(StorageContract, TheSameAnswerTwiceIsARepetition) {
    reserve({1});
    storage_->tell(study_, value_of(1, 1.5));
    EXPECT_EQ(storage_->tell(study_, value_of(1, 1.5)), Verdict::repeated);
    EXPECT_TRUE(storage_->late_answers(study_).empty());
    EXPECT_EQ(history().size(), 2U);
}

TEST_P(StorageContract, AnotherAnswerToAnAnsweredTrialIsKeptAsLate) {
    reserve({1});
    storage_->tell(study_, value_of(1, 1.5));
    EXPECT_EQ(storage_->tell(study_, value_of(1, 9.0, 33.0)), Verdict::kept_as_late);
    EXPECT_EQ(storage_->trial(study_, 1)->value, 1.5);
    const auto late = storage_->late_answers(study_);
    ASSERT_EQ(late.size(), 1U);
    EXPECT_EQ(late[0].trial, 1);
    EXPECT_EQ(late[0].value, 9.0);
    EXPECT_EQ(late[0].at, 33.0);
}

TEST_P(StorageContract, ARequestKeyMakesTellIdempotent) {
    reserve({1, 2});
    Answer answer = value_of(1, 1.5);
    answer.request = {"k", "tell 1 1.5"};
    EXPECT_EQ(storage_->tell(study_, answer), Verdict::accepted);
    EXPECT_EQ(storage_->tell(study_, answer), Verdict::repeated);
    answer.request = {"l", "tell 1 1.5"};  // the answer is the same, the key is remembered all the same
    EXPECT_EQ(storage_->tell(study_, answer), Verdict::repeated);
    EXPECT_EQ(storage_->reply_to(study_, answer.request), std::vector<std::int64_t>{1});
    EXPECT_TRUE(storage_->late_answers(study_).empty());
}

TEST_P(StorageContract, ARequestKeyRemembersWhichTrialsWereHandedOut) {
    const Request request{"k", "ask 2"};
    EXPECT_FALSE(storage_->reply_to(study_, request));
    reserve({1, 2}, 0, request);
    EXPECT_EQ(storage_->reply_to(study_, request), (std::vector<std::int64_t>{1, 2}));
}

TEST_P(StorageContract, ARequestKeyWithOtherContentIsRefusedAndChangesNothing) {
    reserve({1, 2}, 0, {"k", "ask 2"});
    Answer answer = value_of(1, 1.5);
    answer.request = {"k", "tell 1 1.5"};
    EXPECT_THROW(storage_->tell(study_, answer), InvalidArgument);
    EXPECT_EQ(storage_->trial(study_, 1)->state, TrialState::running);
    EXPECT_THROW(storage_->reply_to(study_, {"k", "ask 3"}), InvalidArgument);
    EXPECT_THROW(reserve({3}, 1, {"k", "ask 1"}), InvalidArgument);
    EXPECT_THROW(storage_->add(study_, {{3, "{}", 1.0, {}}}, 5.0, {"k", "add 1"}), InvalidArgument);
    EXPECT_EQ(storage_->trials(study_).size(), 2U);
    EXPECT_EQ(history().size(), 2U);
    EXPECT_EQ(storage_->reply_to(study_, {"k", "ask 2"}), (std::vector<std::int64_t>{1, 2}));
}

TEST_P(StorageContract, AnEmptyKeyIsNotRemembered) {
    reserve({1}, 0, {"", "ask 1"});
    EXPECT_FALSE(storage_->reply_to(study_, {"", "ask 1"}));
    reserve({2}, 1, {"", "ask 1"});
    EXPECT_EQ(storage_->trials(study_).size(), 2U);
}

TEST_P(StorageContract, ATrialWhoseLeaseHasEndedIsIssuedAgainUnderItsId) {
    reserve({1, 2});
    EXPECT_TRUE(reissue({1}, 50.0).empty());  // its lease lasts until 100
    EXPECT_EQ(storage_->counts(study_, 150.0).lost, 2);
    const auto again = reissue({1}, 150.0);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].id, 1);
    EXPECT_EQ(again[0].attempt, 2);
    EXPECT_EQ(again[0].worker, "b");
    EXPECT_TRUE(reissue({1}, 160.0).empty());  // b has it now
    EXPECT_EQ(storage_->counts(study_, 160.0).running, 1);
    EXPECT_EQ(history().size(), 2U);  // the optimiser sees nothing of it
}

TEST_P(StorageContract, AnAnswerAfterTheLeaseCountsAndIsMarkedLate) {
    reserve({1});
    EXPECT_EQ(storage_->tell(study_, value_of(1, 3.0, 150.0)), Verdict::accepted);
    EXPECT_TRUE(storage_->trial(study_, 1)->late);
    EXPECT_TRUE(reissue({1}, 160.0).empty());
}

TEST_P(StorageContract, TheSecondOfTwoWorkersOnALostTrialIsLateEvenWithTheSameValue) {
    reserve({1});
    reissue({1}, 150.0);
    EXPECT_EQ(storage_->tell(study_, value_of(1, 3.0, 160.0)), Verdict::accepted);
    EXPECT_EQ(storage_->tell(study_, value_of(1, 3.0, 170.0)), Verdict::kept_as_late);
    EXPECT_EQ(storage_->late_answers(study_).size(), 1U);
}

TEST_P(StorageContract, AFailureOfAWorkerThatLostItsTrialDoesNotEndIt) {
    reserve({1});
    reissue({1}, 150.0);
    Answer answer = failure_of(1, "signal 9", 160.0);
    answer.attempt = 1;
    EXPECT_EQ(storage_->tell(study_, answer), Verdict::kept_as_late);
    EXPECT_EQ(storage_->trial(study_, 1)->state, TrialState::running);
}

TEST_P(StorageContract, RenewingExtendsTheLeasesOfOneWorker) {
    reserve({1});
    storage_->renew(study_, "somebody else", 500.0);
    EXPECT_TRUE(storage_->trial(study_, 1)->lost(150.0));
    storage_->renew(study_, "a", 500.0);
    EXPECT_FALSE(storage_->trial(study_, 1)->lost(150.0));
    storage_->release(study_, "a", 150.0);
    EXPECT_TRUE(storage_->trial(study_, 1)->lost(150.0));
}

TEST_P(StorageContract, ARetriedTrialKeepsTheLogOfEachAttempt) {
    reserve({1});
    storage_->retry(study_, {1, 1, "a", 10.0, 12.0, "exit status 1", "out", std::string("e\0r", 3)}, 300.0);
    EXPECT_EQ(storage_->trial(study_, 1)->attempt, 2);
    EXPECT_EQ(storage_->trial(study_, 1)->lease_ends, 300.0);
    Answer answer = value_of(1, 1.0);
    answer.log = AttemptRecord{1, 2, "a", 12.0, 13.0, "completed", "1.0\n", ""};
    storage_->tell(study_, answer);
    const auto attempts = storage_->attempts(study_, 1);
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(attempts[0].outcome, "exit status 1");
    EXPECT_EQ(attempts[0].error, std::string("e\0r", 3));
    EXPECT_EQ(attempts[1].output, "1.0\n");
}

TEST_P(StorageContract, AWorkerThatLostItsTrialMakesNoFurtherAttemptAtIt) {
    reserve({1});
    reissue({1}, 300.0);
    EXPECT_THROW(storage_->retry(study_, {1, 1, "a", 10.0, 160.0, "exit status 1", "", ""}, 900.0), Conflict)
        << "b evaluates it now";
    EXPECT_EQ(storage_->trial(study_, 1)->attempt, 2);
    EXPECT_EQ(storage_->trial(study_, 1)->lease_ends, 400.0);
    EXPECT_EQ(storage_->attempts(study_, 1).size(), 1U) << "the log is kept";
    storage_->tell(study_, value_of(1, 1.0));
    EXPECT_THROW(storage_->retry(study_, {1, 2, "b", 150.0, 170.0, "exit status 1", "", ""}, 900.0), Conflict);
}

TEST_P(StorageContract, WhatARunningProgramHasWrittenIsKeptUntilItsLogComes) {
    reserve({1});
    storage_->keep_logs(study_, {{1, 1, "a", 10.0, 12.0, "running", "one\n", ""}});
    storage_->keep_logs(study_, {{1, 1, "a", 10.0, 14.0, "running", "one\ntwo\n", "hm\n"}});
    storage_->keep_logs(
        study_, {{1, 1, "somebody else", 10.0, 14.0, "running", "no", ""}, {99, 1, "a", 0, 0, "running", "", ""}});
    auto attempts = storage_->attempts(study_, 1);
    ASSERT_EQ(attempts.size(), 1U);
    EXPECT_EQ(attempts[0].outcome, "running");
    EXPECT_EQ(attempts[0].output, "one\ntwo\n");
    EXPECT_EQ(attempts[0].ended_at, 14.0);
    // The worker is never heard of again, and another one ends it.
    reissue({1}, 200.0);
    storage_->keep_logs(study_, {{1, 2, "b", 200.0, 201.0, "running", "again\n", ""}});
    Answer answer = value_of(1, 1.0);
    answer.log = AttemptRecord{1, 2, "b", 200.0, 203.0, "completed", "again\n1.0\n", ""};
    storage_->tell(study_, answer);
    storage_->keep_logs(study_, {{1, 2, "b", 200.0, 204.0, "running", "too late", ""}});
    attempts = storage_->attempts(study_, 1);
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(attempts[0].outcome, "lost");
    EXPECT_EQ(attempts[0].error, "hm\n");
    EXPECT_EQ(attempts[1].outcome, "completed");
}

TEST_P(StorageContract, AnAbandonedTrialIsDroppedFromTheHistoryOnce) {
    reserve({1, 2});
    storage_->abandon(study_, 1, 30.0);
    storage_->abandon(study_, 1, 31.0);
    EXPECT_EQ(history().back(), (std::pair{EventKind::abandoned, std::int64_t{1}}));
    EXPECT_EQ(history().size(), 3U);
    EXPECT_EQ(storage_->tell(study_, value_of(1, 2.0)), Verdict::kept_as_late);
    storage_->tell(study_, value_of(2, 2.0));
    EXPECT_THROW(storage_->abandon(study_, 2, 40.0), InvalidArgument);
}

TEST_P(StorageContract, AddedDataAreOutsideTheBudget) {
    storage_->update_settings(study_, "{}", 1);
    storage_->add(study_, {{1, "{\"x\":1}", 4.0, {}}, {2, "{\"x\":2}", {}, "crashed"}}, 5.0, {"csv", "add 2"});
    reserve({3});
    const Counts counts = storage_->counts(study_, 0.0);
    EXPECT_EQ(counts.added, 2);
    EXPECT_EQ(counts.issued(), 1);
    EXPECT_EQ(counts.completed, 1);
    EXPECT_EQ(counts.failed, 1);
    EXPECT_EQ(storage_->reply_to(study_, {"csv", "add 2"}), (std::vector<std::int64_t>{1, 2}));
    const auto events = storage_->events(study_, 0);
    EXPECT_EQ(events[0].kind, EventKind::added);
    EXPECT_EQ(events[0].value, 4.0);
    EXPECT_EQ(events[1].reason, "crashed");
}

TEST_P(StorageContract, AnEnqueuedTrialWaitsForItsFirstWorker) {
    storage_->enqueue(study_, {{1, "{\"x\":7}", {}, {}}}, 5.0, {"start", "enqueue 1"});
    EXPECT_EQ(storage_->reply_to(study_, {"start", "enqueue 1"}), (std::vector<std::int64_t>{1}));
    EXPECT_TRUE(storage_->trial(study_, 1)->waiting());
    EXPECT_FALSE(storage_->trial(study_, 1)->lost(1e9));
    EXPECT_EQ(storage_->counts(study_, 1e9).waiting, 1);
    EXPECT_EQ(storage_->open_trials(study_).size(), 1U);
    storage_->renew(study_, "", 500.0);  // nobody's trial has no lease to renew
    EXPECT_TRUE(storage_->trial(study_, 1)->waiting());
    const auto issued = reissue({1}, 10.0);
    ASSERT_EQ(issued.size(), 1U);
    EXPECT_EQ(issued[0].attempt, 1);
    EXPECT_EQ(issued[0].parameters, "{\"x\":7}");
    EXPECT_EQ(issued[0].ask, -1);
    EXPECT_TRUE(reissue({1}, 20.0).empty());  // b has it now
    const auto events = storage_->events(study_, 0);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, EventKind::asked);
    EXPECT_EQ(events[0].ask, -1);
    EXPECT_EQ(events[0].parameters, "{\"x\":7}");
    EXPECT_EQ(events[0].at, 5.0);
}

TEST_P(StorageContract, EnqueuedTrialsCountInTheBudgetAndNeedNewIds) {
    storage_->update_settings(study_, "{}", 2);
    storage_->enqueue(study_, {{1, "{}", {}, {}}}, 5.0, {});
    EXPECT_THROW(storage_->enqueue(study_, {{2, "{}", {}, {}}, {3, "{}", {}, {}}}, 5.0, {}), InvalidArgument);
    EXPECT_THROW(storage_->enqueue(study_, {{1, "{}", {}, {}}}, 5.0, {}), InvalidArgument);
    EXPECT_EQ(storage_->trials(study_).size(), 1U);
    EXPECT_EQ(storage_->counts(study_, 0.0).issued(), 1);
    reserve({2});
    EXPECT_THROW(reserve({3}, 1), InvalidArgument);
}

TEST_P(StorageContract, AWaitingTrialMayBeAnsweredOrAbandonedWithoutBeingIssued) {
    storage_->enqueue(study_, {{1, "{}", {}, {}}, {2, "{}", {}, {}}}, 5.0, {});
    EXPECT_EQ(storage_->tell(study_, value_of(1, 2.0)), Verdict::accepted);
    EXPECT_FALSE(storage_->trial(study_, 1)->late);
    EXPECT_EQ(storage_->tell(study_, value_of(1, 2.0)), Verdict::repeated);
    storage_->abandon(study_, 2, 6.0);
    EXPECT_TRUE(storage_->open_trials(study_).empty());
}

TEST_P(StorageContract, ACorrectedAnswerCountsAndTheOldOneStaysInTheHistory) {
    reserve({1, 2});
    storage_->tell(study_, value_of(1, 1.5));
    storage_->tell(study_, failure_of(2, "no", 21.0));
    EXPECT_EQ(storage_->correct(study_, value_of(1, 9.5, 30.0)), Verdict::accepted);
    EXPECT_EQ(storage_->correct(study_, value_of(2, 3.0, 31.0)), Verdict::accepted);
    EXPECT_EQ(storage_->correct(study_, failure_of(1, "bad sensor", 32.0)), Verdict::accepted);
    EXPECT_EQ(storage_->trial(study_, 1)->state, TrialState::failed);
    EXPECT_EQ(storage_->trial(study_, 1)->reason, "bad sensor");
    EXPECT_EQ(storage_->trial(study_, 1)->ended_at, 20.0);  // it was evaluated then
    EXPECT_EQ(storage_->best(study_)->id, 2);
    std::vector<EventRecord> of_1;
    for (const EventRecord& event : storage_->events(study_, 0))
        if (event.trial == 1) of_1.push_back(event);
    ASSERT_EQ(of_1.size(), 6U);
    EXPECT_EQ(of_1[1].value, 1.5);
    EXPECT_EQ(of_1[2].kind, EventKind::reopened);
    EXPECT_FALSE(of_1[2].value);
    EXPECT_EQ(of_1[3].value, 9.5);
    EXPECT_EQ(of_1[3].at, 30.0);
    EXPECT_EQ(of_1[5].kind, EventKind::told);
    EXPECT_EQ(of_1[5].reason, "bad sensor");
}

TEST_P(StorageContract, ACorrectionThatChangesNothingIsARepetition) {
    reserve({1});
    EXPECT_THROW(storage_->correct(study_, value_of(1, 1.5)), InvalidArgument);  // it has no answer yet
    EXPECT_THROW(storage_->correct(study_, value_of(17, 1.5)), InvalidArgument);
    storage_->tell(study_, value_of(1, 1.5));
    EXPECT_EQ(storage_->correct(study_, value_of(1, 1.5)), Verdict::repeated);
    Answer keyed = value_of(1, 2.5);
    keyed.request = {"k", "correct 1 2.5"};
    EXPECT_EQ(storage_->correct(study_, keyed), Verdict::accepted);
    EXPECT_EQ(storage_->correct(study_, keyed), Verdict::repeated);
    EXPECT_EQ(history().size(), 4U);
}

TEST_P(StorageContract, ATrialToBeRunAgainWaitsAndItsAnswerStaysInTheHistory) {
    storage_->update_settings(study_, "{}", 1);
    reserve({1});
    EXPECT_THROW(storage_->rerun(study_, 1, 15.0), InvalidArgument);  // it is running
    storage_->tell(study_, value_of(1, 1.5));
    storage_->rerun(study_, 1, 30.0);
    EXPECT_TRUE(storage_->trial(study_, 1)->waiting());
    EXPECT_FALSE(storage_->trial(study_, 1)->value);
    EXPECT_FALSE(storage_->best(study_));
    EXPECT_EQ(storage_->counts(study_, 0.0).issued(), 1);  // the budget is as before
    storage_->update_settings(study_, "{}", 0);            // a lower one stops what is new, not this
    EXPECT_THROW(storage_->rerun(study_, 1, 31.0), InvalidArgument);
    const auto again = reissue({1}, 40.0);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].attempt, 2);
    EXPECT_EQ(storage_->tell(study_, value_of(1, 2.5, 50.0)), Verdict::accepted);
    const auto events = storage_->events(study_, 0);
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(events[1].value, 1.5);
    EXPECT_EQ(events[2].kind, EventKind::reopened);
    EXPECT_EQ(events[3].value, 2.5);
}

TEST_P(StorageContract, AnAbandonedTrialRunsAgainOnlyWithinTheBudget) {
    storage_->update_settings(study_, "{}", 2);
    reserve({1, 2});
    storage_->abandon(study_, 1, 20.0);
    reserve({3}, 1);
    EXPECT_THROW(storage_->rerun(study_, 1, 30.0), InvalidArgument);
    EXPECT_EQ(storage_->trial(study_, 1)->state, TrialState::abandoned);
    storage_->update_settings(study_, "{}", 3);
    storage_->rerun(study_, 1, 30.0);
    EXPECT_EQ(storage_->counts(study_, 0.0).issued(), 3);
}

TEST_P(StorageContract, FurtherValuesComeBackAsTheyWereTold) {
    reserve({1});
    Answer answer = value_of(1, 1.5);
    answer.also = R"({"accuracy":0.5})";
    storage_->tell(study_, answer);
    EXPECT_EQ(storage_->trial(study_, 1)->also_json, answer.also);
    EXPECT_EQ(storage_->tell(study_, answer), Verdict::repeated);
    EXPECT_EQ(storage_->tell(study_, value_of(1, 1.5)), Verdict::kept_as_late);  // the same value with other ones
    storage_->correct(study_, value_of(1, 1.5));
    EXPECT_EQ(storage_->trial(study_, 1)->also_json, "");
    EXPECT_EQ(storage_->events(study_, 0)[1].also, answer.also);
    storage_->add(study_, {{2, "{}", 4.0, {}, R"({"seconds":3})"}}, 5.0, {});
    EXPECT_EQ(storage_->trial(study_, 2)->also_json, R"({"seconds":3})");
}

TEST_P(StorageContract, TheBestIsTheFirstOfTheLargestWhenMaximising) {
    EXPECT_FALSE(storage_->best(study_));
    reserve({1, 2, 3, 4});
    storage_->tell(study_, value_of(1, 1.0));
    storage_->tell(study_, value_of(3, 7.0));
    storage_->tell(study_, value_of(2, 7.0));
    storage_->tell(study_, failure_of(4, "no"));
    EXPECT_EQ(storage_->best(study_)->id, 2);
}

TEST_P(StorageContract, AnswersToUnknownTrialsAreRefused) {
    EXPECT_THROW(storage_->tell(study_, value_of(17, 1.0)), InvalidArgument);
    EXPECT_THROW(storage_->abandon(study_, 17, 1.0), InvalidArgument);
}

TEST_P(StorageContract, TheLatestSnapshotIsKept) {
    EXPECT_FALSE(storage_->snapshot(study_));
    storage_->store_snapshot(study_, {3, "old"});
    storage_->store_snapshot(study_, {5, std::string("new\0", 4)});
    EXPECT_EQ(storage_->snapshot(study_)->sequence, 5);
    EXPECT_EQ(storage_->snapshot(study_)->data, std::string("new\0", 4));
}

TEST_P(StorageContract, OnlyOneHolderHasTheTurn) {
    std::atomic<int> inside = 0;
    std::atomic<int> most = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 5; ++i) {
                const auto turn = storage_->take_turn(study_);
                most = std::max(most.load(), ++inside);
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                --inside;
            }
        });
    threads.clear();
    EXPECT_EQ(most, 1);
}

TEST_P(StorageContract, WaitingForTheTurnCanBeStopped) {
    const auto turn = storage_->take_turn(study_);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(storage_->take_turn(study_, stop.get_token()), Interrupted);
}

TEST_P(StorageContract, AsksAreRecordedWithTheirDuration) {
    reserve({1, 2}, 0);
    reserve({3}, 1);
    const auto asks = storage_->asks(study_);
    ASSERT_EQ(asks.size(), 2U);
    EXPECT_EQ(asks[0].count, 2);
    EXPECT_EQ(asks[1].seconds, 0.5);
}

TEST_P(StorageContract, ARemovedStudyIsGoneForThoseWhoHaveItOpenToo) {
    reserve({1, 2}, 0);
    storage_->tell(study_, value_of(1, 2.5));
    const std::int64_t other = storage_->create_study(some_study("other")).id;
    {
        const auto turn = storage_->take_turn(study_);
        storage_->remove_study(study_, 30.0);
    }
    ASSERT_EQ(storage_->studies().size(), 1U);
    EXPECT_EQ(storage_->studies()[0].id, other);
    EXPECT_THROW(storage_->tell(study_, value_of(2, 1.0)), NotFound);
    EXPECT_THROW(storage_->begin_ask(study_, 1), NotFound);
    EXPECT_THROW(storage_->remove_study(study_, 31.0), NotFound);
    const std::int64_t again = storage_->create_study(some_study("push")).id;
    EXPECT_NE(again, study_);
    EXPECT_TRUE(storage_->trials(again).empty());
}

TEST_P(StorageContract, TheNumberOfTheLatestStudyIsNotUsedAgain) {
    {
        const auto turn = storage_->take_turn(study_);
        storage_->remove_study(study_, 30.0);
    }
    EXPECT_GT(storage_->create_study(some_study("push")).id, study_);
}

std::vector<std::string> storages() {
    std::vector<std::string> names = {"memory", "sqlite"};
#ifdef SUMMAND_TEST_POSTGRES
    names.emplace_back("postgres");
#endif
    return names;
}

INSTANTIATE_TEST_SUITE_P(Storages, StorageContract, ::testing::ValuesIn(storages()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace summand::storage
