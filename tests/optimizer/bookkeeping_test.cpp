// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/failure_risk.hpp"
#include "summand/optimizer/ledger.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "summand/optimizer/representative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include <gtest/gtest.h>

namespace summand::bookkeeping_test {
namespace {

SearchSpace square() {
    return SearchSpace{{Real{.name = "x"}, Real{.name = "y"}}};
}
double bowl(const Trial& trial) {
    return std::pow(trial.real("x") - 0.3, 2) + std::pow(trial.real("y") - 0.6, 2);
}
std::string message_of(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Bookkeeping, IdsIncreaseFromOneAndAreNeverReused) {
    Optimizer optimizer(square(), {.batch_size = 3});
    EXPECT_EQ(optimizer.ask().front().id, 1);
    optimizer.abandon(3);
    EXPECT_EQ(optimizer.add({0.5, 0.5}, 1.0), 4);
    EXPECT_EQ(optimizer.ask(1).front().id, 5);
}

TEST(Bookkeeping, PendingIsWhatWasAskedAndNotAnswered) {
    Optimizer optimizer(square(), {.batch_size = 4});
    const auto trials = optimizer.ask();
    optimizer.tell(trials[2].id, 1.0);
    optimizer.tell(trials[0].id, Failed{"crashed"});
    optimizer.abandon(trials[1].id);
    ASSERT_EQ(optimizer.pending().size(), 1u);
    EXPECT_EQ(optimizer.pending().front().id, trials[3].id);
    EXPECT_EQ(optimizer.pending().front().values, trials[3].values);
    EXPECT_EQ(optimizer.evaluation_count(), 1);
    EXPECT_EQ(optimizer.failure_count(), 1);
}

TEST(Bookkeeping, APointThatSomeoneElseEvaluatesIsPendingAndIsNotProposed) {
    Optimizer optimizer(SearchSpace{{Choice{.name = "c", .values = {"a", "b", "c"}}}}, {});
    const std::int64_t id = optimizer.add_pending({std::string("b")});
    ASSERT_EQ(optimizer.pending().size(), 1u);
    EXPECT_EQ(optimizer.pending().front().id, id);
    for (const Trial& trial : optimizer.ask(3)) EXPECT_NE(trial.choice("c"), "b");
    optimizer.tell(id, 1.5);
    EXPECT_EQ(optimizer.best()->id, id);
}

TEST(Bookkeeping, BestFollowsTheGoal) {
    for (const Goal goal : {Goal::minimize, Goal::maximize}) {
        Optimizer optimizer(square(), {.goal = goal});
        EXPECT_FALSE(optimizer.best());
        optimizer.add({0.1, 0.1}, 2.0);
        optimizer.add({0.2, 0.1}, -1.0);
        optimizer.add({0.3, 0.1}, Failed{});
        optimizer.add({0.4, 0.1}, 5.0);
        EXPECT_EQ(optimizer.best()->value, goal == Goal::minimize ? -1.0 : 5.0);
        optimizer.abandon(optimizer.best()->id);
        EXPECT_EQ(optimizer.best()->value, 2.0);
    }
}

TEST(Bookkeeping, AmongEqualsTheFirstToldIsBest) {
    Optimizer optimizer(square(), {.batch_size = 3});
    const auto trials = optimizer.ask();
    optimizer.tell(trials[1].id, 1.0);
    optimizer.tell(trials[0].id, 1.0);
    EXPECT_EQ(optimizer.best()->id, trials[1].id);
}

TEST(Bookkeeping, ALateAnswerToADroppedTrialIsStillData) {
    Optimizer optimizer(square(), {});
    const auto trial = optimizer.ask().front();
    optimizer.abandon(trial.id);
    optimizer.tell(trial.id, 0.5);
    EXPECT_EQ(optimizer.best()->id, trial.id);
}

TEST(Bookkeeping, AReopenedTrialIsPendingUntilItIsToldAgain) {
    Optimizer optimizer(square(), {.goal = Goal::maximize});
    const auto trial = optimizer.ask().front();
    EXPECT_NE(message_of([&] { optimizer.reopen(trial.id); }).find("is pending"), std::string::npos);
    EXPECT_NE(message_of([&] { optimizer.reopen(7); }).find("there is no trial 7"), std::string::npos);
    optimizer.tell(trial.id, 0.5);
    optimizer.reopen(trial.id);
    EXPECT_FALSE(optimizer.best());
    ASSERT_EQ(optimizer.pending().size(), 1U);
    optimizer.tell(trial.id, 0.25);
    EXPECT_EQ(optimizer.best()->value, 0.25);
    optimizer.abandon(trial.id);
    optimizer.reopen(trial.id);
    EXPECT_EQ(optimizer.pending().front().id, trial.id);
    optimizer.tell(trial.id, Failed{});
    EXPECT_EQ(optimizer.failure_count(), 1);
    EXPECT_EQ(optimizer.evaluation_count(), 0);
}

TEST(Bookkeeping, MistakesAreSentencesAndChangeNothing) {
    Optimizer optimizer(square(), {});
    const auto trial = optimizer.ask().front();
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_NE(message_of([&] { optimizer.tell(7, 1.0); }).find("there is no trial 7"), std::string::npos);
    EXPECT_NE(message_of([&] { optimizer.tell(trial.id, std::nan("")); }).find("NaN"), std::string::npos);
    EXPECT_NE(message_of([&] { optimizer.tell(trial.id, infinite); }).find("infinite"), std::string::npos);
    EXPECT_NE(message_of([&] { optimizer.add({0.5}, 1.0); }), "");
    EXPECT_NE(message_of([&] { optimizer.add({0.5, 1.5}, 1.0); }), "");
    EXPECT_NE(message_of([&] { optimizer.add({0.5, 0.5}, std::nan("")); }), "");
    EXPECT_NE(message_of([&] { optimizer.ask(0); }).find("count is 0"), std::string::npos);
    EXPECT_NE(message_of([&] { optimizer.ask(2'000'000'000); }).find("between 1 and 10000"), std::string::npos);
    EXPECT_EQ(optimizer.history().size(), 1u);
    optimizer.tell(trial.id, 1.0);
    EXPECT_NE(message_of([&] { optimizer.tell(trial.id, 2.0); }).find("already been told"), std::string::npos);
    EXPECT_EQ(optimizer.best()->value, 1.0);
    optimizer.abandon(trial.id);
    EXPECT_NE(message_of([&] { optimizer.abandon(trial.id); }).find("already been abandoned"), std::string::npos);
}

TEST(Bookkeeping, ATrialKnowsItsValuesByName) {
    const SearchSpace space{{Real{.name = "rate", .low = 1e-5, .high = 1e-1, .scale = Scale::log},
                             Integer{.name = "width", .low = 8, .high = 512},
                             Choice{.name = "solver", .values = {"sgd", "adam"}}}};
    Optimizer optimizer(space, {});
    const Trial trial = optimizer.ask().front();
    EXPECT_EQ(Value(trial.real("rate")), trial.values[0]);
    EXPECT_EQ(Value(trial.integer("width")), trial.values[1]);
    EXPECT_EQ(trial.real("width"), static_cast<double>(trial.integer("width")));
    EXPECT_EQ(Value(trial.choice("solver")), trial.values[2]);
    EXPECT_NE(message_of([&] { trial.real("rat"); }).find("did you mean \"rate\""), std::string::npos);
    EXPECT_NE(message_of([&] { trial.integer("rate"); }).find("not an integer"), std::string::npos);
    EXPECT_NE(message_of([&] { trial.choice("width"); }).find("not a choice"), std::string::npos);
}

TEST(Bookkeeping, AFiniteSpaceIsHandedOutExactlyOnceThenExhausted) {
    const SearchSpace space{
        {Integer{.name = "i", .low = 0, .high = 4}, Choice{.name = "c", .values = {"a", "b", "c"}}}};
    Optimizer optimizer(space, {.batch_size = 4});
    std::set<Point> seen;
    std::size_t count = 0;
    for (const std::size_t expected : {4u, 4u, 4u, 3u}) {
        const auto trials = optimizer.ask();
        EXPECT_EQ(trials.size(), expected);  // the last ask gets what is left
        for (const Trial& trial : trials) {
            EXPECT_TRUE(seen.insert(trial.values).second);
            optimizer.tell(trial.id, static_cast<double>(count++ % 7));
        }
    }
    EXPECT_THROW(optimizer.ask(), SpaceExhausted);
    EXPECT_NE(message_of([&] { optimizer.ask(); }).find("all 15 points"), std::string::npos);
    optimizer.abandon(1);  // frees its point
    EXPECT_EQ(optimizer.ask().size(), 1u);
}

TEST(Bookkeeping, ValuesThatRoundingHardlyTellsApartAreAllHandedOut) {
    constexpr std::int64_t largest = std::int64_t{1} << 53;
    for (const Parameter& parameter :
         {Parameter(Levels{.name = "x", .values = {0, 1e-300, 1e300}}),
          Parameter(Levels{.name = "x", .values = {-1, 1 - 1e-16, 1}}),
          Parameter(Integer{.name = "x", .low = largest - 2, .high = largest, .scale = Scale::log})}) {
        Optimizer optimizer(SearchSpace({parameter}), {.batch_size = 2});
        std::set<Point> seen;
        for (const std::size_t expected : {2u, 1u})
            for (const auto trials = optimizer.ask(); const Trial& trial : trials) {
                EXPECT_EQ(trials.size(), expected);
                EXPECT_TRUE(seen.insert(trial.values).second);
                optimizer.tell(trial.id, 1.0);
            }
        EXPECT_THROW(optimizer.ask(), SpaceExhausted);
    }
}

TEST(Bookkeeping, PendingToldAndFailedPointsAreNeverProposedAgain) {
    const SearchSpace space{{equally_spaced_levels("a", 0.0, 1.0, 10), equally_spaced_levels("b", 0.0, 1.0, 10)}};
    Optimizer optimizer(space, {.batch_size = 5, .initial_points = 5});
    std::set<Point> seen;
    for (int round = 0; round < 12; ++round)
        for (const Trial& trial : optimizer.ask()) {
            EXPECT_TRUE(seen.insert(trial.values).second);
            if (round % 3 == 0) continue;  // stays pending
            if (round % 3 == 1) {
                optimizer.tell(trial.id, Failed{"no"});
            } else {
                optimizer.tell(trial.id, std::pow(trial.real("a") - 0.5, 2) + trial.real("b"));
            }
        }
}

TEST(Bookkeeping, AsManyPointsComeAsWereAskedForAtAnyTime) {
    Optimizer optimizer(square(), {.batch_size = 2, .initial_points = 5});
    for (const int count : {1, 3, 7, 2, 5}) {
        const auto trials = optimizer.ask(count);
        EXPECT_EQ(trials.size(), static_cast<std::size_t>(count));
        optimizer.tell(trials.back().id, bowl(trials.back()));
    }
    EXPECT_EQ(optimizer.pending().size(), 13u);
}

TEST(Bookkeeping, UserDataReplaceTheInitialDesign) {
    Optimizer cold(square(), {.initial_points = 6}), warm(square(), {.initial_points = 6});
    for (int i = 0; i < 6; ++i) warm.add({0.1 * i, 0.15 * i}, 1.0 * i);
    EXPECT_NE(warm.ask().front().values, cold.ask().front().values);  // not the design's first point
}

TEST(Bookkeeping, CopiesAreIndependent) {
    Optimizer first(square(), {.batch_size = 2});
    Optimizer second = first;
    EXPECT_EQ(first.ask().front().values, second.ask().front().values);
    first.tell(1, 1.0);
    EXPECT_EQ(second.evaluation_count(), 0);
}

TEST(Bookkeeping, AConstantFunctionIsNoReasonToStop) {
    Optimizer optimizer(square(), {.batch_size = 3, .initial_points = 4});
    for (int round = 0; round < 5; ++round)
        for (const Trial& trial : optimizer.ask()) optimizer.tell(trial.id, 2.5);
    EXPECT_EQ(optimizer.evaluation_count(), 15);
}

TEST(Bookkeeping, AskingStaysPossibleAfterManyMoreEvaluationsThanAModelTakes) {
    Options options{.batch_size = 2, .initial_points = 4};
    options.model_points = 40;
    Optimizer optimizer(square(), options);
    for (int i = 0; i < 10000; ++i) optimizer.add({(i % 100) / 100.0, (i / 100) / 100.0}, 1.0 + i % 7);
    optimizer.add({0.505, 0.505}, -5.0);
    const auto trials = optimizer.ask();  // with a model on all points this would take minutes
    EXPECT_EQ(trials.size(), 2u);
}

TEST(Representative, KeepsTheNewestAndTheBest) {
    Vector y(100);
    for (Index i = 0; i < 100; ++i) y(i) = i == 17 ? 1000.0 : -static_cast<double>(i);
    const auto rows = optimizer::representative_rows(y, 40, Rng::from_seed(1));
    ASSERT_EQ(rows.size(), 40u);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    for (Index i = 90; i < 100; ++i) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), i));  // newest quarter
    EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), Index{17}));                           // best of all
    for (Index i = 0; i < 9; ++i) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), i));     // next best
    EXPECT_EQ(optimizer::representative_rows(y, 200, Rng::from_seed(1)).size(), 100u);
}

TEST(FailureRisk, IsHighNearFailuresAndLowNearSuccesses) {
    const Matrix told = (Matrix(2, 2) << 0.8, 0.8, 0.7, 0.9).finished();
    const Matrix failed = (Matrix(1, 2) << 0.2, 0.2).finished();
    const optimizer::FailureRisk risk(told, failed, {false, false});
    EXPECT_GT(risk((Vector(2) << 0.2, 0.2).finished()), 0.99);  // the failed point itself
    EXPECT_GT(risk((Vector(2) << 0.25, 0.2).finished()), 0.5);  // and its neighbourhood
    EXPECT_LT(risk((Vector(2) << 0.2, 0.5).finished()), 0.1);   // far from everything
    EXPECT_LT(risk((Vector(2) << 0.8, 0.8).finished()), 1e-6);  // a success
    EXPECT_LT(risk((Vector(2) << 0.6, 0.6).finished()), 0.1);   // nearer to successes than to the failure
}

}  // namespace
}  // namespace summand::bookkeeping_test
