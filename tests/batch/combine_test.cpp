// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/combine.hpp"

#include "support/statistics.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace summand::batch {
namespace {

// Groups {0, 2} and {1}; four parts each, every coordinate different.
const Partition odd_and_even = Partition::from_labels({0, 1, 0});

std::vector<Parts> some_parts() {
    std::vector<Parts> parts(2);
    parts[0].rows = (Matrix(4, 2) << 1, 2, 3, 4, 5, 6, 7, 8).finished();
    parts[0].quality = (Vector(4) << 0.1, 0.9, 0.5, 0.5).finished();
    parts[1].rows = (Matrix(4, 1) << 10, 20, 30, 40).finished();
    parts[1].quality = (Vector(4) << 4, 3, 2, 1).finished();
    return parts;
}

void expect_each_part_once(const Matrix& points) {
    std::vector<double> first, second;
    for (Index i = 0; i < points.rows(); ++i) {
        first.push_back(points(i, 0));
        second.push_back(points(i, 1));
        EXPECT_EQ(points(i, 2), points(i, 0) + 1);  // a part stays together
    }
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    EXPECT_EQ(first, (std::vector<double>{1, 3, 5, 7}));
    EXPECT_EQ(second, (std::vector<double>{10, 20, 30, 40}));
}

TEST(Combine, UsesEachPartExactlyOnce) {
    Rng rng = Rng::from_seed(1);
    for (int i = 0; i < 20; ++i) expect_each_part_once(combine_at_random(odd_and_even, some_parts(), rng));
    expect_each_part_once(combine_by_quality(odd_and_even, some_parts()));
}

TEST(Combine, ByQualityJoinsTheBestWithTheBest) {
    const Matrix expected = (Matrix(4, 3) << 3, 10, 4, 5, 20, 6, 7, 30, 8, 1, 40, 2).finished();
    EXPECT_EQ(combine_by_quality(odd_and_even, some_parts()), expected);
}

TEST(Combine, AtRandomJoinsAnyTwoPartsEquallyOften) {
    Rng rng = Rng::from_seed(2);
    const int draws = 16'000;
    std::map<std::pair<double, double>, double> seen;
    // One row a draw, so that counts are independent: the partner of the part that starts with 1 and where 3 went with it.
    for (int i = 0; i < draws; ++i) {
        const Matrix points = combine_at_random(odd_and_even, some_parts(), rng);
        ++seen[{points(0, 0), points(0, 1)}];
    }
    std::vector<double> observed;
    for (const double a : {1, 3, 5, 7})
        for (const double b : {10, 20, 30, 40}) observed.push_back(seen[{a, b}]);
    EXPECT_LT(test::chi_square(observed, std::vector<double>(16, draws / 16.0)),
              test::chi_square_quantile(15, 1 - 1e-6));
}

}  // namespace
}  // namespace summand::batch
