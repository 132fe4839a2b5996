// SPDX-License-Identifier: Apache-2.0
// A study copied from a file to a server and back is the same study: all that was stored, and what it suggests next.
#include "studies.hpp"
#include "summand/base/error.hpp"
#include "summand/storage/copy_study.hpp"
#include "summand/storage/open_storage.hpp"
#ifdef SUMMAND_TEST_POSTGRES
#include "support/postgres_database.hpp"
#endif
#include "support/temporary_folder.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace summand {
namespace {

using testing_support::objective;

/// Everything that can be read of a study, as text.
std::string contents(const std::string& address) {
    const auto storage = storage::open_storage(address, storage::OpenMode::existing);
    const auto study = storage->find_study("demo");
    std::ostringstream all;
    all.precision(17);
    all << study->space << study->options << study->settings << study->budget.value_or(-1) << study->created_at << '\n';
    for (const auto& t : storage->trials(study->id)) {
        all << t.id << to_string(t.state) << t.parameters << t.added << t.ask << t.attempt << t.worker << t.asked_at
            << t.started_at << t.lease_ends << t.ended_at.value_or(-1) << t.value.value_or(-1) << t.reason << t.late
            << t.also_json << '\n';
        for (const auto& a : storage->attempts(study->id, t.id))
            all << a.attempt << a.worker << a.started_at << a.ended_at << a.outcome << a.output << a.error << '\n';
    }
    for (const auto& e : storage->events(study->id, 0))
        all << e.sequence << static_cast<int>(e.kind) << e.trial << e.ask << e.parameters << e.value.value_or(-1)
            << e.reason << '\n';
    for (const auto& a : storage->asks(study->id))
        all << a.ask << a.first_sequence << a.at << a.seconds << a.count << '\n';
    for (const auto& l : storage->late_answers(study->id))
        all << l.trial << l.worker << l.at << l.value.value_or(-1) << l.reason << '\n';
    if (const auto snapshot = storage->snapshot(study->id)) all << snapshot->sequence << snapshot->data;
    return all.str();
}

struct Copy : ::testing::Test {
    /// A study with something of everything, and a model.
    StudyDefinition make_study() {
        StudyDefinition definition = testing_support::small_study(folder / "s.db", 40);
        definition.options.initial_points = 4;
        Study study = Study::open_or_create(definition);
        for (int round = 0; round < 4; ++round)
            for (const Trial& trial : study.ask({.key = "ask " + std::to_string(round)})) {
                storage::AttemptRecord log{trial.id, 1, "w", 1.0, 2.0, "completed", "out", std::string("\0\xff", 2)};
                study.tell(trial.id, objective(trial), {.log = log});
            }
        study.ask();
        study.tell(9, Failed{"not a number: \xff"});
        study.tell(1, 17.0);  // late
        study.add({{{0.5, 0.5}, 1.5}});
        study.rerun(2);
        return definition;
    }
    static StudyDefinition at(StudyDefinition definition, const std::string& address) {
        definition.database = address;
        return definition;
    }

    testing_support::TemporaryFolder folder;
};

TEST_F(Copy, BetweenFilesLosesNothingAndSuggestsTheSame) {
    const StudyDefinition original = make_study();
    const std::string copy = folder / "copy.db";
    storage::copy_study(original.database, copy, "demo", {});
    EXPECT_EQ(contents(copy), contents(original.database));
    Study first = Study::open_or_create(original), second = Study::open_or_create(at(original, copy));
    EXPECT_EQ(testing_support::ids_of(second.ask({.key = "ask 0"})),
              testing_support::ids_of(first.ask({.key = "ask 0"})));
    const auto next = first.ask({.count = 3}), same = second.ask({.count = 3});
    ASSERT_EQ(next.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(same[i].values, next[i].values);
}

TEST_F(Copy, NeverReplacesAStudy) {
    const StudyDefinition original = make_study();
    const std::string before = contents(original.database);
    EXPECT_THROW(storage::copy_study(original.database, original.database, "demo", {}), InvalidArgument);
    EXPECT_THROW(storage::copy_study(original.database, folder / "other.db", "no such study", {}), InvalidArgument);
    EXPECT_EQ(contents(original.database), before);
    EXPECT_FALSE(std::filesystem::exists(folder / "other.db"));
}

#ifdef SUMMAND_TEST_POSTGRES
TEST_F(Copy, ToAServerAndBackLosesNothingAndSuggestsTheSame) {
    const testing_support::TemporaryDatabase server;
    if (!server.there()) GTEST_SKIP() << testing_support::without_postgres;
    const StudyDefinition original = make_study();
    const std::string back = folder / "back.db";
    storage::copy_study(original.database, server.url(), "demo", {});
    EXPECT_EQ(contents(server.url()), contents(original.database));
    storage::copy_study(server.url(), back, "demo", {});
    EXPECT_EQ(contents(back), contents(original.database));
    Study first = Study::open_or_create(original), second = Study::open_or_create(at(original, server.url())),
          third = Study::open_or_create(at(original, back));
    const auto next = first.ask({.count = 3}), there = second.ask({.count = 3}), again = third.ask({.count = 3});
    ASSERT_EQ(next.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(there[i].values, next[i].values);
        EXPECT_EQ(again[i].values, next[i].values);
    }
}
#endif

}  // namespace
}  // namespace summand
