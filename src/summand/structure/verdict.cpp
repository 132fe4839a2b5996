// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/verdict.hpp"

#include <algorithm>
#include <cstdio>

namespace summand::structure {
namespace {

// Thresholds read off the functions of docs/structure.md, "The verdict".
constexpr double explained_share_general = 0.06;
constexpr double most_noise_share = 0.15, most_noise_share_general = 0.3;  // more than that is never called found
constexpr double agreeing = 0.9;                                           // overlap of the chains' pairs
constexpr double probable = 0.95;                                          // that every pair is right
constexpr double surely_signal = 3.0;                                      // nats: chance e^-3 without any signal
constexpr double enough_points = 1.4;                                      // for each coefficient

std::string percent(double share) {
    char text[32];
    // 99.6 is not 100.
    if (share > 0.99 && share < 1.0) return "over 99 %";
    std::snprintf(text, sizeof text, share < 0.01 ? "%.1g %%" : "%.0f %%", 100 * share);
    return text;
}

}  // namespace

std::string name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::structure_found:
            return "structure-found";
        case Verdict::arbitrary_pairs:
            return "arbitrary-pairs";
        case Verdict::overlapping_groups_suspected:
            return "overlapping-groups-suspected";
        case Verdict::not_additive_or_too_few_points:
            break;
    }
    return "not-additive-or-too-few-points";
}

Judgement judge(const VerdictInputs& inputs) {
    const std::string left = "the groups leave " + percent(inputs.noise_share) + " of the variance of y unexplained";
    const bool enough = inputs.points_per_coefficient.value_or(enough_points) >= enough_points &&
                        inputs.signal_nats.value_or(surely_signal) >= surely_signal;
    const bool tested = inputs.leftover_pairs.has_value(), leftover = inputs.leftover_pairs.value_or(0) > 0;
    // On general points what a group does between the points looks like noise.
    const bool two_level = inputs.points_per_coefficient.has_value();
    const double share = two_level ? explained_share : explained_share_general;
    const double allowed = std::max(share, 3 * inputs.given_noise_share.value_or(0.0));
    const bool explained = inputs.noise_share <= allowed && enough;
    // Unexplained variance that hides no interaction is noise.
    const bool only_noise = tested && !leftover && enough && inputs.agreement >= alike &&
                            inputs.noise_share <= (two_level ? most_noise_share : most_noise_share_general);
    const bool agree = inputs.chains > 1 && inputs.agreement >= agreeing;

    if (inputs.one_group && explained)
        return {Verdict::not_additive_or_too_few_points,
                "No sum was found: all parameters in one group explain the values best."};
    if ((explained || only_noise) && tested && !leftover && agree && inputs.probability >= probable && !inputs.at_limit)
        return {Verdict::structure_found,
                "Independent chains found the same groups, and " + left +
                    ": use them. The probability that every pair is right is " + percent(inputs.probability) +
                    "; an interaction across groups of less than " + percent(inputs.smallest_noticed) +
                    " of the variance may have been missed."};
    if (leftover && inputs.agreement >= alike && inputs.chains > 1 && enough)
        return {Verdict::overlapping_groups_suspected,
                "The pairs found are real, but " + std::to_string(*inputs.leftover_pairs) +
                    (*inputs.leftover_pairs == 1 ? " pair of groups interacts" : " pairs of groups interact") +
                    " as well: disjoint groups of the allowed size are too small a model."};
    if (explained || only_noise)
        return {Verdict::arbitrary_pairs, (inputs.chains > 1 ? "The data are explained, but not every pair is certain ("
                                                             : "One chain alone cannot tell (") +
                                              left + "): trust pairs of high probability only."};
    return {Verdict::not_additive_or_too_few_points, "Chains end in different groups or " + left +
                                                         ": the function is not additive in groups of the allowed "
                                                         "size, or there are too few points. Add points or do "
                                                         "not rely on the groups."};
}

}  // namespace summand::structure
