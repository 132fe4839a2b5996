// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/domain.hpp"

#include "support/small_domain.hpp"

#include <set>

#include <gtest/gtest.h>

namespace summand {
namespace {

Domain mixed() {
    return Domain({Column::continuous(0.25, 0.75), test::levels(5), Column::unordered({0.125, 0.375, 0.625, 0.875})});
}

TEST(Domain, SpreadRandomAndNearPointsAllLieInIt) {
    const Domain domain = mixed();
    Rng rng = Rng::from_seed(1);
    const Matrix spread = domain.spread(200, rng), near = domain.near(spread.row(0).transpose(), 200, 0.2, rng);
    for (Index i = 0; i < 200; ++i) {
        EXPECT_TRUE(domain.contains(spread.row(i).transpose()));
        EXPECT_TRUE(domain.contains(near.row(i).transpose()));
        EXPECT_TRUE(domain.contains(domain.random(rng)));
    }
}

TEST(Domain, SpreadPointsTakeEveryListedValueEquallyOften) {
    Rng rng = Rng::from_seed(2);
    const Matrix spread = mixed().spread(1024, rng);
    for (const double value : {0.125, 0.375, 0.625, 0.875})
        EXPECT_EQ((spread.col(2).array() == value).count(), 256);  // a Sobol net in base 2 balances quarters exactly
}

TEST(Domain, EnumerationHasEveryPointOnceTheLastColumnRunningFastest) {
    const Domain domain({test::levels(3), Column::unordered({0.25, 0.75})});
    ASSERT_EQ(domain.point_count(), 6);
    const Matrix all = domain.enumerate();
    const Matrix expected = (Matrix(6, 2) << 0, 0.25, 0, 0.75, 0.5, 0.25, 0.5, 0.75, 1, 0.25, 1, 0.75).finished();
    EXPECT_EQ(all, expected);
    EXPECT_EQ(mixed().point_count(), 0);
}

TEST(Domain, SnapGoesToTheNearestAllowedValue) {
    const Vector snapped = mixed().snap((Vector(3) << 0.9, 0.6, 0.3).finished());
    EXPECT_EQ(snapped, ((Vector(3) << 0.75, 0.5, 0.375).finished()));
}

TEST(Domain, ABoxCutsNumbersAndLevelsButNotChoices) {
    const Domain inside = mixed().within(Vector::Constant(3, 0.4), Vector::Constant(3, 0.6));
    EXPECT_EQ(inside.column(0).low, 0.4);
    EXPECT_EQ(inside.column(0).high, 0.6);
    EXPECT_EQ(inside.column(1).values, (std::vector<double>{0.5}));
    EXPECT_EQ(inside.column(2).values.size(), 4U);
    // A box between two levels keeps the nearest one.
    EXPECT_EQ(mixed().within(Vector::Constant(3, 0.30), Vector::Constant(3, 0.32)).column(1).values,
              (std::vector<double>{0.25}));
}

TEST(Domain, ComesFromASearchSpace) {
    const SearchSpace space({Real{"a", 0, 1}, Integer{"b", 1, 4}, Choice{"c", {"x", "y"}}, Integer{"d", 0, 1'000'000}});
    const Domain domain = Domain::of(Encoding(space));
    EXPECT_EQ(domain.column(0).kind, Column::Kind::continuous);
    EXPECT_EQ(domain.column(1).values.size(), 4U);
    EXPECT_EQ(domain.column(2).kind, Column::Kind::unordered);
    EXPECT_FALSE(domain.listed(3));
    const Encoding encoding(space);
    const double snapped = domain.snap(Vector::Constant(4, 0.1234567891))(3);
    EXPECT_EQ(snapped, encoding.snap(3, 0.1234567891));
    EXPECT_EQ(domain.group({2, 1}).point_count(), 8);
}

}  // namespace
}  // namespace summand
