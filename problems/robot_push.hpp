// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

#include <array>

namespace summand::problems {

/// Where a body is, and how it is turned.
struct Pose {
    double x = 0.0, y = 0.0, angle = 0.0;
};

/// Two hands push two objects over a table.
struct PushOutcome {
    std::array<Pose, 2> objects = {};              ///< at the end: the square, the disc
    double reward = 0.0;                           ///< how much nearer the objects came to their goals, in all
    std::vector<std::array<Pose, 4>> frames = {};  ///< square, disc, hand 1, hand 2 at every step, if asked for
};

inline constexpr std::array<std::array<double, 2>, 2> push_starts = {{{0.0, 2.0}, {0.0, -2.0}}};
inline constexpr std::array<std::array<double, 2>, 2> push_goals = {{{4.0, 3.5}, {-4.0, 3.5}}};

/// p: the 14 inputs of docs/problems/robot-push.md. The same on every call and thread; single precision inside.
PushOutcome push_objects(const Vector& p, bool keep_frames = false);

/// Options::noise is the standard deviation of what is added to each commanded velocity, once an evaluation (the
/// original's: 0.01). Maximised.
Problem make_robot_push(const std::string& name, const Options& options);

}  // namespace summand::problems
