// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/options.hpp"

#include <vector>

namespace summand {

/// Regret after each iteration t = 1 .. T [Wang2017, sec. 2], with the values of the function (not noisy observations):
///   immediate   r̃_t = max f - max_b f(x_{t,b})      (b: the points of batch t; one point if sequential)
///   simple      r_t = min_{s <= t} r̃_s
///   cumulative  R_t = (1/t) Σ_{s <= t} r̃_s           (averaged)
struct Regret {
    std::vector<double> immediate = {};
    std::vector<double> simple = {};
    std::vector<double> cumulative = {};
};

/// `values` in the order of evaluation, cut into batches of batch_size (the last may be shorter).
/// For Goal::minimize, optimum is the minimum and regrets are f - min f.
Regret regret(const std::vector<double>& values, double optimum, Goal goal, int batch_size = 1);
/// The same for batches of any sizes; empty batches are not allowed.
Regret batch_regret(const std::vector<std::vector<double>>& batches, double optimum, Goal goal);

}  // namespace summand
