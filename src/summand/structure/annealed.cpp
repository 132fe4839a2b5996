// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/annealed.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/model/fit.hpp"
#include "summand/structure/cold_chains.hpp"
#include "summand/structure/hot_chains.hpp"
#include "summand/structure/signs.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace summand::structure {
namespace {

// A default limit that a group has reached rises by two up to this: in Walsh form a group of 9 has 502 interactions.
constexpr Index largest_limit = 9;
// Chains that each hold five of the seven parameters of one group have a quarter of their pairs in common.
constexpr double partly_alike = 0.25;

// One lengthscale for each parameter, from the best partition so far; the sampler keeps one variance for all groups.
void fit_each(const Problem& problem, const Partition& partition, Setting& setting, StructurePosterior& posterior,
              Rng rng) {
    FitOptions options;
    options.family = std::get<LearnedHyperparameters>(problem.options.hyperparameters).family;
    const FitResult fit = fit_hyperparameters(partition, problem.X, problem.values(), problem.options.unordered,
                                              options, rng, {}, problem.options.stop);
    posterior.fitted = fit.hyperparameters;
    posterior.fitted_partition = partition;
    const double units = problem.scale * problem.scale;
    if (setting.lengthscale.size() == 0) return;  // two-level points: the Walsh form has no lengthscale
    setting.lengthscale = fit.hyperparameters.lengthscale;
    setting.variance = fit.hyperparameters.variance.mean() / units;
    setting.noise_variance = std::max(fit.hyperparameters.noise_variance / units, problem.limits().noise_floor);
}

// Beyond so many points the additive model's factorisations would cost more than all of the Walsh form.
constexpr Index most_points_compared = 1000;
// Hyperparameters are polished for so many samples, the most frequent ones: those that suit groups with a pair too few
// (a short lengthscale, say) hide that the pair is missing.
constexpr std::size_t samples_polished = 4;

// Among samples of the Walsh form, the one that explains y best as an additive Gaussian process. The Walsh form calls the
// coefficients of blocks independent and all of one size; the additive model knows that blocks with levels near each other
// see the same function, which decides about weak pairs.
void choose_by_additive_model(const Problem& problem, StructurePosterior& posterior) {
    const std::size_t distinct = posterior.partitions.size();
    if (distinct < 2 || problem.X.rows() > most_points_compared) return;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t polished = 0; polished < std::min(distinct, samples_polished); ++polished) {
        const auto evidence = problem.gram_evidence(1);
        evidence->polish(Assignment(posterior.partitions[polished].partition, problem.prior.labels()),
                         problem.limits());
        for (const WeightedPartition& entry : posterior.partitions) {
            problem.check_stop();
            const double found = evidence->log_likelihood(Assignment(entry.partition, problem.prior.labels()));
            if (found <= highest) continue;
            highest = found;
            posterior.best = entry.partition;
            posterior.log_likelihood = entry.log_likelihood;
        }
        posterior.factorisations += evidence->factorisations();
    }
}

StructurePosterior run(const Bench& bench, const AnnealedChains& annealed, Rng rng) {
    const Problem& problem = bench.problem;
    const bool warm = !problem.options.warm_start.empty();
    const Hot hot = warm ? warm_ends(bench, annealed) : run_hot_chains(bench, annealed, rng);

    const auto evidence = bench.cold_evidence();
    RememberedEvidence remembered(*evidence);
    StructurePosterior fitted;
    Setting setting = problem.learned() ? hot.best().setting : evidence->setting();
    const auto* learned = std::get_if<LearnedHyperparameters>(&problem.options.hyperparameters);
    if (learned && learned->per_dimension)
        fit_each(problem, hot.best().partition, setting, fitted, rng.stream("structure/fit"));
    remembered.set(setting);
    Sampler sampler(problem.prior, remembered, problem.max_group_size, problem.options.stop);
    const Cold cold = run_cold_chains(bench, annealed, hot, remembered, sampler, rng);

    StructurePosterior posterior = problem.summarise(cold.chains, Problem::BestBy::posterior);
    if (bench.walsh_samples()) choose_by_additive_model(problem, posterior);
    problem.describe(posterior, *evidence);
    posterior.fitted = fitted.fitted;
    posterior.fitted_partition = fitted.fitted_partition;
    posterior.two_level = bench.walsh_samples();
    posterior.site_acceptance = sampler.sites().share();
    posterior.swap_acceptance = sampler.swaps().share();
    posterior.resplit_acceptance = sampler.resplits().share();
    const Judgement judgement = judge(signs_of(bench, hot, *evidence, posterior));
    posterior.verdict = judgement.verdict;
    posterior.verdict_text = judgement.text;
    posterior.sweeps = cold.burn_in_sweeps;
    for (const HotEnd& end : hot.ends) posterior.sweeps += end.sweeps + annealed.samples;
    posterior.factorisations += hot.factorisations + remembered.factorisations();
    posterior.likelihoods = hot.likelihoods + remembered.asked();
    return posterior;
}

// On the two-level points, if they are enough, else on all points.
StructurePosterior run_on_best_points(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    const int threads = resolve_threads(problem.options.threads);
    if (annealed.all_points) return run({problem, {}, threads}, annealed, rng);
    const TwoLevelData found = find_two_level_rows(problem.X);
    const Index N = problem.X.rows(), used = found.points();
    if (used == N) return run({problem, found, threads}, annealed, rng);
    // Two points a parameter: below that, general points say more.
    if (used < 2 * problem.dimension() || !problem.learned()) return run({problem, {}, threads}, annealed, rng);
    const std::vector<Index> rows = found.rows();
    const Vector y = problem.values()(rows);
    if (y.maxCoeff() == y.minCoeff()) return run({problem, {}, threads}, annealed, rng);
    const Matrix X = problem.X(rows, Eigen::all);
    const Problem part(X, y, problem.options, problem.max_group_size);
    return run({part, find_two_level_rows(X), threads}, annealed, rng);
}

// Nobody set the limit, and chains that agree in part have filled a group up to it.
bool wants_larger_groups(const Problem& problem, const StructurePosterior& found) {
    return !problem.options.max_group_size && problem.options.warm_start.empty() &&
           found.chain_agreement >= partly_alike && found.best.largest_group() == problem.max_group_size &&
           problem.max_group_size < std::min(problem.dimension(), largest_limit);
}

}  // namespace

StructurePosterior learn_annealed(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    if (annealed.chains < 1 || annealed.max_sweeps < 1 || annealed.samples < 1)
        throw InvalidArgument("AnnealedChains: " + std::to_string(annealed.chains) + " chains, " +
                              std::to_string(annealed.max_sweeps) + " sweeps and " + std::to_string(annealed.samples) +
                              " samples were asked for; each must be at least 1");
    const StructurePosterior found = run_on_best_points(problem, annealed, rng);
    if (!wants_larger_groups(problem, found)) return found;
    const Problem larger(problem.X, problem.values(), problem.options, problem.max_group_size + 2);
    StructurePosterior again = learn_annealed(larger, annealed, rng);
    again.sweeps += found.sweeps;
    again.factorisations += found.factorisations;
    again.likelihoods += found.likelihoods;
    return again;
}

}  // namespace summand::structure
