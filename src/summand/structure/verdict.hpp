// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/learner.hpp"

#include <optional>
#include <string>

namespace summand::structure {

/// Of var y left over: below it the data count as explained. On data without noise it falls below 1e-3.
constexpr double explained_share = 0.02;
/// Overlap of the chains' pairs from which on they say the same in the main.
constexpr double alike = 0.5;

/// Posterior odds from which on an interaction across groups counts as left over.
constexpr double surely_missing = 20.0;

/// What is known about a found structure when it is judged.
struct VerdictInputs {
    int chains = 1;                 ///< independent annealed chains
    double noise_share = 1.0;       ///< variance left unexplained / var y
    double agreement = 1.0;         ///< mean pair overlap of the chains that explain y about as well as the best
    double probability = 1.0;       ///< that the best partition is right about every pair
    double smallest_noticed = 0.0;  ///< interaction across groups, as a share of the variance of y
    bool one_group = false;         ///< all parameters together: no sum
    std::optional<double> points_per_coefficient = {};  ///< two-level points only
    std::optional<int> leftover_pairs = {};             ///< of groups that surely interact; empty: not looked for
    std::optional<double> signal_nats =
        {};                 ///< log likelihood over that of pure noise, less what choosing groups can gain
    bool at_limit = false;  ///< some group is as large as allowed
    std::optional<double> given_noise_share = {};  ///< the noise is known to be this large
};

struct Judgement {
    Verdict verdict = Verdict::not_additive_or_too_few_points;
    std::string text = {};
};

/// The rule of docs/structure.md: cautious wherever a sign is missing or bad.
Judgement judge(const VerdictInputs& inputs);

}  // namespace summand::structure
