// SPDX-License-Identifier: Apache-2.0
#include "problems/rover.hpp"

#include "golden_csv.hpp"

namespace summand::problems {
namespace {

TEST(Rover, AgreesWithTheOriginalOnItsSamples) {
    const Problem rover = make("rover");
    for (const GoldenRow& row : read_golden("rover_samples.csv"))
        EXPECT_NEAR(rover.evaluate(row.head(60)), row.number("value_no_noise"), 1e-8);
}

/// 30 points equally spaced on the line from start to goal, as the problem takes them.
Vector straight_line() {
    Vector x(60);
    for (Index i = 0; i < 30; ++i)
        x.segment(2 * i, 2).setConstant((0.05 + 0.9 * static_cast<double>(i) / 29.0 + 0.1) / 1.2);
    return x;
}

TEST(Rover, TheDiagonalIsBlockedAndTheBoundIsItsLengthAlone) {
    const Problem rover = make("rover");
    const double value = rover.evaluate(straight_line());
    EXPECT_NEAR(value, -2.504, 5e-4);
    EXPECT_EQ(rover.best()->kind, Best::Kind::bound);
    const RoverTrip trip = drive_rover((1.2 * straight_line().array() - 0.1).matrix());
    const auto blocked = std::count(trip.hits.begin(), trip.hits.end(), true);
    // Each blocked stretch costs 20 times its length on top of the bound; ends of stretches are resolved to one step.
    const double step = 0.9 * std::sqrt(2.0) / 999.0;
    EXPECT_NEAR(*rover.best_known() - value, 20.0 * step * static_cast<double>(blocked), 20.0 * step * 20.0);
}

TEST(Rover, PointsThatCoincideAreAllowed) {
    const Problem rover = make("rover");
    EXPECT_TRUE(std::isfinite(rover.evaluate(Vector::Constant(60, 0.5))));
    Vector x = straight_line();
    x.segment(2, 2) = x.segment(0, 2);
    EXPECT_NEAR(rover.evaluate(x), rover.evaluate(straight_line()), 0.5);
}

TEST(Rover, InputNoiseIsSeededAndOfTheSizeTheOriginalHas) {
    const Problem quiet = make("rover"), noisy = make("rover", {.seed = 2, .noise_stddev = 1e-4});
    const Vector x = read_golden("rover_samples.csv").front().head(60);
    EXPECT_EQ(noisy.evaluate(x, 3), noisy.evaluate(x, 3));
    double squares = 0.0;
    for (std::uint64_t repeat = 0; repeat < 400; ++repeat)
        squares += std::pow(noisy.evaluate(x, repeat) - quiet.evaluate(x), 2);
    // The original's effect is a standard deviation of about 0.012 at a typical point; within a factor of 3 at this one.
    EXPECT_GT(std::sqrt(squares / 400.0), 0.004);
    EXPECT_LT(std::sqrt(squares / 400.0), 0.036);
}

}  // namespace
}  // namespace summand::problems
