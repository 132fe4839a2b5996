// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default_planner.hpp"
#include "support/cube.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

// Groups follow whole draws if they are sure and there are evaluations enough to explore them, tempered ones otherwise.
namespace summand::optimizer {
namespace {

constexpr int dimension = 4, enough = 16 * dimension;

/// A sum of two parts, each of which no parameter explains alone.
double two_parts(const Vector& x) {
    return std::cos(6.0 * x(0) * x(1)) + std::cos(5.0 * x(2) * x(3) + 1.0);
}

/// The first `points` of a fixed sequence, and their values.
Data data_of(const Encoding& encoding, Index points) {
    Data data{.X = Matrix(points, dimension), .y = Vector(points), .order = std::vector<std::int64_t>(points)};
    Rng rng = Rng::from_seed(4);
    for (Index i = 0; i < points; ++i) {
        data.X.row(i) = encoding.random(rng).transpose();
        data.y(i) = two_parts(data.X.row(i).transpose());
    }
    std::iota(data.order.begin(), data.order.end(), 0);
    data.pending = data.failed = Matrix(0, dimension);
    return data;
}

struct Choice {
    std::optional<int> budget = {};
    bool groups_given = true;
    Index points = 60;  ///< known when the batch is chosen; 30 of them when the models are made
};

/// A batch of a strategy that differs in nothing but `temper_from`.
Matrix batch(const Choice& choice, double temper_from) {
    const Encoding encoding(test::cube(dimension));
    const Options options = resolved({.batch_size = 8, .budget = choice.budget});
    const std::optional<Partition> known =
        choice.groups_given ? std::optional(Partition::from_groups({{0, 1}, {2, 3}}, dimension)) : std::nullopt;
    DefaultPlanner planner(DefaultStrategy{.temper_from = temper_from});
    Matrix points;
    for (const Index known_points : {Index{30}, choice.points}) {
        const Situation situation{.encoding = encoding,
                                  .options = options,
                                  .known = known,
                                  .root = Rng::from_seed(5),
                                  .ask = known_points,
                                  .data = data_of(encoding, known_points)};
        planner.advance(situation);
        points = planner.propose(situation, 24);
    }
    return points;
}

TEST(Tempering, IsForBudgetsThatAreTooSmallToExplore) {
    EXPECT_EQ(batch({.budget = enough}, 0.3), batch({.budget = enough}, 1.0));
    EXPECT_NE(batch({.budget = enough - 1}, 0.3), batch({.budget = enough - 1}, 1.0));
}

TEST(Tempering, EndsWithoutABudgetOnceThereAreThatManyValues) {
    EXPECT_NE(batch({}, 0.3), batch({}, 1.0));
    EXPECT_EQ(batch({.points = enough}, 0.3), batch({.points = enough}, 1.0));
}

TEST(Tempering, IsForGroupsThatAreNotSure) {
    const Choice learned{.budget = enough, .groups_given = false};
    EXPECT_NE(batch(learned, 0.3), batch(learned, 1.0));
}

}  // namespace
}  // namespace summand::optimizer
