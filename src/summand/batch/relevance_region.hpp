// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <vector>

namespace summand::batch {

/// The candidates that may still hold a group's maximum [Wang2017, sec. 4]:
///
///     { i :  mean_i + 2 √β_{t+1} stddev_i  >=  max_j ( mean_j - √β_t stddev_j ) }.
///
/// Never empty: the candidate with the best lower bound is in it. Sorted.
std::vector<Index> relevance_region(const Vector& mean, const Vector& stddev, double beta, double beta_next);

/// max_j (mean_j - √β stddev_j).
double best_lower_bound(const Vector& mean, const Vector& stddev, double beta);

}  // namespace summand::batch
