// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/default/planner.hpp"
#include "support/cube.hpp"

#include <cmath>
#include <numeric>
#include <optional>

namespace summand::optimizer::test_batch {

constexpr int dimension = 4;

/// A sum of two parts, each of which no parameter explains alone.
inline double two_parts(const Vector& x) {
    return std::cos(6.0 * x(0) * x(1)) + std::cos(5.0 * x(2) * x(3) + 1.0);
}

/// The first `points` of a fixed sequence, and their values.
inline Data data_of(const Encoding& encoding, Index points) {
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

/// A batch of 24 points of the strategy after that many points of the sequence.
inline Matrix batch(const Choice& choice, const DefaultStrategy& strategy) {
    const Encoding encoding(test::cube(dimension));
    const Options options = resolved({.batch_size = 8, .budget = choice.budget});
    const std::optional<Partition> known =
        choice.groups_given ? std::optional(Partition::from_groups({{0, 1}, {2, 3}}, dimension)) : std::nullopt;
    DefaultPlanner planner(strategy);
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

}  // namespace summand::optimizer::test_batch
