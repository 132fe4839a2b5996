// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/sampler.hpp"

#include <functional>
#include <vector>

namespace summand::structure {

/// Called after each sweep with (sweeps done, noise variance, log likelihood); may throw Interrupted.
using AfterSweep = std::function<void(int, double, double)>;

struct AnnealOptions {
    int max_sweeps = 200;
    int settled_sweeps = 8;  ///< over once the partition has stayed the same for so many sweeps
    Improvement limits = {};
};

/// Where annealing one chain ended.
struct ChainEnd {
    Partition partition = {};
    Setting setting = {};
    double log_posterior = 0.0;  ///< log p(y | partition) + log p(partition) at its own setting
    int sweeps = 0;
    bool settled = false;  ///< it came to rest, rather than ran out of sweeps
};

/// Single-site Gibbs with the noise variance learned after every sweep. The noise a partition leaves unexplained is the
/// temperature: high until the right groups nucleate, then it collapses by orders of magnitude and nothing moves any more.
ChainEnd anneal(Sampler& sampler, RememberedEvidence& evidence, const AssignmentPrior& prior, const Partition& start,
                const AnnealOptions& options, Rng rng, const AfterSweep& after);

/// Partitions after each of `count` sweeps at fixed hyperparameters, with their log likelihoods.
struct ChainSamples {
    std::vector<Partition> partitions = {};
    std::vector<double> log_likelihood = {};
};
using Sweep = std::function<void(Assignment&, Rng&)>;
ChainSamples sample(RememberedEvidence& evidence, Index labels, const Partition& start, int burn_in, int count,
                    const Sweep& sweep, Rng rng, const AfterSweep& after);

}  // namespace summand::structure
