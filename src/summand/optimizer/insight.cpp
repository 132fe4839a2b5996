// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/insight.hpp"

#include <algorithm>
#include <cstdio>

namespace summand {
namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.01 ? "%.1g %%" : "%.0f %%", 100 * share);
    return text;
}

std::string pairs_sentence(const StructureView& structure) {
    constexpr std::size_t most = 6;
    const std::vector<LikelyPair> pairs = likely_pairs(structure);
    if (pairs.empty()) return "No two parameters are together in most samples of the learner.";
    std::string text = "Pairs that are together in most samples of the learner:";
    for (std::size_t k = 0; k < std::min(most, pairs.size()); ++k)
        text += (k == 0 ? " " : ", ") + pairs[k].first + " and " + pairs[k].second + " (" +
                percent(pairs[k].probability) + ")";
    return text + (pairs.size() > most ? " and " + std::to_string(pairs.size() - most) + " more." : ".");
}

std::string leader_sentence(const StructureView& structure, const WeightedModel& leader) {
    std::string text = "The model that foretells best: " + leader.name + " (weight " + percent(leader.weight) + ")";
    const WeightedModel& grouped = structure.models.front();
    if (&leader != &grouped) text += "; " + grouped.name + ": " + percent(grouped.weight);
    return text + ".";
}

}  // namespace

std::string groups_text(const std::vector<std::vector<std::string>>& groups) {
    std::string text;
    int alone = 0;
    for (const auto& group : groups) {
        if (group.size() == 1) {
            ++alone;
            continue;
        }
        std::string names;
        for (const std::string& name : group) names += (names.empty() ? "" : ", ") + name;
        text += (text.empty() ? "{" : " {") + names + "}";
    }
    if (alone == 0) return text;
    return text.empty() ? "every parameter alone" : text + " and " + std::to_string(alone) + " alone";
}

std::vector<LikelyPair> likely_pairs(const StructureView& structure) {
    std::vector<LikelyPair> pairs;
    for (std::size_t i = 0; i < structure.pair_probability.size(); ++i)
        for (std::size_t j = i + 1; j < structure.pair_probability.size(); ++j)
            if (structure.pair_probability[i][j] > 0.5)
                pairs.push_back({structure.names[i], structure.names[j], structure.pair_probability[i][j]});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const LikelyPair& a, const LikelyPair& b) { return a.probability > b.probability; });
    return pairs;
}

const WeightedModel* leading_model(const StructureView& structure) {
    if (structure.models.size() < 2) return nullptr;
    return &*std::max_element(structure.models.begin(), structure.models.end(),
                              [](const WeightedModel& a, const WeightedModel& b) { return a.weight < b.weight; });
}

std::vector<std::string> in_sentences(const StructureView& structure) {
    if (structure.groups.empty()) return {structure.verdict};
    std::vector<std::string> sentences = {structure.found ? "Groups: " + groups_text(structure.groups) + "."
                                                          : "No groups were found."};
    if (!structure.verdict.empty()) sentences.push_back(structure.verdict);
    if (!structure.found) sentences.push_back(pairs_sentence(structure));
    if (const WeightedModel* leader = leading_model(structure))
        sentences.push_back(leader_sentence(structure, *leader));
    return sentences;
}

std::string in_short(const StructureView& structure) {
    if (structure.groups.empty()) return "not learned yet";
    if (structure.found) return groups_text(structure.groups);
    const WeightedModel* leader = leading_model(structure);
    return leader ? "none found; " + leader->name + " leads (" + percent(leader->weight) + ")" : "none found";
}

}  // namespace summand
