// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/annealed.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/model/fit.hpp"
#include "summand/structure/summary.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/verdict.hpp"
#include "summand/structure/walsh_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace summand::structure {
namespace {

// Where the best chain explains y, chains whose log posterior is this much lower have not found what it has, and their
// pairs say nothing. Where it does not, all chains are equally good.
constexpr double comparable_nats = 20.0;
// A warm chain on more general points than twice this screens its moves on so many of them.
constexpr Index screening_points = 256;

// The data of one run and how its evidence is made. Two-level points are searched in Walsh form even if hyperparameters are
// given; the samples then come from the given model.
struct Bench {
    const Problem& problem;
    TwoLevelData two_level = {};  // no blocks: general points
    int threads = 1;

    bool walsh() const { return !two_level.blocks.empty(); }
    bool walsh_samples() const { return walsh() && problem.learned(); }
    Improvement hot_limits() const { return walsh() ? Improvement{} : problem.limits(); }

    // threads: for the candidates of one coordinate.
    std::unique_ptr<Evidence> hot_evidence(int candidate_threads) const {
        if (!walsh()) return problem.gram_evidence(candidate_threads);
        // A coefficient of every parameter and some interactions share the variance 1 of y.
        return std::make_unique<WalshEvidence>(two_level, problem.y,
                                               Setting{{}, 1.0 / static_cast<double>(problem.dimension()), 0.3});
    }
    std::unique_ptr<Evidence> cold_evidence() const {
        return walsh_samples() ? hot_evidence(threads) : problem.gram_evidence(threads);
    }
};

struct Hot {
    std::vector<HotEnd> ends = {};
    long factorisations = 0, likelihoods = 0;
};

const HotEnd& best_of(const std::vector<HotEnd>& ends) {
    return *std::max_element(ends.begin(), ends.end(),
                             [](const HotEnd& a, const HotEnd& b) { return a.log_posterior < b.log_posterior; });
}

bool found_twice(const std::vector<HotEnd>& ends) {
    const HotEnd& best = best_of(ends);
    return std::count_if(ends.begin(), ends.end(),
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

// Rounds of two chains, whatever the number of threads, until the best partition has been found twice.
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
        if (found_twice(hot.ends)) break;
    }
    return hot;
}

// Warm chains keep their partitions; hyperparameters, if learned, take a few steps.
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
                            remembered.log_likelihood(z) + problem.prior.log_density(z.counts()), 0, true});
    }
    hot.factorisations = remembered.factorisations();
    hot.likelihoods = remembered.asked();
    return hot;
}

// The hot ends resampled by posterior weight at the common hyperparameters: where the cold chains start.
std::vector<Partition> resampled(const std::vector<HotEnd>& ends, RememberedEvidence& evidence,
                                 const AssignmentPrior& prior, Rng rng) {
    std::vector<double> log_weight;
    for (const HotEnd& end : ends) {
        const Assignment z(end.partition, prior.labels());
        log_weight.push_back(evidence.log_likelihood(z) + prior.log_density(z.counts()));
    }
    std::vector<Partition> starts;
    for (std::size_t chain = 0; chain < ends.size(); ++chain)
        starts.push_back(ends[static_cast<std::size_t>(rng.categorical_log(log_weight))].partition);
    return starts;
}

double agreement_of(const std::vector<HotEnd>& ends) {
    const HotEnd& best = best_of(ends);
    const bool explained = best.setting.noise_variance <= explained_share;
    const double least = explained ? best.log_posterior - comparable_nats : -std::numeric_limits<double>::infinity();
    double sum = 0, count = 0;
    for (const HotEnd& a : ends)
        for (const HotEnd& b : ends)
            if (&a < &b && std::min(a.log_posterior, b.log_posterior) >= least) {
                sum += pair_overlap(a.partition, b.partition);
                count += 1;
            }
    return count == 0 ? 1.0 : sum / count;
}

double certainty_of(const Matrix& pair_probability) {
    double smallest = 1.0;
    for (Index i = 0; i < pair_probability.rows(); ++i)
        for (Index j = i + 1; j < pair_probability.cols(); ++j)
            smallest = std::min(smallest, std::max(pair_probability(i, j), 1 - pair_probability(i, j)));
    return smallest;
}

Signs signs_of(const Bench& bench, const StructurePosterior& posterior, const Hot& hot, Evidence& evidence) {
    const Problem& problem = bench.problem;
    // Warm chains from one partition are not independent.
    const bool one_start = problem.options.warm_start.size() == 1;
    Signs signs{.chains = one_start ? 1 : static_cast<int>(hot.ends.size()),
                .noise_share = best_of(hot.ends).setting.noise_variance,
                .agreement = posterior.chain_agreement,
                .certainty = certainty_of(posterior.pair_probability)};
    const Index D = problem.dimension();
    signs.at_limit = problem.max_group_size < D && posterior.best.largest_group() == problem.max_group_size;
    if (!problem.learned()) signs.given_noise_share = problem.limits().noise_floor;
    if (auto* walsh = dynamic_cast<WalshEvidence*>(&evidence)) {
        const Assignment best(posterior.best, problem.prior.labels());
        signs.points_per_coefficient = walsh->points_per_coefficient(best);
        // A gain of log(number of pairs) is chance; three nats more are not.
        const double threshold = std::log(static_cast<double>(D * (D - 1) / 2 + 1)) + 3.0;
        signs.leftover_pairs = static_cast<int>((walsh->leftover_gain(best).array() > threshold).count() / 2);
    }
    return signs;
}

// Part of the points, in the order of the data.
std::vector<Index> screening_rows(Index points, Rng rng) {
    const auto order = rng.permutation(points);
    std::vector<Index> rows(order.begin(), order.begin() + screening_points);
    std::sort(rows.begin(), rows.end());
    return rows;
}

// One lengthscale for each parameter, from the best partition so far; the sampler keeps one variance for all groups.
void fit_each(const Problem& problem, const Partition& partition, Setting& setting, StructurePosterior& posterior,
              Rng rng) {
    FitOptions options;
    options.family = std::get<LearnedHyperparameters>(problem.options.hyperparameters).family;
    const Vector y = (problem.y.array() * problem.scale + problem.mean).matrix();
    const FitResult fit =
        fit_hyperparameters(partition, problem.X, y, problem.options.unordered, options, rng, {}, problem.options.stop);
    posterior.fitted = fit.hyperparameters;
    posterior.fitted_partition = partition;
    const double units = problem.scale * problem.scale;
    if (setting.lengthscale.size() == 0) return;  // two-level points: the Walsh form has no lengthscale
    setting.lengthscale = fit.hyperparameters.lengthscale;
    setting.variance = fit.hyperparameters.variance.mean() / units;
    setting.noise_variance = std::max(fit.hyperparameters.noise_variance / units, problem.limits().noise_floor);
}

// Samples at fixed hyperparameters from each start, every likelihood remembered for all chains.
std::vector<ColdSamples> run_cold(const Bench& bench, const AnnealedChains& annealed, const Hot& hot,
                                  RememberedEvidence& remembered, Sampler& sampler, Rng rng) {
    const Problem& problem = bench.problem;
    const auto starts = resampled(hot.ends, remembered, problem.prior, rng.stream("structure/resample"));
    const bool screened =
        !problem.options.warm_start.empty() && !bench.walsh_samples() && problem.X.rows() > 2 * screening_points;
    std::unique_ptr<GramEvidence> part;
    if (screened)
        part = problem.gram_evidence(screening_rows(problem.X.rows(), rng.stream("structure/screen")),
                                     remembered.setting(), bench.threads);
    std::optional<RememberedEvidence> cheap;
    if (screened) cheap.emplace(*part);
    const Sweep sweep = [&](Assignment& z, Rng& draws) {
        if (!screened) return sampler.mixed_sweep(z, draws);
        for (Index j = 0; j < z.dimension(); ++j) sampler.screened_site(z, j, *cheap, draws);
    };
    std::vector<ColdSamples> chains;
    for (std::size_t c = 0; c < starts.size(); ++c) {
        const int chain = static_cast<int>(c), before = hot.ends[c].sweeps;
        chains.push_back(sample(remembered, problem.prior.labels(), starts[c], 0, annealed.samples, sweep,
                                rng.stream("structure/cold", {chain}),
                                problem.reporter(chain, before, before + annealed.samples)));
    }
    return chains;
}

StructurePosterior run(const Bench& bench, const AnnealedChains& annealed, Rng rng) {
    const Problem& problem = bench.problem;
    const bool warm = !problem.options.warm_start.empty();
    const Hot hot = warm ? warm_ends(bench, annealed) : run_hot_chains(bench, annealed, rng);

    const auto evidence = bench.cold_evidence();
    RememberedEvidence remembered(*evidence);
    StructurePosterior fitted;
    Setting cold = problem.learned() ? best_of(hot.ends).setting : evidence->setting();
    const auto* learned = std::get_if<LearnedHyperparameters>(&problem.options.hyperparameters);
    if (learned && learned->per_dimension)
        fit_each(problem, best_of(hot.ends).partition, cold, fitted, rng.stream("structure/fit"));
    remembered.set(cold);
    Sampler sampler(problem.prior, remembered, problem.max_group_size, problem.options.stop);
    const auto chains = run_cold(bench, annealed, hot, remembered, sampler, rng);

    StructurePosterior posterior = problem.summarise(chains);
    problem.describe(posterior, *evidence);
    posterior.fitted = fitted.fitted;
    posterior.fitted_partition = fitted.fitted_partition;
    posterior.two_level = bench.walsh_samples();
    posterior.chain_agreement = agreement_of(hot.ends);
    posterior.site_acceptance = sampler.sites().share();
    posterior.swap_acceptance = sampler.swaps().share();
    posterior.resplit_acceptance = sampler.resplits().share();
    const Judgement judgement = judge(signs_of(bench, posterior, hot, *evidence));
    posterior.verdict = judgement.verdict;
    posterior.verdict_text = judgement.text;
    for (const HotEnd& end : hot.ends) posterior.sweeps += end.sweeps + annealed.samples;
    posterior.factorisations = hot.factorisations + remembered.factorisations();
    posterior.likelihoods = hot.likelihoods + remembered.asked();
    return posterior;
}

}  // namespace

StructurePosterior learn_annealed(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    if (annealed.chains < 1 || annealed.max_sweeps < 1 || annealed.samples < 1)
        throw InvalidArgument("AnnealedChains: " + std::to_string(annealed.chains) + " chains, " +
                              std::to_string(annealed.max_sweeps) + " sweeps and " + std::to_string(annealed.samples) +
                              " samples were asked for; each must be at least 1");
    const int threads = resolve_threads(problem.options.threads);
    if (annealed.all_points) return run({problem, {}, threads}, annealed, rng);
    const TwoLevelData found = find_two_level_rows(problem.X);
    const Index N = problem.X.rows(), used = found.points();
    if (used == N) return run({problem, found, threads}, annealed, rng);
    // Two points a parameter: below that, general points say more.
    if (used < 2 * problem.dimension() || !problem.learned()) return run({problem, {}, threads}, annealed, rng);
    const std::vector<Index> rows = found.rows();
    const Vector y = (problem.y(rows).array() * problem.scale + problem.mean).matrix();
    if (y.maxCoeff() == y.minCoeff()) return run({problem, {}, threads}, annealed, rng);
    const Matrix X = problem.X(rows, Eigen::all);
    const Problem part(X, y, problem.options, problem.max_group_size);
    return run({part, find_two_level_rows(X), threads}, annealed, rng);
}

}  // namespace summand::structure
