// SPDX-License-Identifier: Apache-2.0
#include "problems/problem.hpp"
#include "summand/base/random.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace summand::problems {
namespace {

const std::vector<std::string> with_optimum = {"ackley-1",       "ackley-20",          "levy-1",
                                               "levy-30",        "rastrigin-20",       "rosenbrock-2",
                                               "rosenbrock-20",  "styblinski-tang-10", "michalewicz-2",
                                               "michalewicz-10", "griewank-20",        "branin",
                                               "hartmann6",      "branin-embedded-25", "hartmann6-embedded-50"};

TEST(Classics, TheOptimumIsAttainedWhereTheProblemSays) {
    for (const std::string& name : with_optimum) {
        const Problem problem = make(name);
        const auto best = problem.best();
        ASSERT_TRUE(best && best->at) << name;
        EXPECT_EQ(best->kind, Best::Kind::optimum);
        EXPECT_NEAR(problem.evaluate(*best->at), best->value, 1e-9 * (1.0 + std::abs(best->value))) << name;
    }
}

TEST(Classics, NothingNearTheOptimumOrAtRandomIsBetter) {
    for (const std::string& name : with_optimum) {
        const Problem problem = make(name);
        const auto best = problem.best();
        Rng rng = Rng::from_seed(1).stream(name);
        for (int i = 0; i < 2000; ++i) {
            Vector unit(problem.dimension()), near = *best->at;
            for (double& u : unit) u = rng.uniform();
            // A minimum known to 10 digits: rounding of the point costs about 1e-10 squared times the curvature.
            EXPECT_GE(problem.evaluate_unit(unit), best->value - 1e-9 * (1.0 + std::abs(best->value))) << name;
            for (double& v : near) v += 1e-3 * rng.uniform(-1.0, 1.0);
            if (problem.space().problem_with_point(Point(near.begin(), near.end())).empty()) {
                EXPECT_GE(problem.evaluate(near), best->value - 1e-9 * (1.0 + std::abs(best->value))) << name;
            }
        }
    }
}

TEST(Classics, BestValuesAreThePublishedOnes) {
    EXPECT_NEAR(*make("branin").best_known(), 0.397887, 5e-7);
    EXPECT_NEAR(*make("hartmann6").best_known(), -3.32237, 5e-6);
    EXPECT_NEAR(*make("michalewicz-2").best_known(), -1.8013, 5e-5);
    EXPECT_NEAR(*make("michalewicz-5").best_known(), -4.687658, 5e-7);
    EXPECT_NEAR(*make("michalewicz-10").best_known(), -9.66015, 5e-6);
    EXPECT_NEAR(*make("styblinski-tang-2").best_known(), -78.332, 5e-4);
    for (const char* name : {"ackley", "levy", "rastrigin", "rosenbrock", "griewank"})
        EXPECT_EQ(*make(name).best_known(), 0.0) << name;
}

TEST(Classics, ValuesAtSimplePointsWorkedOutByHand) {
    const Vector two = Vector::Constant(2, 2.0);
    EXPECT_NEAR(make("rastrigin-2").evaluate(two), 8.0, 1e-12);          // 2 (4 - 10 cos 4π + 10)
    EXPECT_NEAR(make("rosenbrock-2").evaluate(two), 401.0, 1e-12);       // 100 (2 - 4)² + 1
    EXPECT_NEAR(make("styblinski-tang-2").evaluate(two), -38.0, 1e-12);  // ½ · 2 (16 - 64 + 10)
    EXPECT_NEAR(make("ackley-2").evaluate(two), 20.0 - 20.0 * std::exp(-0.4), 1e-12);
    EXPECT_NEAR(make("griewank-1").evaluate(Vector::Constant(1, 2.0 * std::numbers::pi)),
                4.0 * std::numbers::pi * std::numbers::pi / 4000.0, 1e-14);
    // w = 2 in every coordinate: sin² 2π = 0, then 1 + 10 sin² 1 for each of the first, then 1.
    EXPECT_NEAR(make("levy-3").evaluate(Vector::Constant(3, 5.0)),
                2.0 * (1.0 + 10.0 * std::pow(std::sin(1.0), 2)) + 1.0, 1e-12);
    // Valley term 6 - 5.1·0 + 0 - 6 = 0 at (0, 6).
    EXPECT_NEAR(make("branin").evaluate(Vector{{0.0, 6.0}}), 20.0 - 10.0 / (8.0 * std::numbers::pi), 1e-12);
}

TEST(Classics, AnotherDomainCanBeGivenAndMayExcludeTheOptimum) {
    const Problem wide = make("ackley-2", {.low = -32.768, .high = 32.768});
    EXPECT_EQ(*wide.best_known(), 0.0);
    EXPECT_NO_THROW(wide.evaluate(Vector::Constant(2, 30.0)));
    EXPECT_FALSE(make("ackley-2", {.low = 1.0}).best_known().has_value());
}

TEST(Classics, OnlyTheActiveParametersOfAnEmbeddingMatter) {
    const Problem problem = make("hartmann6-embedded-50", {.seed = 3});
    const auto& groups = problem.true_partition->groups();
    const Vector base = Vector::Constant(50, 0.3);
    int active = 0;
    for (Index j = 0; j < 50; ++j) {
        Vector moved = base;
        moved[j] = 0.6;
        const bool matters = problem.evaluate(moved) != problem.evaluate(base);
        active += matters;
        EXPECT_EQ(matters, groups[static_cast<std::size_t>(problem.true_partition->group_of(j))].size() == 6) << j;
    }
    EXPECT_EQ(active, 6);
    EXPECT_NE(to_text(*problem.true_partition), to_text(*make("hartmann6-embedded-50", {.seed = 4}).true_partition));
}

}  // namespace
}  // namespace summand::problems
