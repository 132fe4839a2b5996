// SPDX-License-Identifier: Apache-2.0
#include "optimizer/planner_batch.hpp"

#include <gtest/gtest.h>

// Groups follow whole draws if they are sure and there are evaluations enough to explore them, tempered ones otherwise.
namespace summand::optimizer::test_batch {
namespace {

constexpr int enough = 20 * dimension, midway = 50;

/// A batch of a strategy that differs in nothing but `temper_from`.
Matrix tempered(const Choice& choice, double temper_from) {
    return batch(choice, {.temper_from = temper_from});
}

TEST(Tempering, IsForBudgetsThatAreTooSmallToExplore) {
    const Choice large{.budget = enough, .points = midway}, small{.budget = enough - 1, .points = midway};
    EXPECT_EQ(tempered(large, 0.3), tempered(large, 1.0));
    EXPECT_NE(tempered(small, 0.3), tempered(small, 1.0));
}

TEST(Tempering, EndsWithoutABudgetOnceThereAreThatManyValues) {
    EXPECT_NE(tempered({}, 0.3), tempered({}, 1.0));
    EXPECT_EQ(tempered({.points = enough}, 0.3), tempered({.points = enough}, 1.0));
}

TEST(Tempering, IsForGroupsThatAreNotSure) {
    const Choice learned{.budget = enough, .groups_given = false, .points = midway};
    EXPECT_NE(tempered(learned, 0.3), tempered(learned, 1.0));
}

}  // namespace
}  // namespace summand::optimizer::test_batch
