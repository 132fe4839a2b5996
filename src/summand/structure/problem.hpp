// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/chain.hpp"
#include "summand/structure/gram_evidence.hpp"
#include "summand/structure/learner.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace summand::structure {

/// The data of learn_structure(), in working units, checked and standardised, with what every learner needs.
class Problem {
  public:
    /// Throws InvalidArgument for data or options that cannot be used.
    Problem(const Matrix& X, const Vector& y, const LearnOptions& options, Index default_group_size);

    Index dimension() const { return X.cols(); }
    bool learned() const { return std::holds_alternative<LearnedHyperparameters>(options.hyperparameters); }
    Improvement limits() const;
    /// The same learning on some of the rows.
    Problem with_rows(const std::vector<Index>& rows) const;

    /// Evidence on all points, at the given hyperparameters or at the start of learning.
    std::unique_ptr<GramEvidence> gram_evidence(int threads) const;
    /// The same on some of the rows.
    std::unique_ptr<GramEvidence> gram_evidence(const std::vector<Index>& rows, const Setting& setting,
                                                int threads) const;

    /// y = mean + scale y': a density of the values as told is that of y' divided by scale for each point.
    double log_likelihood_of_told(double log_likelihood) const;

    void check_stop() const;  ///< throws Interrupted
    /// Throws InvalidArgument if the partition has more groups than the prior has labels.
    void check_labels(const Partition& partition, const std::string& what) const;
    /// Reports sweeps of one chain to the caller's callback; `before` sweeps have been done earlier in the chain.
    AfterSweep reporter(int chain, int before, int sweeps) const;

    enum class BestBy { likelihood, posterior };
    /// Best, samples, distinct partitions, pair probabilities, consensus, effective samples; likelihoods in units of y.
    StructurePosterior summarise(const std::vector<ChainSamples>& chains, BestBy best_by = BestBy::likelihood) const;
    /// Hyperparameters in units of y and the noise share.
    void describe(StructurePosterior& posterior, const Evidence& evidence) const;

    Matrix X;
    Vector told;  ///< y in the user's units
    Vector y;     ///< mean 0, variance 1 (the given mean instead, where hyperparameters are given)
    double mean = 0.0, scale = 1.0;
    LearnOptions options;
    AssignmentPrior prior;
    Index max_group_size = 0;

  private:
    Setting start() const;
    mutable std::mutex reporting_;
};

}  // namespace summand::structure
