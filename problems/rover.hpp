// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

namespace summand::problems {

/// What a rover does with 30 given points: drive their least-squares cubic over a map with obstacles.
struct RoverTrip {
    Matrix guides = {};           ///< 30 x 2, the points given
    Matrix path = {};             ///< 1000 x 2, equally spaced in the parameter
    std::vector<bool> hits = {};  ///< for each point of the path: in an obstacle, or off the map
    double value = 0.0;           ///< 5 - path cost - penalties
};

/// raw: 60 coordinates x1, y1, x2, ..., in [-0.1, 1.1] or a little outside (input noise).
RoverTrip drive_rover(const Vector& raw);

/// The problem takes [0,1]^60 and maps it to raw = 1.2 x - 0.1. Options::noise is the standard deviation of what is
/// added to the raw coordinates (the original's: 1e-4). Maximised.
Problem make_rover(const std::string& name, const Options& options);

inline constexpr double rover_start = 0.05;       ///< both coordinates
inline constexpr double rover_goal = 0.95;        ///< both coordinates
inline constexpr double rover_half_side = 0.025;  ///< of an obstacle

}  // namespace summand::problems
