// SPDX-License-Identifier: Apache-2.0
#include "problems/draw.hpp"

#include "summand/base/error.hpp"

#include <algorithm>

namespace summand::problems {

std::vector<std::string> drawable_names() {
#ifdef SUMMAND_WITH_BOX2D
    return {"robot-push", "walker", "walker-paper", "rover"};
#else
    return {"walker", "walker-paper", "rover"};
#endif
}

std::string draw(const Problem& problem, const Vector& values) {
    const auto mistake = problem.space().problem_with_point(Point(values.begin(), values.end()));
    if (!mistake.empty()) throw InvalidArgument(mistake);
#ifdef SUMMAND_WITH_BOX2D
    if (problem.name == "robot-push") return draw_robot_push(values);
#endif
    if (problem.name == "walker" || problem.name == "walker-paper")
        return draw_walker(values, problem.name == "walker-paper");
    if (problem.name == "rover") return draw_rover(values);
    std::string known;
    for (const std::string& name : drawable_names()) known += (known.empty() ? "" : ", ") + name;
    throw InvalidArgument("problem \"" + problem.name + "\" has no picture; these have one: " + known);
}

}  // namespace summand::problems
