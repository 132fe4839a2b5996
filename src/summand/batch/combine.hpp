// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/model/partition.hpp"

#include <vector>

namespace summand::batch {

/// The parts of one group: k rows over the group's columns, each with its quality ψ (used by combine_by_quality only).
struct Parts {
    Matrix rows = {};
    Vector quality = {};
};

/// Joins k parts of every group into k points of D columns; each part is used exactly once [Wang2017, sec. 4].
/// At random: a uniform permutation of every group's parts.
Matrix combine_at_random(const Partition& partition, const std::vector<Parts>& parts, Rng& rng);
/// By quality: the best parts of all groups together, then the next best, ... (descending; ties: lowest index).
Matrix combine_by_quality(const Partition& partition, const std::vector<Parts>& parts);

}  // namespace summand::batch
