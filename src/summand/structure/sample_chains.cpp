// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/sample_chains.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace summand::structure {
namespace {

// A warm chain on more general points than twice this screens its moves on so many of them.
constexpr Index screening_points = 256;
constexpr int burn_in_sweeps = 5, burn_in_rounds = 6;
// A partition more probable than the best so far by less than this is another visit to the same neighbourhood.
constexpr double progress_nats = 1.0;

struct Chains {
    const EvidenceSource& source;
    RememberedEvidence& evidence;
    Sweep sweep;

    const Problem& problem() const { return source.problem; }
    double log_posterior(const Partition& partition) const {
        const Assignment z(partition, problem().prior.labels());
        return evidence.log_likelihood(z) + problem().prior.log_mass(z.counts());
    }
    const Partition& most_probable(const std::vector<Partition>& partitions) const {
        return *std::max_element(partitions.begin(), partitions.end(), [&](const Partition& a, const Partition& b) {
            return log_posterior(a) < log_posterior(b);
        });
    }
};

std::vector<Partition> resampled(const Chains& chains, const std::vector<Partition>& members, std::size_t count,
                                 Rng rng) {
    std::vector<double> log_weight;
    for (const Partition& member : members) log_weight.push_back(chains.log_posterior(member));
    std::vector<Partition> starts;
    for (std::size_t chain = 0; chain < count; ++chain)
        starts.push_back(members[static_cast<std::size_t>(rng.categorical_log(log_weight))]);
    return starts;
}

// Where the chains start their samples.
std::vector<Partition> burn_in(const Chains& chains, const std::vector<Partition>& ends, Rng rng, int& sweeps) {
    const Problem& problem = chains.problem();
    std::vector<Partition> members = ends;
    Partition best = chains.most_probable(members);
    for (int round = 0; round < burn_in_rounds; ++round) {
        std::vector<Partition> seen = {best}, last = {best};
        for (const Partition& start : resampled(chains, members, ends.size(), rng.stream("resample", {round}))) {
            const auto chain = static_cast<std::int64_t>(last.size());
            const ChainSamples found =
                sample(chains.evidence, problem.prior.labels(), start, 0, burn_in_sweeps, chains.sweep,
                       rng.stream("sweep", {round, chain}), [&](int, double, double) { problem.check_stop(); });
            seen.insert(seen.end(), found.partitions.begin(), found.partitions.end());
            last.push_back(found.partitions.back());
            sweeps += burn_in_sweeps;
        }
        const Partition next = chains.most_probable(seen);
        const bool progress = chains.log_posterior(next) > chains.log_posterior(best) + progress_nats;
        best = next;
        members = last;
        if (!progress) break;
        members.push_back(best);
        if (problem.learned())
            chains.evidence.polish(Assignment(best, problem.prior.labels()), chains.source.annealing_limits());
    }
    return resampled(chains, members, ends.size(), rng.stream("starts"));
}

// Part of the points, in the order of the data.
std::vector<Index> screening_rows(Index points, Rng rng) {
    const auto order = rng.permutation(points);
    std::vector<Index> rows(order.begin(), order.begin() + screening_points);
    std::sort(rows.begin(), rows.end());
    return rows;
}

}  // namespace

SampledChains sample_chains(const EvidenceSource& source, const AnnealedChains& annealed, const AnnealedEnds& ends,
                            RememberedEvidence& evidence, Sampler& sampler, Rng rng) {
    const Problem& problem = source.problem;
    const bool warm = !problem.options.warm_start.empty();
    const bool screened = warm && !source.walsh_samples() && problem.X.rows() > 2 * screening_points;
    std::unique_ptr<GramEvidence> part;
    std::optional<RememberedEvidence> cheap;
    if (screened) {
        part = problem.gram_evidence(screening_rows(problem.X.rows(), rng.stream("structure/screen")),
                                     evidence.setting(), source.threads);
        cheap.emplace(*part);
    }
    const Chains chains{source, evidence, [&](Assignment& z, Rng& draws) {
                            if (!screened) return sampler.mixed_sweep(z, draws);
                            for (Index j = 0; j < z.dimension(); ++j) sampler.screened_site(z, j, *cheap, draws);
                        }};
    std::vector<Partition> members;
    for (const ChainEnd& end : ends.chains) members.push_back(end.partition);
    SampledChains sampled;
    const std::vector<Partition> starts =
        warm ? resampled(chains, members, members.size(), rng.stream("structure/resample"))
             : burn_in(chains, members, rng.stream("structure/burn-in"), sampled.burn_in_sweeps);
    for (std::size_t c = 0; c < starts.size(); ++c) {
        const int chain = static_cast<int>(c), before = ends.chains[c].sweeps;
        sampled.chains.push_back(sample(evidence, problem.prior.labels(), starts[c], 0, annealed.samples, chains.sweep,
                                        rng.stream("structure/cold", {chain}),
                                        problem.reporter(chain, before, before + annealed.samples)));
    }
    return sampled;
}

}  // namespace summand::structure
