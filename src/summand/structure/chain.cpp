// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/chain.hpp"

namespace summand::structure {

ChainEnd anneal(Sampler& sampler, RememberedEvidence& evidence, const AssignmentPrior& prior, const Partition& start,
                const AnnealOptions& options, Rng rng, const AfterSweep& after) {
    Assignment z(start, prior.labels());
    ChainEnd end;
    int unchanged = 0;
    while (end.sweeps < options.max_sweeps && !end.settled) {
        const PartitionKey before = z.key();
        sampler.sweep(z, rng);
        evidence.improve(z, options.limits);
        ++end.sweeps;
        unchanged = z.key() == before ? unchanged + 1 : 0;
        end.settled = unchanged >= options.settled_sweeps;
        after(end.sweeps, evidence.setting().noise_variance, evidence.log_likelihood(z));
    }
    evidence.polish(z, options.limits);
    end.partition = z.partition();
    end.setting = evidence.setting();
    end.log_posterior = evidence.log_likelihood(z) + prior.log_mass(z.counts());
    return end;
}

ChainSamples sample(RememberedEvidence& evidence, Index labels, const Partition& start, int burn_in, int count,
                    const Sweep& sweep, Rng rng, const AfterSweep& after) {
    Assignment z(start, labels);
    ChainSamples samples;
    for (int i = 1; i <= burn_in + count; ++i) {
        sweep(z, rng);
        const double log_likelihood = evidence.log_likelihood(z);
        if (i > burn_in) {
            samples.partitions.push_back(z.partition());
            samples.log_likelihood.push_back(log_likelihood);
        }
        after(i, evidence.setting().noise_variance, log_likelihood);
    }
    return samples;
}

}  // namespace summand::structure
