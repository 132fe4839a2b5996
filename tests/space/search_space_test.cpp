// SPDX-License-Identifier: Apache-2.0
#include "summand/space/search_space.hpp"

#include "summand/base/error.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace summand {
namespace {

std::string message_of(std::vector<Parameter> parameters) {
    try {
        const SearchSpace space(std::move(parameters));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "no error";
}

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(SearchSpace, says_what_is_wrong_with_a_real_parameter) {
    EXPECT_EQ(
        message_of({Real{"rate", 0, 0.1, Scale::log}}),
        "SearchSpace: parameter \"rate\" has log scale on [0, 0.1]; a log scale needs low > 0 (for example 1e-6)");
    EXPECT_EQ(message_of({Real{"x", 2, 1}}),
              "SearchSpace: parameter \"x\" has bounds [2, 1]; low must be below high (to fix a value, leave the "
              "parameter out)");
    EXPECT_EQ(message_of({Real{"x", 1, 1}}),
              "SearchSpace: parameter \"x\" has bounds [1, 1]; low must be below high (to fix a value, leave the "
              "parameter out)");
    EXPECT_EQ(message_of({Real{"x", nan_value, 1}}),
              "SearchSpace: parameter \"x\" has bounds [nan, 1]; both must be finite numbers");
    EXPECT_EQ(message_of({Real{"x", 0, infinity}}),
              "SearchSpace: parameter \"x\" has bounds [0, inf]; both must be finite numbers");
    EXPECT_EQ(message_of({Real{"x", -1e308, 1e308}}),
              "SearchSpace: parameter \"x\" has bounds [-1e+308, 1e+308]; their difference overflows, so rescale the "
              "parameter");
    EXPECT_EQ(message_of({Real{"", 0, 1}}), "SearchSpace: a real parameter has no name; give it one");
}

TEST(SearchSpace, says_what_is_wrong_with_an_integer_parameter) {
    EXPECT_EQ(message_of({Integer{"n", 5, 5}}),
              "SearchSpace: parameter \"n\" has bounds [5, 5]; low must be below high (to fix a value, leave the "
              "parameter out)");
    EXPECT_EQ(message_of({Integer{"n", 0, 5, Scale::log}}),
              "SearchSpace: parameter \"n\" has log scale on [0, 5]; a log scale needs low >= 1");
    EXPECT_EQ(
        message_of({Integer{"n", 0, std::numeric_limits<std::int64_t>::max()}}),
        "SearchSpace: parameter \"n\" has bounds [0, 9223372036854775807]; integers must lie within -2^53 and 2^53");
}

TEST(SearchSpace, says_what_is_wrong_with_a_choice_or_levels) {
    EXPECT_EQ(message_of({Choice{"c", {}}}),
              "SearchSpace: parameter \"c\" has 0 values; a choice needs at least two (to fix a value, leave the "
              "parameter out)");
    EXPECT_EQ(message_of({Choice{"c", {"a", "b", "a"}}}),
              "SearchSpace: parameter \"c\" lists the value \"a\" twice; list each value once");
    EXPECT_EQ(
        message_of({Levels{"l", {1.0}}}),
        "SearchSpace: parameter \"l\" has 1 levels; it needs at least two (to fix a value, leave the parameter out)");
    EXPECT_EQ(message_of({Levels{"l", {1.0, 3.0, 2.0}}}),
              "SearchSpace: parameter \"l\" has the level 2 after 3; list levels in increasing order, each once");
    EXPECT_EQ(message_of({Levels{"l", {1.0, nan_value}}}),
              "SearchSpace: parameter \"l\" has the level nan; levels must be finite numbers");
    EXPECT_EQ(message_of({Levels{"l", {0.0, 1.0}, Scale::log}}),
              "SearchSpace: parameter \"l\" has log scale and the level 0; a log scale needs levels > 0");
}

TEST(SearchSpace, reports_all_mistakes_at_once) {
    EXPECT_EQ(message_of({}), "SearchSpace: there are no parameters; give at least one");
    EXPECT_EQ(message_of({Real{"x", 0, 1}, Real{"x", 1, 0}}),
              "SearchSpace: parameter \"x\" has bounds [1, 0]; low must be below high (to fix a value, leave the "
              "parameter out)\n"
              "SearchSpace: two parameters are named \"x\"; rename one of them");
}

TEST(EquallySpacedLevels, refuses_bad_bounds_and_counts) {
    EXPECT_THROW(equally_spaced_levels("x", 1, 0, 40), InvalidArgument);
    EXPECT_THROW(equally_spaced_levels("x", 0, 1, 1), InvalidArgument);
    const Levels levels = equally_spaced_levels("x", -2, 2, 40);
    EXPECT_EQ(levels.values.size(), 40U);
    EXPECT_EQ(levels.values.front(), -2.0);
    EXPECT_EQ(levels.values.back(), 2.0);
}

TEST(SearchSpace, says_what_is_wrong_with_a_point) {
    const SearchSpace space({Real{"x", 0, 1}, Integer{"n", 1, 9}, Choice{"c", {"a", "b"}}, Levels{"l", {0.1, 0.2}}});
    EXPECT_EQ(space.problem_with_point({0.5}),
              "a point has 1 values, but the search space has 4 parameters; give one value for each, in order");
    EXPECT_EQ(space.problem_with_point({1.5, std::int64_t{0}, std::string("d"), 0.15}),
              "parameter \"x\" was given 1.5; allowed is a number in [0, 1]\n"
              "parameter \"n\" was given 0; allowed is a whole number in [1, 9]\n"
              "parameter \"c\" was given \"d\"; allowed is one of \"a\", \"b\"\n"
              "parameter \"l\" was given 0.15; allowed is one of its 2 levels from 0.1 to 0.2");
    EXPECT_EQ(space.problem_with_point({nan_value, 2.5, 1.0, std::string("0.1")}),
              "parameter \"x\" was given nan; allowed is a number in [0, 1]\n"
              "parameter \"n\" was given 2.5; allowed is a whole number in [1, 9]\n"
              "parameter \"c\" was given 1; allowed is one of \"a\", \"b\"\n"
              "parameter \"l\" was given \"0.1\"; allowed is one of its 2 levels from 0.1 to 0.2");
    EXPECT_THROW(space.checked({0.5}), InvalidArgument);
}

TEST(SearchSpace, accepts_a_whole_double_for_an_integer_and_an_integer_for_a_real) {
    const SearchSpace space({Real{"x", 0, 1}, Integer{"n", 1, 9}});
    EXPECT_EQ(space.checked({std::int64_t{1}, 3.0}), (Point{1.0, std::int64_t{3}}));
}

TEST(NearestName, finds_a_slip_of_the_pen_and_nothing_far) {
    EXPECT_EQ(nearest_name("sede", {"seed", "batch_size"}), "seed");
    EXPECT_EQ(nearest_name("batchsize", {"seed", "batch_size"}), "batch_size");
    EXPECT_FALSE(nearest_name("xyzzy", {"seed", "batch_size"}));
    EXPECT_FALSE(nearest_name("ab", {"cd"}));
}

}  // namespace
}  // namespace summand
