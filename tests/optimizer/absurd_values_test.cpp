// SPDX-License-Identifier: Apache-2.0
// Values that simulators return now and then. Whatever was told, the next ask gives points of the space.
#include "summand/base/random.hpp"
#include "summand/optimizer/default/groups.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "support/cube.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace summand::absurd_values_test {
namespace {

using test::cube;

double bowl(const Point& point) {
    double sum = 0.0;
    for (const Value& value : point) sum += std::pow(std::get<double>(value) - 0.3, 2);
    return sum;
}

std::vector<Options> both_strategies(int batch_size) {
    Options standard{.batch_size = batch_size, .seed = 3, .initial_points = 6};
    Options given = standard, learned = standard;
    given.strategy = PaperStrategy{.sweeps = 6, .burn_in = 3};
    learned.strategy =
        PaperStrategy{.relearn_every = 2, .sweeps = 6, .burn_in = 3, .hyperparameters = HyperparameterSource::learned};
    return {standard, given, learned};
}

/// Asks and tells, and looks at everything there is to see.
std::vector<Point> run(const Options& options, int dimension, int rounds,
                       const std::function<double(const Point&, int)>& value) {
    Optimizer optimizer(cube(dimension), options);
    std::vector<Point> points;
    for (int round = 0; round < rounds; ++round)
        for (const Trial& trial : optimizer.ask()) {
            EXPECT_EQ(optimizer.space().problem_with_point(trial.values), "");
            optimizer.tell(trial.id, value(trial.values, static_cast<int>(points.size())));
            points.push_back(trial.values);
        }
    for (const Importance& one : optimizer.importance()) EXPECT_TRUE(std::isfinite(one.share));
    for (const GroupSlice& slice : optimizer.group_slices(4))
        for (std::size_t i = 0; i < slice.mean.size(); ++i)
            EXPECT_TRUE(std::isfinite(slice.mean[i]) && std::isfinite(slice.stddev[i]));
    EXPECT_TRUE(std::isfinite(optimizer.structure().log_likelihood));
    // The state is a function of the history, and a snapshot spares work without changing it.
    Optimizer replayed(cube(dimension), options, optimizer.history());
    Optimizer restored(cube(dimension), options, optimizer.history(), optimizer.snapshot());
    const Point next = optimizer.ask(1).front().values;
    EXPECT_EQ(replayed.ask(1).front().values, next);
    EXPECT_EQ(restored.ask(1).front().values, next);
    return points;
}

TEST(AbsurdValues, OfAnySize) {
    for (const Options& options : both_strategies(3))
        for (const double size : {1e-300, 1e-170, 1e160, 1e300})
            run(options, 4, 5, [&](const Point& point, int) { return size * bowl(point); });
}

TEST(AbsurdValues, OneIsHuge) {
    for (const Options& options : both_strategies(3))
        for (const double huge : {1e160, 1e300, -1e300})
            run(options, 3, 5, [&](const Point& point, int n) { return n == 7 ? huge : bowl(point); });
}

TEST(AbsurdValues, ThatGrowUntilTheUnitMustChange) {
    for (const Options& options : both_strategies(3))
        run(options, 2, 7, [&](const Point& point, int n) { return bowl(point) * std::pow(10.0, 14.0 * n); });
}

TEST(AbsurdValues, SlicesAreInTheUsersUnits) {
    const double unit = std::ldexp(1.0, 300);
    const auto slice_at = [](double size) {
        Optimizer optimizer(cube(2), {.batch_size = 4, .seed = 5, .initial_points = 8});
        for (int round = 0; round < 3; ++round)
            for (const Trial& trial : optimizer.ask()) optimizer.tell(trial.id, size * bowl(trial.values));
        optimizer.ask();
        return optimizer.group_slices(5).front();
    };
    const GroupSlice ordinary = slice_at(1.0), large = slice_at(unit);
    ASSERT_EQ(ordinary.mean.size(), large.mean.size());
    for (std::size_t i = 0; i < ordinary.mean.size(); ++i) {
        EXPECT_NEAR(large.mean[i] / unit, ordinary.mean[i], 1e-6);
        EXPECT_NEAR(large.stddev[i] / unit, ordinary.stddev[i], 1e-6);
    }
}

// All values equal, and all but one: a sample may hold that one or not, and it may be taken for wrong.
TEST(AbsurdValues, AllEqualButOne) {
    constexpr Index dimension = 5;
    const Encoding encoding(cube(dimension));
    const Options options = resolved({});
    const std::optional<Partition> unknown;
    for (const double odd : {0.0, -1.0, 1.0}) {
        const auto situation = [&](Index points) {
            optimizer::Data data{.X = Matrix(points, dimension), .y = Vector::Zero(points)};
            Rng rng = Rng::from_seed(1);
            for (Index i = 0; i < points; ++i) {
                data.X.row(i) = encoding.random(rng).transpose();
                data.order.push_back(i);
            }
            data.y(3) = odd;
            return optimizer::Situation{.encoding = encoding,
                                        .options = options,
                                        .known = unknown,
                                        .root = Rng::from_seed(1),
                                        .ask = points,
                                        .data = data};
        };
        optimizer::Groups groups;
        groups.learn(situation(400), 5);
        EXPECT_EQ(groups.structure.partition.dimension(), dimension);
        if (odd != 0.0) continue;
        EXPECT_EQ(groups.structure.partition.group_count(), dimension);
        optimizer::HedgedModel model{.partition = groups.structure.partition};
        groups.learn_again(model, situation(550), 5);
    }
}

// With nearly everything known, the posterior's covariance is rounding error of the prior's.
TEST(AbsurdValues, EntropySearchInOneDimensionWithLearnedHyperparameters) {
    Options options{.seed = 0};
    options.strategy = PaperStrategy{
        .relearn_every = 1, .hyperparameters = HyperparameterSource::learned, .acquisition = AcquisitionName::mes};
    run(options, 1, 18, [](const Point& point, int) { return bowl(point); });
}

}  // namespace
}  // namespace summand::absurd_values_test
