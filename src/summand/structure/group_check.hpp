// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/kernel.hpp"
#include "summand/model/partition.hpp"

#include <optional>
#include <vector>

namespace summand::structure {

/// What the values say against groups that were found.
struct GroupCheck {
    /// Posterior odds that two groups belong together: prior odds times Bayes factor. G x G, 0 on the diagonal.
    /// The prior odds: as many groups of a size are still apart as the partition has, spread over the pairs that make one.
    Matrix merge_odds = {};
    /// Probability that no two groups belong together, also if only a weak interaction joins them. The prior odds: as many
    /// merges are missing as made the partition, whatever the sizes, for this must hold also where sizes tell nothing.
    double none_missing = 1.0;
    /// The weakest interaction that would have been called as probable as not, as a share of the variance of y: the
    /// largest over all pairs of groups. 0 if there is only one.
    double smallest_noticed = 0.0;
    Vector left_out_residual = {};  ///< each value less what all others foretell
    Vector left_out_stddev = {};    ///< of that forecast

    double merge_probability(Index a, Index b) const { return merge_odds(a, b) / (1.0 + merge_odds(a, b)); }
    /// Whether a value is further from its forecast than so many standard deviations, and than so much at least.
    bool fits_badly(Index row, double stddevs, double at_least) const;
};

/// Tests every two groups A and B of the additive model K, each test on its own.
///
/// What they do together has the covariance w Σ (H E_i H) ∘ (H E_j H) over i in A and j in B, E the kernel of one parameter
/// and H the centring matrix, so nothing that one parameter does alone counts. It is written as w F Fᵀ with products of the
/// leading modes of the two; then
///
///     log Bayes factor = qᵀ(I/w + M)⁻¹q / 2 - log|I + w M| / 2,    q = Fᵀ K⁻¹ (y - mean),    M = Fᵀ K⁻¹ F,
///
/// which costs O(N²) for each column of F once K is factored. w = sqrt(s_A s_B), s_A the variance that the values give group
/// A by itself whatever K says, and a third of it, averaged; for `none_missing` a tenth and a thirtieth too. Left-out
/// residuals are α_i / (K⁻¹)_ii, α = K⁻¹ (y - mean), with variances 1 / (K⁻¹)_ii. Throws NumericalError if K cannot be factored even with jitter.
GroupCheck check_groups(KernelFamily family, const Partition& partition, const Hyperparameters& hyperparameters,
                        const std::vector<bool>& unordered, const Matrix& X, const Vector& y);

/// The partition with those two groups as one that most probably belong together, of those that are then no larger than
/// `max_group_size`. Nothing unless their odds are more than `more_than`.
std::optional<Partition> most_probable_merge(const GroupCheck& check, const Partition& partition, double more_than,
                                             Index max_group_size);

}  // namespace summand::structure
