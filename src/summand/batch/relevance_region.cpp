// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/relevance_region.hpp"

#include <cassert>
#include <cmath>

namespace summand::batch {

double best_lower_bound(const Vector& mean, const Vector& stddev, double beta) {
    assert(mean.size() == stddev.size() && mean.size() > 0);
    return (mean - std::sqrt(beta) * stddev).maxCoeff();
}

std::vector<Index> relevance_region(const Vector& mean, const Vector& stddev, double beta, double beta_next) {
    const double bar = best_lower_bound(mean, stddev, beta);
    std::vector<Index> region;
    for (Index i = 0; i < mean.size(); ++i)
        if (mean(i) + 2.0 * std::sqrt(beta_next) * stddev(i) >= bar) region.push_back(i);
    return region;
}

}  // namespace summand::batch
