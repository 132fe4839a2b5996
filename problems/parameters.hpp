// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

namespace summand::problems {

/// One number of a problem, before it is known whether it is restricted to levels.
struct Range {
    std::string name = {};
    double low = 0.0;
    double high = 1.0;
};

/// Real parameters, or Options::levels equally spaced values of each.
SearchSpace make_space(const std::vector<Range>& ranges, const Options& options);

/// "x" and 3: "x3".
std::string indexed(std::string stem, Index number);

/// x1 .. xD, all in [low, high].
std::vector<Range> numbered(Index dimension, double low, double high);

/// The function plus a normal draw of standard deviation Options::noise.
Problem::Function with_value_noise(std::function<double(const Vector&)> function, const Options& options);

}  // namespace summand::problems
