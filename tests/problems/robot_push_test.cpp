// SPDX-License-Identifier: Apache-2.0
#include "problems/robot_push.hpp"

#include "golden_csv.hpp"
#include "summand/base/parallel.hpp"

namespace summand::problems {
namespace {

// The samples come from another program on the same Box2D, printed to 6 decimals and 9 digits of input; samples that
// amplify a change of 1e-4 to more than 0.01 were left out, so rounding of the inputs (1e-8) is worth 1e-6 at most.
TEST(RobotPush, AgreesWithAnIndependentProgramOnItsSamples) {
    const Problem robot = make("robot-push");
    for (const GoldenRow& row : read_golden("robot_samples.csv")) {
        const PushOutcome outcome = push_objects(row.head(14));
        EXPECT_NEAR(outcome.objects[0].x, row.number("o1x"), 1e-5);
        EXPECT_NEAR(outcome.objects[0].y, row.number("o1y"), 1e-5);
        EXPECT_NEAR(outcome.objects[1].x, row.number("o2x"), 1e-5);
        EXPECT_NEAR(outcome.objects[1].y, row.number("o2y"), 1e-5);
        EXPECT_NEAR(robot.evaluate(row.head(14)), row.number("reward"), 1e-5);
    }
}

TEST(RobotPush, HandsThatTouchNothingEarnNothing) {
    Vector p = Vector::Zero(14);
    p.segment(0, 2).setConstant(-5.0);
    p.segment(6, 2) << 5.0, -5.0;
    p[4] = p[10] = 2.0;
    EXPECT_EQ(make("robot-push").evaluate(p), 0.0);
    // Commands below 2 / (30 · 0.12) = 0.556 m/s do not overcome the friction of the hand.
    p[3] = 0.5;
    const auto still = push_objects(p, true);
    EXPECT_NEAR(still.frames.back()[2].y, -5.0, 1e-3);
    p[3] = 2.0;
    // 20 steps of 0.01 s, settling 0.556 m/s below the command with time constant 1/30 s.
    const auto moved = push_objects(p, true);
    EXPECT_GT(moved.frames[20][2].y, -5.0 + (2.0 - 0.556) * (0.2 - 1.0 / 30.0) - 0.05);
    EXPECT_EQ(moved.frames.size(), 121u);
}

TEST(RobotPush, ThreadsDoNotChangeAValue) {
    const Problem robot = make("robot-push");
    const auto rows = read_golden("robot_samples.csv");
    std::vector<double> serial(rows.size()), parallel(rows.size());
    const auto into = [&](std::vector<double>& values) {
        return [&](std::int64_t i) {
            const auto k = static_cast<std::size_t>(i);
            values[k] = robot.evaluate(rows[k].head(14));
        };
    };
    parallel_for(static_cast<std::int64_t>(rows.size()), 1, into(serial));
    parallel_for(static_cast<std::int64_t>(rows.size()), 4, into(parallel));
    EXPECT_EQ(serial, parallel);
}

TEST(RobotPush, CommandNoiseIsSeededAndOfTheSizeTheOriginalHas) {
    const Problem quiet = make("robot-push"), noisy = make("robot-push", {.seed = 1, .noise_stddev = 0.01});
    const auto rows = read_golden("robot_samples.csv");
    const auto row = rows[1];  // hits an object; 0.0155 over 20 draws in the samples
    EXPECT_EQ(noisy.evaluate(row.head(14), 7), noisy.evaluate(row.head(14), 7));
    double sum = 0.0, squares = 0.0;
    const int draws = 40;
    for (int repeat = 0; repeat < draws; ++repeat) {
        const double change =
            noisy.evaluate(row.head(14), static_cast<std::uint64_t>(repeat)) - quiet.evaluate(row.head(14));
        sum += change;
        squares += change * change;
    }
    const double stddev = std::sqrt((squares - sum * sum / draws) / (draws - 1));
    // Both are estimates: relative standard deviations 1/√38 and 1/√78 together 0.2; five of them is a factor of 2.
    EXPECT_GT(stddev, row.number("reward_noise_std") / 2.0);
    EXPECT_LT(stddev, row.number("reward_noise_std") * 2.0);
}

}  // namespace
}  // namespace summand::problems
