// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/gram_cache.hpp"
#include "summand/structure/evidence.hpp"

#include <functional>

namespace summand::structure {

/// Evidence at general points: one Cholesky factorisation for each likelihood, of a covariance assembled from cached
/// group matrices of which only those that change are rebuilt. Candidates in parallel, bit-equal at any thread count.
/// Noise below 64 ε N D of a group's variance counts as that much, so that no covariance is refused (docs/math.md).
class GramEvidence final : public Evidence {
  public:
    /// y: mean 0, variance 1.
    GramEvidence(KernelFamily family, const Matrix& X, const Vector& y, const std::vector<bool>& unordered,
                 Index labels, Setting setting, int threads);

    double log_likelihood(const Assignment& assignment) override;
    std::vector<double> log_likelihoods_with(const Assignment& without_j, Index j,
                                             const std::vector<Index>& labels) override;

    const Setting& setting() const override { return setting_; }
    void set(const Setting& setting) override;
    /// Noise by v <- (v² |K⁻¹y|² + v (N - v tr K⁻¹)) / N, which never lowers the likelihood; then variance and
    /// lengthscale each take a step up or down if that raises the likelihood.
    void improve(const Assignment& assignment, const Improvement& limits) override;
    /// A pattern search in the logarithms of noise, variance and lengthscale, steps from a factor 4 down to 1.05.
    void polish(const Assignment& assignment, const Improvement& limits) override;

  private:
    void sync(const Assignment& assignment);
    double em_noise(const Assignment& assignment);
    bool try_setting(const Assignment& assignment, const Setting& candidate, double& best);
    bool try_step(const Assignment& assignment, double factor, const std::function<void(Setting&, double)>& scale,
                  double& best);
    double factor(Matrix& covariance) const;
    double noise_variance() const;  ///< the setting's, or the least that arithmetic needs
    double diagonal() const { return noise_variance() / setting_.variance; }

    KernelFamily family_;
    Matrix X_;
    Vector y_;
    std::vector<bool> unordered_;
    Index labels_;
    Setting setting_;
    int threads_;
    GramCache cache_;
    std::vector<Matrix> work_;  // one covariance for each thread
    Index syncs_ = 0;
};

}  // namespace summand::structure
