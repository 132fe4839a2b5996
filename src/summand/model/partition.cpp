// SPDX-License-Identifier: Apache-2.0
#include "summand/model/partition.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace summand {
namespace {

// Labels renumbered in order of first appearance.
std::vector<int> canonical(const std::vector<int>& label) {
    std::map<int, int> renumbered;
    std::vector<int> result;
    result.reserve(label.size());
    for (const int old : label)
        result.push_back(renumbered.emplace(old, static_cast<int>(renumbered.size())).first->second);
    return result;
}

}  // namespace

Partition::Partition(std::vector<int> canonical_label) : label_(std::move(canonical_label)) {
    const int count = label_.empty() ? 0 : *std::max_element(label_.begin(), label_.end()) + 1;
    groups_.resize(static_cast<std::size_t>(count));
    for (std::size_t j = 0; j < label_.size(); ++j)
        groups_[static_cast<std::size_t>(label_[j])].push_back(static_cast<Index>(j));
}

Partition Partition::singletons(Index dimension) {
    std::vector<int> label(static_cast<std::size_t>(dimension));
    std::iota(label.begin(), label.end(), 0);
    return Partition(std::move(label));
}

Partition Partition::single(Index dimension) {
    return Partition(std::vector<int>(static_cast<std::size_t>(dimension), 0));
}

Partition Partition::from_labels(const std::vector<int>& label) {
    return Partition(canonical(label));
}

Partition Partition::from_groups(const std::vector<std::vector<Index>>& groups, Index dimension) {
    std::vector<int> label(static_cast<std::size_t>(dimension), -1);
    for (std::size_t m = 0; m < groups.size(); ++m)
        for (const Index j : groups[m]) {
            if (j < 0 || j >= dimension)
                throw InvalidArgument("Partition: group " + std::to_string(m) + " names parameter " +
                                      std::to_string(j) + "; parameters are numbered 0 to " +
                                      std::to_string(dimension - 1));
            if (label[static_cast<std::size_t>(j)] >= 0)
                throw InvalidArgument("Partition: parameter " + std::to_string(j) +
                                      " appears twice; groups must be disjoint, so list it in one group only");
            label[static_cast<std::size_t>(j)] = static_cast<int>(m);
        }
    const auto missing = std::find(label.begin(), label.end(), -1);
    if (missing != label.end())
        throw InvalidArgument("Partition: parameter " + std::to_string(missing - label.begin()) +
                              " is in no group; every parameter needs one (a group of its own will do)");
    return Partition(canonical(label));
}

Index Partition::largest_group() const {
    std::size_t largest = 0;
    for (const auto& group : groups_) largest = std::max(largest, group.size());
    return static_cast<Index>(largest);
}

Partition Partition::with(Index j, Index m) const {
    std::vector<int> label = label_;
    label[static_cast<std::size_t>(j)] = static_cast<int>(m);
    return Partition(canonical(label));
}

Partition Partition::merged(Index a, Index b) const {
    std::vector<int> label = label_;
    std::replace(label.begin(), label.end(), static_cast<int>(b), static_cast<int>(a));
    return Partition(canonical(label));
}

std::string to_text(const Partition& partition, const std::vector<std::string>& names) {
    std::string text;
    for (const auto& group : partition.groups()) {
        text += text.empty() ? "{" : " {";
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (i > 0) text += ' ';
            text += names.empty() ? std::to_string(group[i]) : names[static_cast<std::size_t>(group[i])];
        }
        text += '}';
    }
    return text;
}

PairScores compare(const Partition& found, const Partition& truth) {
    if (found.dimension() != truth.dimension())
        throw InvalidArgument("compare: the partitions have " + std::to_string(found.dimension()) + " and " +
                              std::to_string(truth.dimension()) + " parameters; they must have the same number");
    double joined_both = 0, joined_found = 0, joined_truth = 0, pairs = 0;
    for (Index i = 0; i < truth.dimension(); ++i)
        for (Index j = 0; j < i; ++j) {
            const bool f = found.together(i, j), t = truth.together(i, j);
            joined_both += f && t;
            joined_found += f;
            joined_truth += t;
            pairs += 1;
        }
    const double separate_both = pairs - joined_found - joined_truth + joined_both;
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 1.0; };
    PairScores scores;
    scores.together = share(joined_both, joined_truth);
    scores.separated = share(separate_both, pairs - joined_truth);
    scores.rand_index = share(joined_both + separate_both, pairs);
    scores.precision = share(joined_both, joined_found);
    scores.f1 = share(2 * joined_both, joined_found + joined_truth);
    return scores;
}

}  // namespace summand

std::size_t std::hash<summand::Partition>::operator()(const summand::Partition& partition) const noexcept {
    std::size_t digest = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const int label : partition.labels()) digest = (digest ^ static_cast<std::size_t>(label)) * 0x100000001b3ULL;
    return digest;
}
