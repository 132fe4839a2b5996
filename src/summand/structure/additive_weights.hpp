// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/learner.hpp"
#include "summand/structure/problem.hpp"

#include <vector>

namespace summand::structure {

/// Samplers say where the posterior over partitions is, the additive Gaussian process how much of it each sample holds:
///
///     weight of z  ∝  Σ_h p(y | z, h),    h the hyperparameters polished for each of the most frequent samples.
///
/// So learned hyperparameters are averaged over, coarsely; and the Walsh form, which calls the coefficients of blocks
/// independent and all of one size, only proposes. The additive model knows that blocks with levels near each other see the
/// same function, which decides about weak pairs.
class AdditiveWeights {
  public:
    /// `samples`: the most frequent one first. `start`: where polishing begins.
    AdditiveWeights(const Problem& problem, const Setting& start, std::vector<WeightedPartition> samples);

    /// One partition more, and hyperparameters polished for it: those of groups that lack a pair hide that it is missing.
    /// True if it is the likeliest now.
    bool add(WeightedPartition candidate);

    bool holds(const Partition& partition) const;
    const WeightedPartition& best() const { return samples_[best_]; }  ///< likeliest at any h
    const Setting& setting() const { return columns_[at_].setting; }   ///< the h at which it is
    std::vector<WeightedPartition> weighted() const;                   ///< heaviest first
    long factorisations() const { return factorisations_; }

  private:
    struct Column {
        Setting setting = {};
        std::vector<double> log_likelihood = {};  // of each sample
    };
    void polish_for(std::size_t z);
    void find_best();

    const Problem& problem_;
    Setting start_;
    std::vector<WeightedPartition> samples_;
    std::vector<Assignment> assignments_ = {};  // of the samples: made once for all h
    std::vector<Column> columns_ = {};
    std::size_t best_ = 0, at_ = 0;
    long factorisations_ = 0;
};

}  // namespace summand::structure
