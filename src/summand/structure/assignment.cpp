// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/assignment.hpp"

#include <algorithm>
#include <cassert>

namespace summand::structure {
namespace {

// splitmix64's output function [Steele2014]: a bijection that mixes well.
std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

PartitionKey word_of(Index j) {
    const auto n = static_cast<std::uint64_t>(j);
    return {mix(2 * n), mix(mix(2 * n + 1))};
}

PartitionKey plus(PartitionKey a, PartitionKey b) {
    return {a[0] + b[0], a[1] + b[1]};
}
PartitionKey minus(PartitionKey a, PartitionKey b) {
    return {a[0] - b[0], a[1] - b[1]};
}
// A group enters the partition's sum through one more mixing, so that {0}{1} and {0 1} differ.
PartitionKey mixed(PartitionKey group) {
    return {mix(group[0] ^ mix(group[1])), mix(group[1] + 0x632be59bd9b4e019ULL)};
}

}  // namespace

Assignment::Assignment(const Partition& partition, Index labels)
    : label_(static_cast<std::size_t>(partition.dimension()), -1),
      counts_(static_cast<std::size_t>(labels), 0),
      members_(static_cast<std::size_t>(labels)),
      group_key_(static_cast<std::size_t>(labels)),
      unused_(labels) {
    assert(partition.group_count() <= labels);
    for (Index j = 0; j < partition.dimension(); ++j) put(j, partition.group_of(j));
}

void Assignment::count_group(Index label, bool add) {
    const auto m = static_cast<std::size_t>(label);
    if (counts_[m] == 0) return;
    key_ = add ? plus(key_, mixed(group_key_[m])) : minus(key_, mixed(group_key_[m]));
}

void Assignment::take(Index j) {
    const Index label = label_of(j);
    const auto m = static_cast<std::size_t>(label);
    count_group(label, false);
    auto& members = members_[m];
    members.erase(std::lower_bound(members.begin(), members.end(), j));
    group_key_[m] = minus(group_key_[m], word_of(j));
    if (--counts_[m] == 0) ++unused_;
    count_group(label, true);
    label_[static_cast<std::size_t>(j)] = -1;
}

void Assignment::put(Index j, Index label) {
    const auto m = static_cast<std::size_t>(label);
    count_group(label, false);
    auto& members = members_[m];
    members.insert(std::lower_bound(members.begin(), members.end(), j), j);
    group_key_[m] = plus(group_key_[m], word_of(j));
    if (counts_[m]++ == 0) --unused_;
    count_group(label, true);
    label_[static_cast<std::size_t>(j)] = label;
}

PartitionKey Assignment::key_with(Index j, Index label) const {
    const auto m = static_cast<std::size_t>(label);
    const PartitionKey rest = counts_[m] == 0 ? key_ : minus(key_, mixed(group_key_[m]));
    return plus(rest, mixed(plus(group_key_[m], word_of(j))));
}

Partition Assignment::partition() const {
    std::vector<int> label;
    for (const Index m : label_) label.push_back(static_cast<int>(m));
    return Partition::from_labels(label);
}

}  // namespace summand::structure
