// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/hot_chains.hpp"

#include "summand/base/parallel.hpp"
#include "summand/structure/walsh_evidence.hpp"

#include <algorithm>

namespace summand::structure {

std::unique_ptr<Evidence> Bench::hot_evidence(int candidate_threads) const {
    if (!walsh()) return problem.gram_evidence(candidate_threads);
    // A coefficient of every parameter and some interactions share the variance 1 of y.
    return std::make_unique<WalshEvidence>(two_level, problem.y,
                                           Setting{{}, 1.0 / static_cast<double>(problem.dimension()), 0.3});
}

std::unique_ptr<Evidence> Bench::cold_evidence() const {
    return walsh_samples() ? hot_evidence(threads) : problem.gram_evidence(threads);
}

const HotEnd& Hot::best() const {
    return *std::max_element(ends.begin(), ends.end(),
                             [](const HotEnd& a, const HotEnd& b) { return a.log_posterior < b.log_posterior; });
}

namespace {

bool found_twice(const Hot& hot) {
    const HotEnd& best = hot.best();
    return std::count_if(hot.ends.begin(), hot.ends.end(),
                         [&](const HotEnd& end) { return end.settled && end.partition == best.partition; }) > 1;
}

HotEnd run_hot(const Bench& bench, const AnnealedChains& annealed, int chain, int candidate_threads, Rng rng,
               Hot& total) {
    const Problem& problem = bench.problem;
    const auto evidence = bench.hot_evidence(candidate_threads);
    RememberedEvidence remembered(*evidence);
    // Start hot: a third of the variance of y is noise.
    Setting hot = evidence->setting();
    hot.noise_variance = std::max(hot.noise_variance, 0.3);
    remembered.set(hot);
    Sampler sampler(problem.prior, remembered, problem.max_group_size, problem.options.stop);
    Rng draw = rng.stream("structure/start", {chain});
    const Partition start = draw_partition(problem.prior, problem.dimension(), problem.max_group_size, draw);
    HotEnd end = heat(
        sampler, remembered, problem.prior, start, {.max_sweeps = annealed.max_sweeps, .limits = bench.hot_limits()},
        rng.stream("structure/hot", {chain}), problem.reporter(chain, 0, annealed.max_sweeps + annealed.samples));
    total.factorisations = remembered.factorisations();
    total.likelihoods = remembered.asked();
    return end;
}

}  // namespace

Hot run_hot_chains(const Bench& bench, const AnnealedChains& annealed, Rng rng) {
    Hot hot;
    const bool side_by_side = bench.walsh();
    while (static_cast<int>(hot.ends.size()) < annealed.chains) {
        const int first = static_cast<int>(hot.ends.size()), count = std::min(2, annealed.chains - first);
        std::vector<HotEnd> round(static_cast<std::size_t>(count));
        std::vector<Hot> work(static_cast<std::size_t>(count));
        parallel_for(count, side_by_side ? bench.threads : 1, [&](std::int64_t i) {
            round[static_cast<std::size_t>(i)] =
                run_hot(bench, annealed, first + static_cast<int>(i), side_by_side ? 1 : bench.threads, rng,
                        work[static_cast<std::size_t>(i)]);
        });
        hot.ends.insert(hot.ends.end(), round.begin(), round.end());
        for (const Hot& part : work) {
            hot.factorisations += part.factorisations;
            hot.likelihoods += part.likelihoods;
        }
        if (found_twice(hot)) break;
    }
    return hot;
}

Hot warm_ends(const Bench& bench, const AnnealedChains& annealed) {
    const Problem& problem = bench.problem;
    const auto evidence = bench.cold_evidence();
    RememberedEvidence remembered(*evidence);
    const auto& given = problem.options.warm_start;
    const Assignment first(given.front(), problem.prior.labels());
    if (problem.learned()) remembered.polish(first, problem.limits());
    Hot hot;
    for (int chain = 0; chain < annealed.chains; ++chain) {
        const Partition& partition = given[static_cast<std::size_t>(chain) % given.size()];
        const Assignment z(partition, problem.prior.labels());
        hot.ends.push_back({partition, remembered.setting(),
                            remembered.log_likelihood(z) + problem.prior.log_mass(z.counts()), 0, true});
    }
    hot.factorisations = remembered.factorisations();
    hot.likelihoods = remembered.asked();
    return hot;
}

}  // namespace summand::structure
