// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace summand {

/// Which parameters belong together: disjoint groups A_1 .. A_M that cover 0 .. D-1.
///
/// Canonical: groups are ordered by their smallest member and members increase, so equal partitions compare equal.
class Partition {
  public:
    Partition() = default;
    static Partition singletons(Index dimension);  ///< every parameter on its own (the paper's FP)
    static Partition single(Index dimension);      ///< one group: an ordinary GP (the paper's NP)
    /// label[j] names the group of parameter j; any integers, only equality matters.
    static Partition from_labels(const std::vector<int>& label);
    /// Throws InvalidArgument unless every parameter 0 .. dimension-1 appears exactly once.
    static Partition from_groups(const std::vector<std::vector<Index>>& groups, Index dimension);

    Index dimension() const { return static_cast<Index>(label_.size()); }
    Index group_count() const { return static_cast<Index>(groups_.size()); }
    Index largest_group() const;
    const std::vector<std::vector<Index>>& groups() const { return groups_; }
    const std::vector<Index>& group(Index m) const { return groups_[static_cast<std::size_t>(m)]; }
    Index group_of(Index j) const { return label_[static_cast<std::size_t>(j)]; }
    bool together(Index i, Index j) const { return group_of(i) == group_of(j); }
    const std::vector<int>& labels() const { return label_; }

    /// The partition with parameter j moved into group m; m == group_count() opens a new group.
    Partition with(Index j, Index m) const;
    /// The partition with groups a and b as one.
    Partition merged(Index a, Index b) const;

    bool operator==(const Partition& other) const { return label_ == other.label_; }

  private:
    explicit Partition(std::vector<int> canonical_label);
    std::vector<int> label_;
    std::vector<std::vector<Index>> groups_;
};

/// "{0 3} {1} {2 4}", or with names.
std::string to_text(const Partition& partition, const std::vector<std::string>& names = {});

/// How well `found` agrees with `truth`, over all pairs of parameters [Wang2017, sec. 5.1 and appendix].
struct PairScores {
    double together = 1.0;    ///< share of truly joined pairs that are joined (recall); 1 if there are none
    double separated = 1.0;   ///< share of truly separate pairs that are separate; 1 if there are none
    double rand_index = 1.0;  ///< share of all pairs on which the two agree
    double precision = 1.0;   ///< share of joined pairs that are truly joined; 1 if none is joined
    double f1 = 1.0;          ///< harmonic mean of precision and recall
};
PairScores compare(const Partition& found, const Partition& truth);

}  // namespace summand

template <>
struct std::hash<summand::Partition> {
    std::size_t operator()(const summand::Partition& partition) const noexcept;
};
