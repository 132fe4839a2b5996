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

/// What is known about a found structure when it is judged.
struct Signs {
    int chains = 1;            ///< independent hot chains
    double noise_share = 1.0;  ///< variance left unexplained / var y
    double agreement = 1.0;    ///< mean pair overlap of the chains that explain y about as well as the best
    double certainty = 1.0;    ///< least share of the samples that agree with the best partition about a pair
    std::optional<double> points_per_coefficient = {};  ///< two-level points only
    std::optional<int> leftover_pairs = {};  ///< interactions significant outside the groups; empty: not looked for
    double leftover_odds = 0.0;  ///< likelihood with some one interaction across groups added over that without
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
Judgement judge(const Signs& signs);

}  // namespace summand::structure
