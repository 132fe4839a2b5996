// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/chain.hpp"
#include "summand/structure/learner.hpp"

#include <vector>

namespace summand::structure {

/// Weight of the partitions that join i and j. D x D, 1 on the diagonal.
Matrix pair_probability(const std::vector<WeightedPartition>& partitions);

/// Heaviest first; ties stay in their order.
void sort_by_weight(std::vector<WeightedPartition>& partitions);

/// The distinct partitions, heaviest first (ties: the one sampled first); a weight is a share of the samples.
std::vector<WeightedPartition> distinct(const std::vector<ChainSamples>& chains);

/// Pairs joined with probability above one half, strongest first, closed to groups of at most `max_group_size`.
Partition consensus_of(const Matrix& pair_probability, Index max_group_size);

/// |pairs joined in both| / |pairs joined in either|; 1 if neither joins any.
double pair_overlap(const Partition& a, const Partition& b);

/// Smallest effective sample size over pair indicators that vary, all chains together: n / (1 + 2 Σ ρ_t), ρ_t the mean
/// autocorrelation within chains, summed while positive [Geyer1992]. The number of samples if no indicator varies.
double effective_samples(const std::vector<ChainSamples>& chains);

}  // namespace summand::structure
