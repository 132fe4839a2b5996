// SPDX-License-Identifier: Apache-2.0
#include "problems/problem.hpp"
#include "summand/base/error.hpp"

#include <gtest/gtest.h>

namespace summand::problems {
namespace {

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(Catalogue, EveryProblemSaysWhatItIsAndEvaluatesInTheMiddle) {
    for (const std::string& name : names()) {
        const Problem problem = make(name);
        EXPECT_FALSE(problem.summary.empty()) << name;
        EXPECT_FALSE(problem.citation.empty()) << name;
        EXPECT_TRUE(std::isfinite(problem.evaluate_unit(Vector::Constant(problem.dimension(), 0.45)))) << name;
    }
}

TEST(Catalogue, DimensionInTheNameAndAsAnOptionAreTheSame) {
    const Problem suffix = make("levy-30");
    const Problem option = make("levy", {.dimension = 30});
    EXPECT_EQ(suffix.name, option.name);
    EXPECT_EQ(suffix.space(), option.space());
    const Vector unit = Vector::LinSpaced(30, 0.0, 1.0);
    EXPECT_EQ(suffix.evaluate_unit(unit), option.evaluate_unit(unit));
}

TEST(Catalogue, UnknownNamesGetTheNearestOne) {
    EXPECT_NE(message_of([] { make("ackly"); }).find("did you mean \"ackley\"?"), std::string::npos);
    EXPECT_NE(message_of([] { make("ackly-20"); }).find("did you mean \"ackley\"?"), std::string::npos);
    EXPECT_NE(message_of([] { make("zzzzzzzzzz"); }).find("summand problem list"), std::string::npos);
}

TEST(Catalogue, OptionsThatMeanNothingAreRefused) {
    EXPECT_NE(message_of([] { make("branin", {.dimension = 3}); }), "");
    EXPECT_NE(message_of([] { make("branin-3"); }), "");
    EXPECT_NE(message_of([] { make("hartmann6", {.low = -1.0}); }), "");
    EXPECT_NE(message_of([] { make("ackley", {.variance = 2.0}); }), "");
    EXPECT_NE(message_of([] { make("ackley-10", {.dimension = 20}); }), "");
    EXPECT_NE(message_of([] { make("ackley-0"); }), "");
    EXPECT_NE(message_of([] { make("ackley", {.noise_stddev = -1.0}); }), "");
    EXPECT_NE(message_of([] { make("ackley", {.levels = 1}); }), "");
    EXPECT_NE(message_of([] { make("ackley", {.low = 3.0, .high = -3.0}); }), "");
    EXPECT_NE(message_of([] { make("branin-embedded-1"); }), "");
}

TEST(Catalogue, NoiseBelongsToThePointAndTheRepeat) {
    const Problem quiet = make("ackley-3"), noisy = make("ackley-3", {.seed = 4, .noise_stddev = 0.5});
    const Vector a = Vector::Constant(3, 1.0), b = Vector::Constant(3, 2.0);
    EXPECT_EQ(noisy.evaluate(a), noisy.evaluate(a));
    EXPECT_NE(noisy.evaluate(a, 0), noisy.evaluate(a, 1));
    EXPECT_NE(noisy.evaluate(a) - quiet.evaluate(a), noisy.evaluate(b) - quiet.evaluate(b));
    EXPECT_EQ(quiet.evaluate(a, 0), quiet.evaluate(a, 1));
    double sum = 0.0, squares = 0.0;
    const int draws = 4000;
    for (int repeat = 0; repeat < draws; ++repeat) {
        const double error = (noisy.evaluate(a, static_cast<std::uint64_t>(repeat)) - quiet.evaluate(a)) / 0.5;
        sum += error;
        squares += error * error;
    }
    // The mean has standard deviation 1/√4000, the mean square √(2/4000); 5 of them: one seed in 10⁶ fails.
    EXPECT_LT(std::abs(sum / draws), 5.0 / std::sqrt(draws));
    EXPECT_LT(std::abs(squares / draws - 1.0), 5.0 * std::sqrt(2.0 / draws));
}

TEST(Catalogue, PointsOutsideTheSpaceAreRefused) {
    const Problem problem = make("branin");
    EXPECT_THROW(problem.evaluate(Vector::Constant(2, 20.0)), InvalidArgument);
    EXPECT_THROW(problem.evaluate(Vector::Constant(3, 1.0)), InvalidArgument);
    EXPECT_THROW(problem.evaluate_unit(Vector::Constant(3, 0.5)), InvalidArgument);
}

TEST(Catalogue, LevelsRestrictEveryParameterAndTurnTheOptimumIntoABound) {
    const Problem problem = make("ackley-2", {.levels = 4});  // -5, 0, 5, 10
    EXPECT_EQ(problem.evaluate_unit(Vector::Constant(2, 0.4)), problem.evaluate(Vector::Constant(2, 0.0)));
    EXPECT_THROW(problem.evaluate(Vector::Constant(2, 1.0)), InvalidArgument);
    EXPECT_EQ(problem.best()->kind, Best::Kind::bound);
}

}  // namespace
}  // namespace summand::problems
