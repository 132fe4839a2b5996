// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/anneal_chains.hpp"

#include "summand/base/parallel.hpp"

#include <algorithm>

namespace summand::structure {

const ChainEnd& AnnealedEnds::best() const {
    return *std::max_element(chains.begin(), chains.end(),
                             [](const ChainEnd& a, const ChainEnd& b) { return a.log_posterior < b.log_posterior; });
}

namespace {

bool found_twice(const AnnealedEnds& ends) {
    const ChainEnd& best = ends.best();
    return std::count_if(ends.chains.begin(), ends.chains.end(),
                         [&](const ChainEnd& end) { return end.settled && end.partition == best.partition; }) > 1;
}

ChainEnd anneal_one(const EvidenceSource& source, const AnnealedChains& annealed, int chain, int candidate_threads,
                    Rng rng, AnnealedEnds& total) {
    const Problem& problem = source.problem;
    const auto evidence = source.annealing_evidence(candidate_threads);
    RememberedEvidence remembered(*evidence);
    // Start hot: a third of the variance of y is noise.
    Setting setting = evidence->setting();
    setting.noise_variance = std::max(setting.noise_variance, 0.3);
    remembered.set(setting);
    Sampler sampler(problem.prior, remembered, problem.max_group_size, problem.options.stop);
    Rng draw = rng.stream("structure/start", {chain});
    const Partition start = draw_partition(problem.prior, problem.dimension(), problem.max_group_size, draw);
    ChainEnd end = anneal(sampler, remembered, problem.prior, start,
                          {.max_sweeps = annealed.max_sweeps, .limits = source.annealing_limits()},
                          rng.stream("structure/hot", {chain}),
                          problem.reporter(chain, 0, annealed.max_sweeps + annealed.samples));
    total.factorisations = remembered.factorisations();
    total.likelihoods = remembered.asked();
    return end;
}

}  // namespace

AnnealedEnds anneal_chains(const EvidenceSource& source, const AnnealedChains& annealed, Rng rng) {
    AnnealedEnds ends;
    const bool side_by_side = source.walsh();
    while (static_cast<int>(ends.chains.size()) < annealed.chains) {
        const int first = static_cast<int>(ends.chains.size()), count = std::min(2, annealed.chains - first);
        std::vector<ChainEnd> round(static_cast<std::size_t>(count));
        std::vector<AnnealedEnds> work(static_cast<std::size_t>(count));
        parallel_for(count, side_by_side ? source.threads : 1, [&](std::int64_t i) {
            round[static_cast<std::size_t>(i)] =
                anneal_one(source, annealed, first + static_cast<int>(i), side_by_side ? 1 : source.threads, rng,
                           work[static_cast<std::size_t>(i)]);
        });
        ends.chains.insert(ends.chains.end(), round.begin(), round.end());
        for (const AnnealedEnds& part : work) {
            ends.factorisations += part.factorisations;
            ends.likelihoods += part.likelihoods;
        }
        if (found_twice(ends)) break;
    }
    return ends;
}

AnnealedEnds warm_start_ends(const EvidenceSource& source, const AnnealedChains& annealed) {
    const Problem& problem = source.problem;
    const auto evidence = source.sampling_evidence();
    RememberedEvidence remembered(*evidence);
    const auto& given = problem.options.warm_start;
    const Assignment first(given.front(), problem.prior.labels());
    if (problem.learned()) remembered.polish(first, problem.limits());
    AnnealedEnds ends;
    for (int chain = 0; chain < annealed.chains; ++chain) {
        const Partition& partition = given[static_cast<std::size_t>(chain) % given.size()];
        const Assignment z(partition, problem.prior.labels());
        ends.chains.push_back({partition, remembered.setting(),
                               remembered.log_likelihood(z) + problem.prior.log_mass(z.counts()), 0, true});
    }
    ends.factorisations = remembered.factorisations();
    ends.likelihoods = remembered.asked();
    return ends;
}

}  // namespace summand::structure
