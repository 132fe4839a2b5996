// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/structure/evidence.hpp"
#include "summand/structure/prior.hpp"

#include <optional>
#include <stop_token>

namespace summand::structure {

struct MoveCount {
    long proposed = 0;
    long accepted = 0;  ///< those that changed the partition
    double share() const { return proposed == 0 ? 0.0 : static_cast<double>(accepted) / static_cast<double>(proposed); }
};

/// Moves of z that each leave the posterior p(z | D) ∝ p(D | z) p(z), restricted to groups of allowed size, unchanged.
class Sampler {
  public:
    /// `stop` is looked at before every move: asked to stop, a move throws Interrupted.
    Sampler(const AssignmentPrior& prior, RememberedEvidence& evidence, Index max_group_size, std::stop_token stop = {})
        : prior_(prior), evidence_(evidence), max_group_size_(max_group_size), stop_(std::move(stop)) {}

    /// Gibbs: z_j drawn from its full conditional [Wang2017, sec. 3].
    void site(Assignment& z, Index j, Rng& rng);
    /// The same with most of the work done on a cheap likelihood q (for instance on a part of the data): m' is drawn from
    /// q's full conditional and accepted with min(1, p(m') q(m) / p(m) q(m')). Only m' ≠ m asks for the exact likelihood.
    void screened_site(Assignment& z, Index j, RememberedEvidence& cheap, Rng& rng);
    /// Metropolis: two random parameters of different groups change places.
    void swap(Assignment& z, Rng& rng);  // NOLINT(bugprone-exception-escape): a move of the sampler, not std::swap
    /// Metropolis-Hastings: the union of the groups of two random parameters is split anew by fair coins. Covers splits,
    /// merges and moves of several parameters at once.
    void resplit(Assignment& z, Rng& rng);

    /// site() for j = 0 .. D-1, the paper's sweep.
    void sweep(Assignment& z, Rng& rng);
    /// A sweep, then D/2 swaps and D/2 re-splits.
    void mixed_sweep(Assignment& z, Rng& rng);

    const MoveCount& sites() const { return sites_; }
    const MoveCount& swaps() const { return swaps_; }
    const MoveCount& resplits() const { return resplits_; }

  private:
    struct Conditional {
        std::vector<Index> labels = {};  ///< where j may go; the last is an unused label, if there is one
        std::vector<double> log_prior = {};
    };
    Conditional conditional(const Assignment& without_j) const;
    void settle(Assignment& z, Index j, const Conditional& choices, std::size_t chosen, Rng& rng) const;
    void check_stop() const;
    bool accept(Assignment& z, const Assignment& proposed, double log_proposal_ratio, Rng& rng);

    const AssignmentPrior& prior_;
    RememberedEvidence& evidence_;
    Index max_group_size_;
    std::stop_token stop_;
    MoveCount sites_, swaps_, resplits_;
};

/// A draw from the prior, each parameter after the other, groups at the limit left out.
Partition draw_partition(const AssignmentPrior& prior, Index dimension, Index max_group_size, Rng& rng);

}  // namespace summand::structure
