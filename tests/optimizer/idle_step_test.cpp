// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/idle_step.hpp"

#include "summand/optimizer/optimizer.hpp"
#include "support/cube.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace summand::optimizer {
namespace {

constexpr Index busy = 4, dimension = 12;

// A centre (row 0), and points that differ from it far away in a random third of the parameters, of which four matter.
struct AroundACentre {
    Matrix X = Matrix(100, dimension);
    Vector y = Vector::Zero(100);

    explicit AroundACentre(std::uint64_t seed) {
        Rng rng = Rng::from_seed(seed).stream("test");
        for (Index i = 0; i < X.rows(); ++i)
            for (Index j = 0; j < dimension; ++j)
                X(i, j) =
                    i == 0 || rng.coin(2.0 / 3.0) ? 0.5 : 0.5 + (rng.coin(0.5) ? 0.3 : -0.3) * (1 + rng.uniform() / 3);
        for (Index i = 0; i < X.rows(); ++i) y[i] = -(X.row(i).head(busy).array() - 0.5).square().sum();
    }
};

// One answer differs from the next, by design, so the statement is about many: a busy parameter is seldom called idle and
// an idle one mostly. Without the weights that let good values acquit (sameness 1 instead of 0.05) a third is found.
TEST(IdleStep, FindsTheParametersThatDoNothing) {
    int wrong = 0, found = 0;
    constexpr int answers = 200;
    for (std::uint64_t k = 0; k < answers; ++k) {
        const AroundACentre seen(k / 10);
        Rng rng = Rng::from_seed(k).stream("idle");
        for (const Index j : idle_parameters(seen.X, seen.y, 0, rng)) ++(j < busy ? wrong : found);
    }
    EXPECT_LT(wrong, answers * busy / 50);
    EXPECT_GT(found, answers * (dimension - busy) * 9 / 10);
}

TEST(IdleStep, NothingIsIdleWhereTheCentreIsNoBetterThanTheMedian) {
    AroundACentre seen(1);
    seen.y.setConstant(3.0);
    Rng rng = Rng::from_seed(1).stream("idle");
    EXPECT_TRUE(idle_parameters(seen.X, seen.y, 0, rng).empty());
}

TEST(IdleStep, RedrawsTheseParametersAndLeavesTheOthers) {
    const Vector centre = Vector::Constant(4, 0.25);
    Rng rng = Rng::from_seed(1).stream("redrawn");
    const Vector point = redrawn(Domain::cube(4), centre, {1, 3}, rng);
    EXPECT_EQ(point[0], 0.25);
    EXPECT_EQ(point[2], 0.25);
    EXPECT_NE(point[1], 0.25);
    EXPECT_NE(point[3], 0.25);
}

// Points that keep the parameters that matter of an earlier point, to the last bit, and differ from it by a quarter of the
// range in another one.
int idle_steps(const std::vector<Trial>& trials, std::size_t from) {
    const auto value = [&](std::size_t i, std::size_t j) { return std::get<double>(trials[i].values[j]); };
    int count = 0;
    for (std::size_t i = from; i < trials.size(); ++i) {
        bool step = false;
        for (std::size_t k = 0; k < i && !step; ++k) {
            bool same = true, far = false;
            for (std::size_t j = 0; j < 3; ++j) same = same && value(i, j) == value(k, j);
            for (std::size_t j = 3; j < 8; ++j) far = far || std::abs(value(i, j) - value(k, j)) > 0.25;
            step = same && far;
        }
        count += step ? 1 : 0;
    }
    return count;
}

int idle_steps_of_a_run(double idle_share) {
    Optimizer optimizer(
        test::cube(8),
        {.goal = Goal::maximize, .batch_size = 10, .seed = 3, .strategy = DefaultStrategy{.idle_share = idle_share}});
    std::vector<Trial> trials;
    while (trials.size() < 200)
        for (const Trial& trial : optimizer.ask()) {
            double value = 0.0;
            for (std::size_t j = 0; j < 3; ++j) value -= std::pow(std::get<double>(trial.values[j]) - 0.4, 2);
            optimizer.tell(trial.id, value);
            trials.push_back(trial);
        }
    return idle_steps(trials, 100);
}

TEST(IdleStep, AreTakenWhenTheTrustRegionHasShrunk) {
    EXPECT_GE(idle_steps_of_a_run(0.4), 15);
    EXPECT_LE(idle_steps_of_a_run(0.0), 5);
}

}  // namespace
}  // namespace summand::optimizer
