// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/structure/assignment.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace summand::structure {

/// The numbers of a model besides its groups, for y with mean 0 and variance 1.
struct Setting {
    Vector lengthscale = {};  ///< D; empty where the model has none (two-level points)
    double variance = 1.0;    ///< of every group, or of every coefficient on two-level points
    double noise_variance = 0.3;
};

/// What improve() may change.
struct Improvement {
    bool noise_only = false;    ///< variance and lengthscale are given
    double noise_floor = 1e-8;  ///< below it, exact data would break the arithmetic
    double noise_growth = 1.2;  ///< at most this factor up in one step, so a chain that has found something keeps it
};

/// log p(y | partition) at fixed hyperparameters: what a sampler of partitions asks for.
class Evidence {
  public:
    virtual ~Evidence() = default;
    virtual const Setting& setting() const = 0;
    virtual void set(const Setting& setting) = 0;
    /// Moves to hyperparameters that explain y better, given the groups: one step, not a maximum. The noise variance
    /// takes its expectation-maximisation step within the limits.
    virtual void improve(const Assignment& assignment, const Improvement& limits) = 0;
    /// Moves to the best hyperparameters for these groups, to a few per cent.
    virtual void polish(const Assignment& assignment, const Improvement& limits) = 0;
    /// Of the whole assignment. -infinity if the covariance cannot be factored.
    virtual double log_likelihood(const Assignment& assignment) = 0;
    /// With j, which is taken out, put under each of these labels (an unused one: a group of its own).
    virtual std::vector<double> log_likelihoods_with(const Assignment& without_j, Index j,
                                                     const std::vector<Index>& labels) = 0;
    /// Empty where the model has no finite number of coefficients.
    virtual std::optional<double> points_per_coefficient(const Assignment&) { return {}; }
    long factorisations() const { return factorisations_; }

  protected:
    static double limited(double noise, double before, const Improvement& limits);
    long factorisations_ = 0;
};

/// Evidence that remembers every partition it was asked for, so a chain that has settled costs next to nothing.
class RememberedEvidence {
  public:
    explicit RememberedEvidence(Evidence& evidence) : evidence_(evidence) {}

    void set(const Setting& setting);                                       ///< and forgets
    void improve(const Assignment& assignment, const Improvement& limits);  ///< and forgets
    void polish(const Assignment& assignment, const Improvement& limits);   ///< and forgets
    const Setting& setting() const { return evidence_.setting(); }

    double log_likelihood(const Assignment& assignment);
    std::vector<double> log_likelihoods_with(const Assignment& without_j, Index j, const std::vector<Index>& labels);
    long asked() const { return asked_; }
    long factorisations() const { return evidence_.factorisations(); }

  private:
    struct Hash {
        std::size_t operator()(const PartitionKey& key) const { return key[0]; }
    };
    Evidence& evidence_;
    std::unordered_map<PartitionKey, double, Hash> known_;
    long asked_ = 0;
};

}  // namespace summand::structure
