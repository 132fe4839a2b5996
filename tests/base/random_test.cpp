// SPDX-License-Identifier: Apache-2.0
#include "summand/base/random.hpp"

#include "summand/base/normal_quantile.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace summand {
namespace {

// One test in a million fails by chance: |z| < 4.9.
constexpr double z_limit = 4.9;

TEST(Rng, gives_the_same_numbers_for_the_same_seed_and_others_for_another) {
    Rng a = Rng::from_seed(7), b = Rng::from_seed(7), c = Rng::from_seed(8);
    EXPECT_EQ(a.bits(), b.bits());
    EXPECT_EQ(a.normal(), b.normal());
    EXPECT_NE(a.bits(), c.bits());
}

TEST(Rng, draws_the_numbers_it_has_always_drawn) {
    // A change here changes every result of every seed: it needs a "Numerics" line in the changelog.
    Rng rng = Rng::from_seed(1).stream("golden", {2, 3});
    EXPECT_EQ(rng.bits(), 16733579847789897903ULL);
}

TEST(Rng, a_stream_depends_on_the_key_alone_and_does_not_advance_its_parent) {
    Rng parent = Rng::from_seed(3), untouched = Rng::from_seed(3);
    Rng before = parent.stream("work", {1});
    EXPECT_EQ(parent.bits(), untouched.bits());
    Rng after = parent.stream("work", {1});
    EXPECT_EQ(before.bits(), after.bits());
}

TEST(Rng, streams_differ_in_purpose_in_every_index_and_in_the_number_of_indices) {
    const Rng root = Rng::from_seed(3);
    std::set<std::uint64_t> keys;
    for (const char* purpose : {"", "a", "b", "ab", "ba"}) {
        keys.insert(root.stream(purpose).key());
        keys.insert(root.stream(purpose, {0}).key());
        keys.insert(root.stream(purpose, {0, 0}).key());
        keys.insert(root.stream(purpose, {1, 0}).key());
        keys.insert(root.stream(purpose, {0, 1}).key());
        keys.insert(root.stream(purpose, {-1}).key());
    }
    EXPECT_EQ(keys.size(), 30U);
}

TEST(Rng, below_is_uniform) {
    Rng rng = Rng::from_seed(5);
    std::vector<double> counts(7, 0.0);
    for (int i = 0; i < 70'000; ++i) counts[static_cast<std::size_t>(rng.below(7))] += 1;
    EXPECT_LT(test::chi_square(counts, std::vector<double>(7, 10'000.0)), test::chi_square_quantile(6, 1 - 1e-6));
}

// Mean and variance of n draws against the exact ones; the variance of the sample variance needs the fourth moment.
template <class Draw>
void check_moments(Draw draw, double mean, double variance, double fourth_central_moment) {
    constexpr int n = 200'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        const double x = draw() - mean;
        sum += x;
        squares += x * x;
    }
    EXPECT_LT(std::abs(sum / n) / std::sqrt(variance / n), z_limit);
    EXPECT_LT(std::abs(squares / n - variance) / std::sqrt((fourth_central_moment - variance * variance) / n), z_limit);
}

TEST(Rng, distributions_have_the_right_mean_and_variance) {
    Rng rng = Rng::from_seed(11);
    check_moments([&] { return rng.uniform(); }, 0.5, 1.0 / 12, 1.0 / 80);
    check_moments([&] { return rng.normal(); }, 0, 1, 3);
    check_moments([&] { return rng.exponential(); }, 1, 1, 9);
    const double pi2 = M_PI * M_PI;
    check_moments([&] { return rng.gumbel(); }, 0.57721566490153286, pi2 / 6, 27.0 / 5 * pi2 * pi2 / 36);
    for (const double shape : {0.4, 1.0, 3.7})
        check_moments([&] { return rng.gamma(shape); }, shape, shape, 3 * shape * shape + 6 * shape);
}

TEST(Rng, categorical_draws_follow_the_weights) {
    Rng rng = Rng::from_seed(13);
    const std::vector<double> p{0.1, 0.2, 0.3, 0.25, 0.1, 0.05};
    std::vector<double> log_weights, expected, counts(6, 0.0);
    for (const double weight : p) {
        log_weights.push_back(std::log(weight) - 1000.0);  // far from 1: only ratios count
        expected.push_back(weight * 50'000);
    }
    for (int i = 0; i < 50'000; ++i) counts[static_cast<std::size_t>(rng.categorical_log(log_weights))] += 1;
    EXPECT_LT(test::chi_square(counts, expected), test::chi_square_quantile(5, 1 - 1e-6));
}

TEST(Rng, categorical_draws_without_any_weight_are_uniform) {
    const double nothing = -std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    Rng rng = Rng::from_seed(14);
    std::vector<double> counts(4, 0.0);
    for (int i = 0; i < 20'000; ++i)
        counts[static_cast<std::size_t>(rng.categorical_log({nothing, nan, nothing, nan}))] += 1;
    EXPECT_LT(test::chi_square(counts, std::vector<double>(4, 5'000.0)), test::chi_square_quantile(3, 1 - 1e-6));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.categorical_log({nan, nothing, -1e300, nan}), 2);
}

TEST(Rng, permutation_contains_everything_once_and_every_order_is_equally_likely) {
    Rng rng = Rng::from_seed(17);
    std::vector<double> counts(24, 0.0);
    for (int i = 0; i < 48'000; ++i) {
        const auto p = rng.permutation(4);
        ASSERT_EQ(std::set<std::int64_t>(p.begin(), p.end()).size(), 4U);
        // Lehmer code: 0 .. 23.
        std::size_t code = 0;
        for (std::size_t a = 0; a < 4; ++a) {
            code *= 4 - a;
            for (std::size_t b = a + 1; b < 4; ++b) code += p[b] < p[a];
        }
        counts[code] += 1;
    }
    EXPECT_LT(test::chi_square(counts, std::vector<double>(24, 2'000.0)), test::chi_square_quantile(23, 1 - 1e-6));
}

TEST(NormalQuantile, agrees_with_mpmath) {
    // mpmath 1.3: sqrt(2) * erfinv(2 p - 1) at 30 digits.
    EXPECT_NEAR(normal_quantile(0.975), 1.95996398454005423552, 4e-16 * 2);
    EXPECT_NEAR(normal_quantile(0.5), 0.0, 0.0);
    EXPECT_NEAR(normal_quantile(0.001) / -3.09023230616781354154, 1.0, 1e-15);
    EXPECT_NEAR(normal_quantile(1e-12) / -7.03448382530113192981, 1.0, 1e-15);
    EXPECT_NEAR(normal_quantile(1e-100) / -21.2734535609653242, 1.0, 1e-15);
}

}  // namespace
}  // namespace summand
