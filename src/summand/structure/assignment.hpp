// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/partition.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace summand::structure {

/// Names a partition whatever its labels: the sum over groups of a 128-bit hash of the group, so moving one parameter
/// changes it in O(1). Two of a million partitions share a key with probability 1e-27.
using PartitionKey = std::array<std::uint64_t, 2>;

/// The labels z_1 .. z_D while a sampler changes them one at a time.
class Assignment {
  public:
    /// Group m of the partition gets label m; there must be as many labels as groups.
    Assignment(const Partition& partition, Index labels);

    Index dimension() const { return static_cast<Index>(label_.size()); }
    Index labels() const { return static_cast<Index>(members_.size()); }
    Index label_of(Index j) const { return label_[static_cast<std::size_t>(j)]; }  ///< -1 while taken out
    const std::vector<Index>& members(Index label) const {
        return members_[static_cast<std::size_t>(label)];
    }                                                             ///< increasing
    const std::vector<Index>& counts() const { return counts_; }  ///< for each label
    Index unused() const { return unused_; }                      ///< labels without members

    void take(Index j);
    void put(Index j, Index label);  ///< j must be taken out

    PartitionKey key() const { return key_; }
    PartitionKey key_with(Index j, Index label) const;  ///< as if j, now taken out, were put there
    Partition partition() const;                        ///< nothing may be taken out

  private:
    void count_group(Index label, bool add);
    std::vector<Index> label_, counts_;
    std::vector<std::vector<Index>> members_;
    std::vector<PartitionKey> group_key_;  // Σ over members of a random word each
    PartitionKey key_{};
    Index unused_ = 0;
};

}  // namespace summand::structure
