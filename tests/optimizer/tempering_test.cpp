// SPDX-License-Identifier: Apache-2.0
#include "optimizer/planner_batch.hpp"

#include <gtest/gtest.h>

// Groups follow whole draws if they are sure and there are evaluations enough to explore them, tempered ones otherwise.
namespace summand::optimizer::test_batch {
namespace {

constexpr int enough = 16 * dimension;

/// A batch of a strategy that differs in nothing but `temper_from`.
Matrix tempered(const Choice& choice, double temper_from) {
    return batch(choice, {.temper_from = temper_from});
}

TEST(Tempering, IsForBudgetsThatAreTooSmallToExplore) {
    EXPECT_EQ(tempered({.budget = enough}, 0.3), tempered({.budget = enough}, 1.0));
    EXPECT_NE(tempered({.budget = enough - 1}, 0.3), tempered({.budget = enough - 1}, 1.0));
}

TEST(Tempering, EndsWithoutABudgetOnceThereAreThatManyValues) {
    EXPECT_NE(tempered({}, 0.3), tempered({}, 1.0));
    EXPECT_EQ(tempered({.points = enough}, 0.3), tempered({.points = enough}, 1.0));
}

TEST(Tempering, IsForGroupsThatAreNotSure) {
    const Choice learned{.budget = enough, .groups_given = false};
    EXPECT_NE(tempered(learned, 0.3), tempered(learned, 1.0));
}

}  // namespace
}  // namespace summand::optimizer::test_batch
