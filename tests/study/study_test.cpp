// SPDX-License-Identifier: Apache-2.0
#include "summand/study/study.hpp"

#include "studies.hpp"
#include "summand/base/error.hpp"
#include "summand/storage/sqlite.hpp"
#include "summand/study/json.hpp"
#include "support/temporary_folder.hpp"

#include <cmath>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace summand {
namespace {

using testing_support::ids_of;
using testing_support::objective;
using testing_support::small_study;

struct StudyTest : ::testing::Test {
    testing_support::TemporaryFolder folder;
    StudyDefinition definition = small_study(folder / "s.db");

    static std::vector<Point> points(const std::vector<Trial>& trials) {
        std::vector<Point> found;
        for (const Trial& trial : trials) found.push_back(trial.values);
        return found;
    }
};

TEST_F(StudyTest, WhatIsAskedAndToldIsThereWhenItIsOpenedAgain) {
    {
        Study study = Study::open_or_create(definition);
        const auto trials = study.ask();
        ASSERT_EQ(ids_of(trials), (std::vector<std::int64_t>{1, 2}));
        EXPECT_EQ(study.tell(1, 0.1), TellResult::accepted);
        EXPECT_EQ(study.tell(2, Failed{"crash"}), TellResult::accepted);
    }
    Study again = Study::open(folder / "s.db");
    EXPECT_EQ(again.name(), "demo");
    EXPECT_EQ(again.options(), resolved(definition.options));
    EXPECT_EQ(again.best()->value, 0.1);
    EXPECT_EQ(again.trials()[1].state, TrialState::failed);
    EXPECT_EQ(again.trials()[1].at("x"), again.trials()[1].values[0]) << "and has its values by name";
    EXPECT_EQ(ids_of(again.ask()), (std::vector<std::int64_t>{3, 4}));
}

TEST_F(StudyTest, InMemoryAndInAFileSuggestTheSame) {
    Study file = Study::open_or_create(definition);
    Study memory = Study::in_memory(definition);
    for (int round = 0; round < 3; ++round) {
        const auto a = file.ask();
        const auto b = memory.ask();
        ASSERT_EQ(points(a), points(b));
        for (const auto& trial : a) file.tell(trial.id, objective(trial));
        for (auto trial = b.rbegin(); trial != b.rend(); ++trial)
            memory.tell(trial->id, objective(*trial));  // another order
    }
    EXPECT_EQ(file.history(), memory.history());
}

TEST_F(StudyTest, TheNextSuggestionEqualsThatOfAReplay) {
    definition.options.initial_points = 4;  // so that a model is at work as well
    Study study = Study::open_or_create(definition);
    for (int round = 0; round < 5; ++round)
        for (const auto& trial : study.ask()) study.tell(trial.id, objective(trial));
    study.ask();  // two pending ones
    Optimizer replay(study.space(), study.options(), study.history());
    Optimizer with_snapshot = study.optimizer();
    const auto next = study.ask({.count = 2});
    std::vector<Point> replayed, cached;
    for (const Trial& trial : replay.ask(2)) replayed.push_back(trial.values);
    for (const Trial& trial : with_snapshot.ask(2)) cached.push_back(trial.values);
    EXPECT_EQ(points(next), replayed);
    EXPECT_EQ(points(next), cached);
}

TEST_F(StudyTest, TwoObjectsOnOneFileTakeTurns) {
    Study one = Study::open_or_create(definition);
    Study two = Study::open_or_create(definition);
    std::set<Point> seen;
    std::set<std::int64_t> ids;
    for (int round = 0; round < 4; ++round)
        for (Study* study : {&one, &two})
            for (const auto& trial : study->ask()) {
                EXPECT_TRUE(ids.insert(trial.id).second);
                EXPECT_TRUE(seen.insert(trial.values).second);
                two.tell(trial.id, objective(trial));
            }
    const auto next = one.ask();
    std::vector<Point> replayed;
    const std::vector<Event> history = two.history();
    Optimizer replay(two.space(), two.options(), {history.begin(), history.end() - 2});
    for (const Trial& trial : replay.ask(2)) replayed.push_back(trial.values);
    EXPECT_EQ(points(next), replayed);
}

TEST_F(StudyTest, TheBudgetIsExact) {
    definition.settings.budget = 5;
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(study.ask({.count = 4}).size(), 4U);
    EXPECT_EQ(study.ask({.count = 4}).size(), 1U);
    EXPECT_TRUE(study.ask().empty());
    definition.settings.budget = 6;  // may be raised
    EXPECT_EQ(Study::open_or_create(definition).ask().size(), 1U);
}

TEST_F(StudyTest, ARequestKeyGivesTheSameTrialsAgain) {
    Study study = Study::open_or_create(definition);
    const auto first = study.ask({.count = 3, .key = "k"});
    EXPECT_EQ(ids_of(study.ask({.count = 3, .key = "k"})), ids_of(first));
    EXPECT_NE(ids_of(study.ask({.count = 3, .key = "l"})), ids_of(first));
    EXPECT_EQ(study.tell(1, 1.0, {.key = "t"}), TellResult::accepted);
    EXPECT_EQ(study.tell(1, 1.0, {.key = "t"}), TellResult::repeated);
    EXPECT_THROW(study.tell(2, 1.0, {.key = "t"}), InvalidArgument);
    EXPECT_THROW(study.tell(1, Failed{"1"}, {.key = "t"}), InvalidArgument);
    EXPECT_THROW(study.tell(2, 1.0, {.key = "k"}), InvalidArgument) << "a key of an ask";
    EXPECT_THROW(study.ask({.count = 2, .key = "k"}), InvalidArgument);
    EXPECT_EQ(study.trial(2)->state, TrialState::running);
}

TEST_F(StudyTest, ALostTrialIsIssuedAgainAndALateAnswerIsKept) {
    Study study = Study::open_or_create(definition);
    study.ask({.count = 2, .lease_seconds = 0.0});
    EXPECT_EQ(study.counts().lost, 2);
    EXPECT_EQ(study.trials()[0].state, TrialState::lost);
    const auto again = study.ask({.count = 3, .lease_seconds = 1000.0});
    EXPECT_EQ(ids_of(again), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(again[0].attempt, 2);
    EXPECT_EQ(study.tell(1, 5.0), TellResult::accepted);
    EXPECT_EQ(study.tell(1, 6.0), TellResult::kept_as_late);
    EXPECT_EQ(study.best()->value, 5.0);
    ASSERT_EQ(study.late_answers().size(), 1U);
    EXPECT_EQ(study.late_answers()[0].value, 6.0);
}

TEST_F(StudyTest, TheTrialsOfADeadProcessAreIssuedAgainAtOnce) {
    const pid_t child = fork();
    if (child == 0) {
        Study::open_or_create(definition).ask({.worker = this_worker(), .lease_seconds = 1000.0});
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(study.counts().running, 2);
    EXPECT_EQ(ids_of(study.ask()), (std::vector<std::int64_t>{1, 2}));
    EXPECT_FALSE(worker_is_dead(this_worker()));
    EXPECT_FALSE(worker_is_dead("somebody elsewhere"));
}

TEST_F(StudyTest, AddedDataTakeIdsAndTeach) {
    Study study = Study::open_or_create(definition);
    const std::vector<Evaluation> data = {{{0.25, 0.5}, 1.0}, {{0.5, 0.5}, Failed{"diverged"}}};
    const auto ids = study.add(data, "csv").ids;
    EXPECT_EQ(ids, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(study.add(data, "csv").ids, ids);
    EXPECT_TRUE(study.add(data, "csv").repeated);
    EXPECT_THROW(study.add({{{0.25, 0.5}, 1.0}}, "csv"), InvalidArgument);
    EXPECT_EQ(study.ask()[0].id, 3);
    EXPECT_EQ(study.best()->id, 1);
    EXPECT_THROW(study.add({{{2.0, 0.5}, 1.0}}), InvalidArgument);
    EXPECT_THROW(study.add({{{0.1, 0.5}, std::nan("")}}), InvalidArgument);
    EXPECT_EQ(study.trials().size(), 4U);
}

TEST_F(StudyTest, EnqueuedPointsComeBeforeAnySuggestion) {
    Study study = Study::open_or_create(definition);
    EXPECT_EQ(study.enqueue({{0.25, 0.5}, {0.75, 0.5}, {0.125, 0.5}}, "start"), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(study.enqueue({{0.25, 0.5}, {0.75, 0.5}, {0.125, 0.5}}, "start"), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_THROW(study.enqueue({{0.25, 1.5}}), InvalidArgument);
    EXPECT_EQ(study.trials().size(), 3U);
    EXPECT_EQ(study.trial(1)->state, TrialState::waiting);
    const auto first = study.ask();
    EXPECT_EQ(points(first), (std::vector<Point>{{0.25, 0.5}, {0.75, 0.5}}));
    EXPECT_EQ(first[0].state, TrialState::running);
    EXPECT_EQ(ids_of(study.ask()), (std::vector<std::int64_t>{3, 4}));  // the last one, and a suggestion
    EXPECT_EQ(study.counts().issued(), 4);
}

TEST_F(StudyTest, ACorrectedAnswerIsTheOneThatCountsAndTheOldOneIsKept) {
    Study study = Study::open_or_create(definition);
    study.ask();
    study.tell(1, 5.0);
    EXPECT_TRUE(study.correct(1, 3.0, {.also = {{"seconds", 2.5}}}));
    EXPECT_FALSE(study.correct(1, 3.0, {.also = {{"seconds", 2.5}}}));
    EXPECT_TRUE(study.correct(1, Failed{"the sensor was off"}));
    EXPECT_EQ(study.trial(1)->state, TrialState::failed);
    const auto earlier = study.earlier_answers(1);
    ASSERT_EQ(earlier.size(), 2U);
    EXPECT_EQ(earlier[0].value, 5.0);
    EXPECT_EQ(earlier[1].value, 3.0);
    EXPECT_THROW(study.correct(2, 1.0), InvalidArgument);
    EXPECT_THROW(study.correct(1, std::nan("")), InvalidArgument);
}

TEST_F(StudyTest, ATrialThatIsRunAgainComesWithTheNextAsk) {
    Study study = Study::open_or_create(definition);
    study.ask();
    study.tell(1, 5.0);
    study.rerun(1);
    EXPECT_FALSE(study.best());
    const auto next = study.ask();
    EXPECT_EQ(ids_of(next), (std::vector<std::int64_t>{1, 3}));
    EXPECT_EQ(next[0].attempt, 2);
    study.tell(1, 4.0);
    EXPECT_EQ(study.best()->value, 4.0);
    EXPECT_EQ(study.earlier_answers(1).front().value, 5.0);
}

TEST_F(StudyTest, WithCorrectionsRerunsAndEnqueuedPointsTheNextSuggestionEqualsThatOfAReplay) {
    definition.options.initial_points = 4;
    Study study = Study::open_or_create(definition);
    Study other = Study::open_or_create(definition);  // another process, whose changes the first one has to notice
    for (int round = 0; round < 5; ++round) {
        for (const auto& trial : study.ask()) study.tell(trial.id, objective(trial));
        if (round == 1) other.enqueue({{0.3, 0.3}});
        if (round == 2) {
            study.correct(3, 0.125);
            other.correct(3, 0.25);
            other.rerun(2);
        }
        if (round == 3) {
            study.abandon(study.ask({.count = 1}).front().id);
            other.rerun(4);
        }
        Optimizer replay(study.space(), study.options(), study.history());
        const auto waiting = study.counts().waiting;
        const auto next = study.ask({.count = static_cast<int>(waiting) + 1});
        ASSERT_EQ(next.back().values, replay.ask(1).front().values) << "round " << round;
        for (const auto& trial : next) study.tell(trial.id, objective(trial));
    }
    EXPECT_EQ(study.trial(3)->value, 0.25);
}

TEST_F(StudyTest, AnAbandonedTrialIsNoLongerPending) {
    Study study = Study::open_or_create(definition);
    study.ask();
    study.abandon(1);
    EXPECT_EQ(study.optimizer().pending().size(), 1U);
    study.ask();
    EXPECT_EQ(study.trials()[0].state, TrialState::abandoned);
}

TEST_F(StudyTest, OtherParametersOrOptionsUnderTheSameNameAreRefused) {
    Study::open_or_create(definition);
    StudyDefinition other = definition;
    other.options.seed = 4;
    EXPECT_THROW(Study::open_or_create(other), InvalidArgument);
    other = definition;
    other.space = SearchSpace{{Real{.name = "x", .low = 0.0, .high = 2.0}, Real{.name = "y", .low = 0.0, .high = 1.0}}};
    EXPECT_THROW(Study::open_or_create(other), InvalidArgument);
    other = definition;
    other.options.threads = 1;   // does not change a result
    other.settings.retries = 3;  // may change at any time
    EXPECT_EQ(Study::open_or_create(other).settings().retries, 3);
    other.name = "second";  // several studies in one file
    Study::open_or_create(other);
    EXPECT_THROW(Study::open(folder / "s.db"), InvalidArgument);
    EXPECT_EQ(Study::open(folder / "s.db", "second").name(), "second");
}

TEST_F(StudyTest, OptionsThatThisProgramDoesNotKnowStopSuggestionsButNotReading) {
    {
        const auto storage = storage::open_sqlite(folder / "s.db", storage::OpenMode::create_if_missing);
        storage::StudyRecord record;
        record.name = "demo";
        record.space = study::space_to_json(definition.space);
        record.settings = study::settings_to_json(definition.settings);
        record.options = R"({"goal": "minimize", "clairvoyance": 2})";  // of a newer program
        const auto id = storage->create_study(record).id;
        storage->add(id, {{1, R"({"x": 0.5, "y": 0.5})", 1.5, ""}}, 0.0, {});
    }
    Study study = Study::open(folder / "s.db");
    EXPECT_EQ(study.best()->value, 1.5);
    EXPECT_EQ(study.trials().size(), 1U);
    const auto refused = [](const auto& attempt) {
        try {
            attempt();
        } catch (const StorageError& error) {
            const std::string sentence = error.what();
            for (const char* part : {"s.db", "another version", "clairvoyance", "summand export"})
                EXPECT_NE(sentence.find(part), std::string::npos) << part << " in: " << sentence;
            return true;
        }
        return false;
    };
    EXPECT_TRUE(refused([&] { (void)study.ask(); }));
    EXPECT_TRUE(refused([&] { (void)study.optimizer(); }));
    EXPECT_TRUE(refused([&] { (void)Study::open_or_create(definition); }));
}

TEST_F(StudyTest, AValueThatIsNotFiniteIsRefused) {
    Study study = Study::open_or_create(definition);
    study.ask();
    EXPECT_THROW(study.tell(1, std::nan("")), InvalidArgument);
    EXPECT_THROW(study.tell(1, INFINITY), InvalidArgument);
    EXPECT_THROW(study.tell(99, 1.0), InvalidArgument);
}

TEST_F(StudyTest, AFiniteSpaceRunsOutWithoutAnError) {
    StudyDefinition tiny{"tiny", SearchSpace{{Integer{.name = "n", .low = 1, .high = 3}}}, {}, {}, folder / "t.db"};
    Study study = Study::open_or_create(tiny);
    EXPECT_EQ(study.ask({.count = 5}).size(), 3U);
    EXPECT_TRUE(study.ask().empty());
}

TEST_F(StudyTest, AnAskThatIsStoppedLeavesNothingBehind) {
    Study study = Study::open_or_create(definition);
    study.ask();
    std::stop_source stop;
    stop.request_stop();
    try {
        study.ask({.stop = stop.get_token()});  // a design point may be ready before anybody looks
    } catch (const Interrupted&) {
        EXPECT_EQ(study.trials().size(), 2U);
    }
    const std::vector<Event> history = study.history();
    Optimizer replay(study.space(), study.options(), history);
    EXPECT_EQ(study.ask()[0].values, replay.ask()[0].values);
}

TEST_F(StudyTest, TheRecommendationKnowsTheAnswersThatCameAfterTheLastAsk) {
    definition.options.initial_points = 6;
    definition.options.batch_size = 8;
    Study study = Study::open_or_create(definition);
    for (int round = 0; round < 3; ++round)
        for (const Trial& trial : study.ask()) study.tell(trial.id, objective(trial));
    const auto same = [&] {
        const auto here = study.recommended(), afresh = Study::open(folder / "s.db").recommended();
        ASSERT_TRUE(here && afresh);
        EXPECT_EQ(here->id, afresh->id);
        EXPECT_EQ(here->mean, afresh->mean);
    };
    same();
    Study other = Study::open(folder / "s.db");
    for (const Trial& trial : other.ask()) other.tell(trial.id, objective(trial));
    same();
    EXPECT_EQ(study.ask().size(), 8u) << "and it goes on";
}

}  // namespace
}  // namespace summand
