// SPDX-License-Identifier: Apache-2.0
#include "summand/space/encoding.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand {
namespace {

SearchSpace mixed_space() {
    return SearchSpace({Real{"x", -5, 5}, Real{"rate", 1e-6, 1e-1, Scale::log}, Integer{"n", -3, 12},
                        Integer{"width", 1, 1024, Scale::log}, Choice{"c", {"a", "b", "c", "d", "e", "f", "g"}},
                        equally_spaced_levels("l", -2, 2, 40), Levels{"m", {1, 10, 15, 1e4}, Scale::log}});
}

TEST(Encoding, random_points_come_back_as_allowed_and_the_same) {
    const SearchSpace space = mixed_space();
    const Encoding encoding(space);
    Rng rng = Rng::from_seed(1);
    for (int i = 0; i < 2000; ++i) {
        const Vector unit = encoding.random(rng);
        const Point point = encoding.decode(unit);
        ASSERT_EQ(space.problem_with_point(point), "");
        const Point again = encoding.decode(encoding.encode(point));
        for (std::size_t j = 2; j < point.size(); ++j) ASSERT_EQ(point[j], again[j]);
        // Rounding of two multiplications and, on the log scale, of exp and log: some units in the last place.
        ASSERT_NEAR(std::get<double>(point[0]), std::get<double>(again[0]), 1e-14);
        ASSERT_NEAR(std::get<double>(point[1]) / std::get<double>(again[1]), 1.0, 1e-13);
    }
}

TEST(Encoding, every_discrete_value_makes_the_round_trip_and_every_index_is_nearest_to_itself) {
    const SearchSpace space = mixed_space();
    const Encoding encoding(space);
    for (Index j = 2; j < encoding.dimension(); ++j)
        for (std::int64_t k = 0; k < encoding.count(j); ++k) {
            ASSERT_EQ(encoding.nearest(j, encoding.unit(j, k)), k) << "column " << j;
            ASSERT_EQ(encoding.snap(j, encoding.unit(j, k)), encoding.unit(j, k));
        }
}

TEST(Encoding, snaps_to_the_nearest_allowed_value_by_brute_force) {
    const Encoding encoding(mixed_space());
    Rng rng = Rng::from_seed(2);
    for (const Index j : {2, 3, 5, 6})
        for (int i = 0; i < 500; ++i) {
            const double u = rng.uniform(-0.1, 1.1);
            double least = 10;
            for (std::int64_t k = 0; k < encoding.count(j); ++k)
                least = std::min(least, std::abs(encoding.unit(j, k) - u));
            ASSERT_DOUBLE_EQ(std::abs(encoding.snap(j, u) - u), least);
        }
}

TEST(Encoding, bounds_are_reached_exactly_and_never_passed) {
    const SearchSpace space({Real{"a", 0.1, 0.7}, Real{"b", 1e-5, 0.3, Scale::log}});
    const Encoding encoding(space);
    EXPECT_EQ(encoding.decode(Vector::Ones(2)), (Point{0.7, 0.3}));
    EXPECT_EQ(encoding.decode(Vector::Zero(2)), (Point{0.1, 1e-5}));
    EXPECT_EQ(encoding.decode(Vector::Constant(2, 1.5)), (Point{0.7, 0.3}));
    EXPECT_EQ(space.problem_with_point(encoding.decode(Vector::Constant(2, std::nextafter(1.0, 0.0)))), "");
}

TEST(Encoding, log_scales_may_span_more_than_the_ratio_of_their_ends_can_say) {
    for (const double low : {5e-324, 1e-300, 1e-20})
        for (const double high : {1e290, 1.7e308}) {
            const Encoding encoding(SearchSpace({Real{"x", low, high, Scale::log}}));
            for (const double unit : {0.0, 0.25, 0.5, 0.9, 1.0}) {
                const double value = std::get<double>(encoding.decode(Vector::Constant(1, unit)).front());
                const double expected = std::log(low) + unit * (std::log(high) - std::log(low));
                EXPECT_NEAR(std::log(value), expected, 1e-9);
                // Numbers next to 5e-324 are few and far between.
                EXPECT_NEAR(encoding.encode({value})(0), unit, 1e-3);
            }
        }
    const Levels levels = equally_spaced_levels("l", 1e-300, 1e300, 5, Scale::log);
    EXPECT_NEAR(std::log10(levels.values[1]), -150, 1e-9);
    EXPECT_NEAR(std::log10(levels.values[3]), 150, 1e-9);
    EXPECT_NE(problem_with(Levels{"m", {-1.7e308, 0, 1.7e308}}), "");
}

TEST(Encoding, allowed_values_are_told_apart_however_near_they_are_beside_their_range) {
    constexpr std::int64_t largest = std::int64_t{1} << 53;
    const Encoding encoding(SearchSpace({Levels{"zero", {0, 1e-300, 1e-299, 1e300}}, Levels{"one", {-1, 1 - 1e-16, 1}},
                                         Levels{"log", {1, std::nextafter(1e300, 0.0), 1e300}, Scale::log},
                                         Integer{"huge", largest - 3, largest, Scale::log}}));
    for (Index j = 0; j < encoding.dimension(); ++j) {
        EXPECT_EQ(encoding.unit(j, 0), 0.0);
        EXPECT_EQ(encoding.unit(j, encoding.count(j) - 1), 1.0);
        for (std::int64_t k = 0; k < encoding.count(j); ++k) {
            EXPECT_EQ(encoding.nearest(j, encoding.unit(j, k)), k) << "column " << j;
            EXPECT_TRUE(k == 0 || encoding.unit(j, k) > encoding.unit(j, k - 1)) << "column " << j;
        }
    }
}

TEST(Encoding, choices_are_unordered_and_one_column_each) {
    const Encoding encoding(mixed_space());
    EXPECT_EQ(encoding.dimension(), 7);
    EXPECT_EQ(encoding.unordered_columns(), (std::vector<bool>{false, false, false, false, true, false, false}));
    EXPECT_EQ(encoding.kind(0), Encoding::Kind::continuous);
    EXPECT_EQ(encoding.count(0), 0);
    EXPECT_EQ(encoding.count(4), 7);
    EXPECT_FALSE(encoding.all_continuous());
}

TEST(Encoding, counts_the_points_of_a_finite_space) {
    EXPECT_EQ(Encoding(SearchSpace({Integer{"n", 1, 3}, Choice{"c", {"a", "b"}}})).point_count(), 6);
    EXPECT_EQ(Encoding(SearchSpace({Integer{"n", 1, 3}, Real{"x", 0, 1}})).point_count(), 0);
    std::vector<Parameter> many;
    for (int j = 0; j < 25; ++j) many.push_back(equally_spaced_levels("l" + std::to_string(j), 0, 1, 40));
    EXPECT_EQ(Encoding(SearchSpace(many)).point_count(), 0);  // 40^25 does not fit
}

}  // namespace
}  // namespace summand
