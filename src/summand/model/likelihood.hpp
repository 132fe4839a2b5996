// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/kernel.hpp"

#include <optional>
#include <vector>

namespace summand {

/// The data of one likelihood, fixed while hyperparameters change.
struct LikelihoodData {
    KernelFamily family = KernelFamily::matern52;
    const Partition& partition;
    const Matrix& X;
    const Vector& y;
    const std::vector<bool>& unordered;
};

struct LikelihoodTerms {
    double log_likelihood = 0.0;
    double mean = 0.0;        ///< the given one, or the profiled one
    Vector lengthscale = {};  ///< D: derivatives in log lengthscale
    Vector variance = {};     ///< M: in log variance
    double noise = 0.0;       ///< in log noise variance
    double mean_slope = 0.0;  ///< in the mean; 0 if profiled
};

/// Eq. (1) of the paper and its gradient (docs/math.md, eq. M3 and M4). profile_mean: use the mean that maximises the
/// likelihood instead of the given one; the gradient is that of the profiled likelihood.
/// Empty if the covariance is not positive definite in double precision (no jitter here: a search steps back instead).
/// O(N³) + O(D N²) time, one N x N matrix.
std::optional<LikelihoodTerms> likelihood_terms(const LikelihoodData& data, const Hyperparameters& hyperparameters,
                                                bool profile_mean);

}  // namespace summand
