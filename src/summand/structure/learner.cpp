// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/learner.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/numeric/working_units.hpp"
#include "summand/structure/annealed_learner.hpp"
#include "summand/structure/problem.hpp"
#include "summand/structure/summary.hpp"
#include "summand/structure/units.hpp"
#include "summand/structure/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace summand::structure {
namespace {

// The likelihoods of fixed partitions; learned hyperparameters are those that suit the first of them.
StructurePosterior best_of(const Problem& problem, const std::vector<Partition>& candidates) {
    problem.check_labels(candidates.front(), "the partition");
    auto evidence = problem.gram_evidence(problem.options.threads.value_or(1));
    RememberedEvidence remembered(*evidence);
    if (problem.learned()) remembered.polish(Assignment(candidates.front(), problem.prior.labels()), problem.limits());
    ChainSamples found;
    for (const Partition& candidate : candidates) {
        problem.check_stop();
        const double value = remembered.log_likelihood(Assignment(candidate, problem.prior.labels()));
        if (!found.partitions.empty() && value <= found.log_likelihood.front()) continue;
        found.partitions = {candidate};
        found.log_likelihood = {value};
    }
    StructurePosterior posterior = problem.summarise({found});
    problem.describe(posterior, *evidence);
    posterior.factorisations = remembered.factorisations();
    posterior.likelihoods = remembered.asked();
    posterior.verdict = Verdict::structure_found;
    posterior.verdict_text = "The structure was given, not learned.";
    return posterior;
}

StructurePosterior learn(const Problem& problem, const Known& known, Rng) {
    if (known.partition.dimension() != problem.dimension())
        throw InvalidArgument("Known: the partition has " + std::to_string(known.partition.dimension()) +
                              " parameters, the data have " + std::to_string(problem.dimension()) +
                              " columns; give every column a group");
    return best_of(problem, {known.partition});
}

StructurePosterior learn(const Problem& problem, const None&, Rng) {
    return best_of(problem, {Partition::single(problem.dimension())});
}

StructurePosterior learn(const Problem& problem, const Full&, Rng) {
    return best_of(problem, {Partition::singletons(problem.dimension())});
}

StructurePosterior learn(const Problem& problem, const BestOfRandom& random, Rng rng) {
    constexpr int most_candidates = 1'000'000;
    if (random.candidates < 1 || random.candidates > most_candidates)
        throw InvalidArgument("BestOfRandom: " + std::to_string(random.candidates) +
                              " candidates were asked for; between 1 and " + std::to_string(most_candidates) +
                              " are allowed (the paper uses 5)");
    std::vector<Partition> candidates;
    for (int i = 0; i < random.candidates; ++i) {
        Rng draw = rng.stream("structure/random", {i});
        candidates.push_back(draw_partition(problem.prior, problem.dimension(), problem.max_group_size, draw));
    }
    StructurePosterior posterior = best_of(problem, candidates);
    posterior.verdict = Verdict::arbitrary_pairs;
    posterior.verdict_text = "The best of a few random partitions: nothing says that its pairs are real.";
    return posterior;
}

StructurePosterior learn(const Problem& problem, const Gibbs& gibbs, Rng rng) {
    if (gibbs.sweeps < 1 || gibbs.burn_in < 0 || gibbs.burn_in >= gibbs.sweeps)
        throw InvalidArgument("Gibbs: " + std::to_string(gibbs.sweeps) + " sweeps with a burn-in of " +
                              std::to_string(gibbs.burn_in) +
                              "; 0 <= burn_in < sweeps is needed (the paper: 100 and 50)");
    auto evidence = problem.gram_evidence(resolve_threads(problem.options.threads));
    RememberedEvidence remembered(*evidence);
    Sampler sampler(problem.prior, remembered, problem.max_group_size, problem.options.stop);
    Rng start = rng.stream("structure/start", {0});
    const Partition first = problem.options.warm_start.empty()
                                ? draw_partition(problem.prior, problem.dimension(), problem.max_group_size, start)
                                : problem.options.warm_start.front();
    int done = 0;
    const Sweep sweep = [&](Assignment& z, Rng& draws) {
        sampler.sweep(z, draws);
        if (problem.learned() && ++done <= gibbs.burn_in) remembered.improve(z, problem.limits());
    };
    const auto samples = sample(remembered, problem.prior.labels(), first, gibbs.burn_in, gibbs.sweeps - gibbs.burn_in,
                                sweep, rng.stream("structure/chain", {0}), problem.reporter(0, 0, gibbs.sweeps));
    StructurePosterior posterior = problem.summarise({samples});
    problem.describe(posterior, *evidence);
    posterior.site_acceptance = sampler.sites().share();
    posterior.sweeps = gibbs.sweeps;
    posterior.factorisations = remembered.factorisations();
    posterior.likelihoods = remembered.asked();
    const Judgement judgement = judge({.chains = 1, .noise_share = posterior.noise_share});
    posterior.verdict = judgement.verdict;
    posterior.verdict_text = judgement.text;
    return posterior;
}

StructurePosterior learn(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    return learn_annealed(problem, annealed, rng);
}

}  // namespace

StructurePosterior learn_structure(const Matrix& X, const Vector& y, const Learner& learner, Rng rng,
                                   const LearnOptions& options) {
    const bool ours = std::holds_alternative<AnnealedChains>(learner);
    check_hyperparameters(options, X.cols());
    const WorkingValues working = in_working_units(y);
    const Problem problem(X, working.values, in_units(options, working.unit), ours ? Index{5} : X.cols());
    return in_users_units(std::visit([&](const auto& choice) { return learn(problem, choice, rng); }, learner),
                          working.unit);
}

}  // namespace summand::structure
