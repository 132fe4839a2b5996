// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/annealed_run.hpp"

#include "summand/model/fit.hpp"
#include "summand/structure/additive_weights.hpp"
#include "summand/structure/anneal_chains.hpp"
#include "summand/structure/sample_chains.hpp"
#include "summand/structure/summary.hpp"
#include "summand/structure/verdict_inputs.hpp"

#include <algorithm>
#include <optional>

namespace summand::structure {
namespace {

// One lengthscale for each parameter, from the best partition so far; the sampler keeps one variance for all groups.
void fit_each(const Problem& problem, const Partition& partition, Setting& setting, StructurePosterior& posterior,
              Rng rng) {
    FitOptions options;
    options.family = std::get<LearnedHyperparameters>(problem.options.hyperparameters).family;
    const FitResult fit = fit_hyperparameters(partition, problem.X, problem.told, problem.options.unordered, options,
                                              rng, {}, problem.options.stop);
    posterior.fitted = fit.hyperparameters;
    posterior.fitted_partition = partition;
    const double units = problem.scale * problem.scale;
    if (setting.lengthscale.size() == 0) return;  // two-level points: the Walsh form has no lengthscale
    setting.lengthscale = fit.hyperparameters.lengthscale;
    setting.variance = fit.hyperparameters.variance.mean() / units;
    setting.noise_variance = std::max(fit.hyperparameters.noise_variance / units, problem.limits().noise_floor);
}

// Beyond so many points the additive model's factorisations would cost more than all of the Walsh form: so many are taken.
constexpr Index most_points_compared = 1000;
// Odds above which a merge that the check proposes is tried: more probable than not.
constexpr double worth_trying = 1.0;

std::vector<Index> spread_rows(Index points, Index most) {
    std::vector<Index> rows;
    for (Index i = 0; i < std::min(points, most); ++i) rows.push_back(i * points / std::min(points, most));
    return rows;
}

GroupCheck check_best(const Problem& problem, const Setting& setting, const Partition& best) {
    const Hyperparameters additive{.lengthscale = setting.lengthscale,
                                   .variance = Vector::Constant(best.group_count(), setting.variance),
                                   .noise_variance = setting.noise_variance};
    const auto family = std::visit([](const auto& h) { return h.family; }, problem.options.hyperparameters);
    return check_groups(family, best, additive, problem.options.unordered, problem.X, problem.y);
}

// The samplers have one prior for all pairs and one weight for all interactions, so a weak pair may be missing in every
// sample. The check looks at each pair of groups by itself: the most probable merge joins the samples, and if the additive
// model finds it likelier than all of them, the search goes on from there.
GroupCheck grow_best(const Problem& problem, const Problem& compared, Evidence& evidence, AdditiveWeights& weights) {
    for (;;) {
        GroupCheck check = check_best(compared, weights.setting(), weights.best().partition);
        const auto merged = most_probable_merge(check, weights.best().partition, worth_trying, problem.max_group_size);
        if (!merged || weights.holds(*merged)) return check;
        const double log_likelihood = evidence.log_likelihood(Assignment(*merged, problem.prior.labels()));
        if (!weights.add({.partition = *merged, .log_likelihood = problem.log_likelihood_of_told(log_likelihood)}))
            return check;
    }
}

bool joins_all_of(const Partition& sample, const Partition& best) {
    return std::all_of(best.groups().begin(), best.groups().end(), [&](const std::vector<Index>& group) {
        return std::all_of(group.begin(), group.end(), [&](Index j) { return sample.together(group.front(), j); });
    });
}

// Every pair of the best partition is right in the samples that join it; that no pair is missing is what the check says, for
// the samples cannot: they have one weight for all interactions, and a prior under which a pair more costs next to nothing.
void state_probabilities(const GroupCheck& check, StructurePosterior& posterior) {
    const Partition& best = posterior.best;
    std::vector<WeightedPartition> stated = posterior.partitions;
    double share = 0;
    for (WeightedPartition& sample : stated)
        if (joins_all_of(sample.partition, best)) {
            share += sample.weight;
            sample.partition = best;
        }
    posterior.pair_probability = pair_probability(stated);
    for (Index i = 0; i < best.dimension(); ++i)
        for (Index j = 0; j < best.dimension(); ++j)
            if (!best.together(i, j))
                posterior.pair_probability(i, j) += share * check.merge_probability(best.group_of(i), best.group_of(j));
    posterior.probability = share * check.none_missing;
    posterior.smallest_noticed = check.smallest_noticed;
}

}  // namespace

Learnt run_annealed(const EvidenceSource& source, const AnnealedChains& annealed, Rng rng) {
    const Problem& problem = source.problem;
    const bool warm = !problem.options.warm_start.empty();
    const AnnealedEnds ends = warm ? warm_start_ends(source, annealed) : anneal_chains(source, annealed, rng);

    const auto evidence = source.sampling_evidence();
    RememberedEvidence remembered(*evidence);
    StructurePosterior fitted;
    Setting setting = problem.learned() ? ends.best().setting : evidence->setting();
    const auto* learned = std::get_if<LearnedHyperparameters>(&problem.options.hyperparameters);
    if (learned && learned->per_dimension)
        fit_each(problem, ends.best().partition, setting, fitted, rng.stream("structure/fit"));
    remembered.set(setting);
    Sampler sampler(problem.prior, remembered, problem.max_group_size, problem.options.stop);
    const SampledChains sampled = sample_chains(source, annealed, ends, remembered, sampler, rng);

    Learnt learnt{problem.summarise(sampled.chains, Problem::BestBy::posterior)};
    StructurePosterior& posterior = learnt.posterior;
    std::optional<GroupCheck> check;
    if (!warm) {  // which must be quick
        learnt.rows = spread_rows(problem.X.rows(), most_points_compared);
        const Problem compared = problem.with_rows(learnt.rows);
        // A part of the points weighs samples of the Walsh form better than that does, but not those of all points.
        if (problem.learned() && (source.walsh_samples() || problem.X.rows() <= most_points_compared)) {
            AdditiveWeights weights(compared, evidence->setting(), posterior.partitions);
            check = grow_best(problem, compared, *evidence, weights);
            posterior.best = weights.best().partition;
            posterior.log_likelihood = weights.best().log_likelihood;
            posterior.partitions = weights.weighted();
            posterior.factorisations += weights.factorisations();
        } else {
            check = check_best(compared, evidence->setting(), posterior.best);
        }
        learnt.check = *check;
        state_probabilities(*check, posterior);
    }
    problem.describe(posterior, *evidence);
    posterior.fitted = fitted.fitted;
    posterior.fitted_partition = fitted.fitted_partition;
    posterior.two_level = source.walsh_samples();
    posterior.site_acceptance = sampler.sites().share();
    posterior.swap_acceptance = sampler.swaps().share();
    posterior.resplit_acceptance = sampler.resplits().share();
    const Judgement judgement = judge(verdict_inputs_of(source, ends, *evidence, check, posterior));
    posterior.verdict = judgement.verdict;
    posterior.verdict_text = judgement.text;
    posterior.sweeps = sampled.burn_in_sweeps;
    for (const ChainEnd& end : ends.chains) posterior.sweeps += end.sweeps + annealed.samples;
    posterior.factorisations += ends.factorisations + remembered.factorisations();
    posterior.likelihoods = ends.likelihoods + remembered.asked();
    return learnt;
}

}  // namespace summand::structure
