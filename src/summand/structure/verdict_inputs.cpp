// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/verdict_inputs.hpp"

#include "summand/structure/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace summand::structure {
namespace {

// A chain whose log posterior is this much below the best has not found what the best has, and its pairs say nothing.
constexpr double comparable_nats = 20.0;

struct Agreement {
    double overlap = 1.0;  // mean over pairs of chains
    int chains = 1;        // compared
};

Agreement agreement_above(const std::vector<ChainEnd>& ends, double least) {
    double sum = 0, count = 0;
    Agreement result{1.0, 0};
    for (const ChainEnd& a : ends) {
        if (a.log_posterior < least) continue;
        ++result.chains;
        for (const ChainEnd& b : ends)
            if (&a < &b && b.log_posterior >= least) {
                sum += pair_overlap(a.partition, b.partition);
                count += 1;
            }
    }
    if (count > 0) result.overlap = sum / count;
    return result;
}

// Chains about as good as the best are compared. A best chain without company that explains y stands for itself; without
// company and without explaining y it may be as lost as the others, so all are compared.
Agreement agreement_of(const AnnealedEnds& ends) {
    const ChainEnd& best = ends.best();
    const Agreement comparable = agreement_above(ends.chains, best.log_posterior - comparable_nats);
    if (comparable.chains > 1) return comparable;
    if (best.setting.noise_variance <= explained_share) return {1.0, static_cast<int>(ends.chains.size())};
    return agreement_above(ends.chains, -std::numeric_limits<double>::infinity());
}

// Pure noise of the variance of y has log likelihood -N (1 + log 2π var y)/2. Were y that, a model whose hyperparameters are
// fixed beforehand would exceed it by t with probability e^-t at most; there are fewer than D^D ways to choose the groups.
double signal_nats(const Problem& problem, const StructurePosterior& posterior) {
    const auto N = static_cast<double>(posterior.points_used), D = static_cast<double>(problem.dimension());
    const double noise = -0.5 * N * (1 + std::log(2 * std::numbers::pi * problem.scale * problem.scale));
    return posterior.log_likelihood - noise - D * std::log(D);
}

// The noise that suits the best partition, whatever noise was given. A warm chain is not asked: it must be quick.
double unexplained_share(const Problem& problem, const Assignment& best, Evidence& evidence) {
    if (problem.learned() || !problem.options.warm_start.empty()) return evidence.setting().noise_variance;
    const Setting given = evidence.setting();
    evidence.polish(best, problem.limits());
    const double share = evidence.setting().noise_variance;
    evidence.set(given);
    return share;
}

}  // namespace

VerdictInputs verdict_inputs_of(const EvidenceSource& source, const AnnealedEnds& ends, Evidence& evidence,
                                const std::optional<GroupCheck>& check, StructurePosterior& posterior) {
    const Problem& problem = source.problem;
    const Agreement agreement = agreement_of(ends);
    posterior.chain_agreement = agreement.overlap;
    // Warm chains from one partition are not independent.
    const bool one_start = problem.options.warm_start.size() == 1;
    const Assignment best(posterior.best, problem.prior.labels());
    VerdictInputs inputs{.chains = one_start ? 1 : agreement.chains,
                         .noise_share = unexplained_share(problem, best, evidence),
                         .agreement = agreement.overlap,
                         .probability = posterior.probability,
                         .smallest_noticed = posterior.smallest_noticed,
                         .one_group = posterior.best.group_count() == 1,
                         .points_per_coefficient = evidence.points_per_coefficient(best),
                         .signal_nats = signal_nats(problem, posterior),
                         .at_limit = problem.max_group_size < problem.dimension() &&
                                     posterior.best.largest_group() == problem.max_group_size};
    if (check) inputs.leftover_pairs = static_cast<int>((check->merge_odds.array() > surely_missing).count() / 2);
    if (!problem.learned()) inputs.given_noise_share = problem.limits().noise_floor;
    return inputs;
}

}  // namespace summand::structure
