// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

namespace summand::problems {

/// The problems that can be drawn.
std::vector<std::string> drawable_names();

/// What happens at a point, as the text of an SVG picture: the paths of hands and objects, the stick figures of a gait, or
/// the map with the rover's path. Without noise. Throws InvalidArgument for a problem without a picture or a point that
/// is not in its space.
std::string draw(const Problem& problem, const Vector& values);

/// Of a square picture, in pixels.
inline constexpr double picture_side = 560.0, picture_margin = 24.0;

std::string draw_robot_push(const Vector& values);
std::string draw_walker(const Vector& values, bool paper);
std::string draw_rover(const Vector& values);

}  // namespace summand::problems
