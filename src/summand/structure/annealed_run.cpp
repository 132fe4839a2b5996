// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/annealed_run.hpp"

#include "summand/model/fit.hpp"
#include "summand/structure/anneal_chains.hpp"
#include "summand/structure/sample_chains.hpp"
#include "summand/structure/summary.hpp"
#include "summand/structure/verdict_inputs.hpp"

#include <algorithm>
#include <cmath>
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
// Hyperparameters are polished for so many samples, the most frequent ones: those that suit groups with a pair too few
// (a short lengthscale, say) hide that the pair is missing.
constexpr Index samples_polished = 4;

std::vector<Index> spread_rows(Index points, Index most) {
    std::vector<Index> rows;
    for (Index i = 0; i < std::min(points, most); ++i) rows.push_back(i * points / std::min(points, most));
    return rows;
}

// The samples say where the posterior is, the additive Gaussian process how much of it each of them holds:
//
//     weight of z  ∝  Σ_h p(y | z, h),    h the hyperparameters polished for each of the most frequent samples,
//
// over the distinct samples. So learned hyperparameters are averaged over, coarsely; and the Walsh form, which calls the
// coefficients of blocks independent and all of one size, only proposes. The additive model knows that blocks with levels
// near each other see the same function, which decides about weak pairs. `best` is the sample that is likeliest at any h;
// returned is the h at which it is.
Setting weigh_by_additive_model(const Problem& problem, const Setting& sampled_at, StructurePosterior& posterior) {
    std::vector<WeightedPartition>& samples = posterior.partitions;
    std::vector<Assignment> assignment;
    for (const WeightedPartition& sample : samples) assignment.emplace_back(sample.partition, problem.prior.labels());
    Matrix log_likelihood(std::ssize(samples), std::min(std::ssize(samples), samples_polished));
    std::vector<Setting> setting;
    for (Index h = 0; h < log_likelihood.cols(); ++h) {
        const auto evidence = problem.gram_evidence(1);
        if (sampled_at.lengthscale.size() > 0) evidence->set(sampled_at);
        evidence->polish(assignment[static_cast<std::size_t>(h)], problem.limits());
        for (Index z = 0; z < log_likelihood.rows(); ++z) {
            problem.check_stop();
            log_likelihood(z, h) = evidence->log_likelihood(assignment[static_cast<std::size_t>(z)]);
        }
        setting.push_back(evidence->setting());
        posterior.factorisations += evidence->factorisations();
    }
    Index best = 0, at = 0;
    const double highest = log_likelihood.maxCoeff(&best, &at);
    posterior.best = samples[static_cast<std::size_t>(best)].partition;
    posterior.log_likelihood = samples[static_cast<std::size_t>(best)].log_likelihood;
    if (std::isfinite(highest)) {
        const Vector weight = (log_likelihood.array() - highest).exp().rowwise().sum();
        for (std::size_t z = 0; z < samples.size(); ++z)
            samples[z].weight = weight(static_cast<Index>(z)) / weight.sum();
        sort_by_weight(samples);
    }
    return setting[static_cast<std::size_t>(at)];
}

GroupCheck check_best(const Problem& problem, const Setting& setting, const Partition& best) {
    const Hyperparameters additive{.lengthscale = setting.lengthscale,
                                   .variance = Vector::Constant(best.group_count(), setting.variance),
                                   .noise_variance = setting.noise_variance};
    const auto family = std::visit([](const auto& h) { return h.family; }, problem.options.hyperparameters);
    return check_groups(family, best, additive, problem.options.unordered, problem.X, problem.y);
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
        Setting additive = evidence->setting();
        // A part of the points weighs samples of the Walsh form better than that does, but not those of all points.
        if (problem.learned() && (source.walsh_samples() || problem.X.rows() <= most_points_compared))
            additive = weigh_by_additive_model(compared, additive, posterior);
        check = check_best(compared, additive, posterior.best);
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
