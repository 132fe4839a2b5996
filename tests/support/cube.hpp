// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/search_space.hpp"

#include <string>
#include <vector>

namespace summand::test {

/// `dimension` reals x0, x1, ... in [0, 1].
inline SearchSpace cube(int dimension) {
    std::vector<Parameter> parameters;
    for (int j = 0; j < dimension; ++j) parameters.push_back(Real{.name = "x" + std::to_string(j)});
    return SearchSpace(parameters);
}

}  // namespace summand::test
