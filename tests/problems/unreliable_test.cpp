// SPDX-License-Identifier: Apache-2.0
#include "problems/unreliable.hpp"

#include <map>
#include <thread>

#include <gtest/gtest.h>

namespace summand::problems {
namespace {

TEST(Unreliable, MishapsComeAtTheirRates) {
    const Unreliable unreliable(make("branin"), {.crash = 0.1, .hang = 0.05, .nan = 0.2, .rubbish = 0.15}, 3);
    std::map<Mishap, int> count;
    const int draws = 4000;
    for (int i = 0; i < draws; ++i) ++count[unreliable.mishap(Vector{{0.001 * i, 1.0}})];
    const std::map<Mishap, double> expected = {
        {Mishap::none, 0.5}, {Mishap::crash, 0.1}, {Mishap::hang, 0.05}, {Mishap::nan, 0.2}, {Mishap::rubbish, 0.15}};
    for (const auto& [mishap, rate] : expected)  // binomial; five standard deviations
        EXPECT_NEAR(count[mishap], rate * draws, 5.0 * std::sqrt(draws * rate * (1.0 - rate)));
}

TEST(Unreliable, AMishapBelongsToThePointAndTheRepeat) {
    const Unreliable unreliable(make("branin"), {.nan = 0.5}, 3);
    int different = 0;
    for (std::uint64_t repeat = 0; repeat < 64; ++repeat) {
        const Vector x{{1.0, 2.0}};
        EXPECT_EQ(unreliable.mishap(x, repeat), unreliable.mishap(x, repeat));
        different += unreliable.mishap(x, repeat) != unreliable.mishap(x, repeat + 1);
    }
    EXPECT_GT(different, 0);
}

TEST(Unreliable, EachMishapIsWhatItSays) {
    const Vector x{{1.0, 2.0}};
    const Problem branin = make("branin");
    EXPECT_EQ(Unreliable(branin, {}, 0).evaluate(x), branin.evaluate(x));
    EXPECT_TRUE(std::isnan(Unreliable(branin, {.nan = 1.0}, 0).evaluate(x)));
    EXPECT_THROW(Unreliable(branin, {.crash = 1.0}, 0).evaluate(x), EvaluationFailed);
    EXPECT_THROW(Unreliable(branin, {.rubbish = 1.0}, 0).evaluate(x), EvaluationFailed);
    std::jthread hanging([&](std::stop_token stop) {
        EXPECT_THROW(Unreliable(branin, {.hang = 1.0}, 0).evaluate(x, 0, stop), Interrupted);
    });  // the destructor asks it to stop and waits for it
}

TEST(Unreliable, RubbishIsNeverANumber) {
    const Unreliable unreliable(make("branin"), {.rubbish = 1.0}, 0);
    for (std::uint64_t repeat = 0; repeat < 50; ++repeat) {
        const std::string text = unreliable.rubbish(Vector{{1.0, 2.0}}, repeat);
        char* end = nullptr;
        std::strtod(text.c_str(), &end);
        EXPECT_TRUE(text.empty() || *end != '\0') << text;
    }
}

TEST(Unreliable, ImpossibleRatesAreRefused) {
    EXPECT_THROW(Unreliable(make("branin"), {.crash = 1.5}, 0), InvalidArgument);
    EXPECT_THROW(Unreliable(make("branin"), {.crash = -0.5}, 0), InvalidArgument);
    EXPECT_THROW(Unreliable(make("branin"), {.crash = 0.6, .nan = 0.6}, 0), InvalidArgument);
}

}  // namespace
}  // namespace summand::problems
