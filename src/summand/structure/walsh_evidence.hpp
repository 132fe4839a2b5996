// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/two_level.hpp"
#include "summand/structure/walsh_block.hpp"

namespace summand::structure {

/// Evidence on two-level points. Points of one block share their two levels; coefficients of different blocks are
/// independent (different levels, unknown lengthscale), so log likelihoods add up, with one noise variance and one weight.
class WalshEvidence final : public Evidence {
  public:
    /// y: mean 0, variance 1, for all rows of the data; the blocks name theirs. setting.variance is the weight.
    WalshEvidence(const TwoLevelData& data, const Vector& y, Setting setting);

    double log_likelihood(const Assignment& assignment) override;
    std::vector<double> log_likelihoods_with(const Assignment& without_j, Index j,
                                             const std::vector<Index>& labels) override;
    const Setting& setting() const override { return setting_; }
    void set(const Setting& setting) override { setting_ = setting; }
    /// One step of expectation-maximisation for noise variance and weight.
    void improve(const Assignment& assignment, const Improvement& limits) override;
    void polish(const Assignment& assignment, const Improvement& limits) override;

    std::optional<double> points_per_coefficient(const Assignment& assignment) override;

  private:
    std::vector<WalshBlock> blocks_;
    Setting setting_;
};

}  // namespace summand::structure
