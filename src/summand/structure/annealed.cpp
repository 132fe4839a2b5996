// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/annealed.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/model/fit.hpp"
#include "summand/structure/check.hpp"
#include "summand/structure/cold_chains.hpp"
#include "summand/structure/hot_chains.hpp"
#include "summand/structure/signs.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/wrong_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

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
constexpr std::size_t samples_polished = 4;

std::vector<Index> spread_rows(Index points, Index most) {
    std::vector<Index> rows;
    for (Index i = 0; i < std::min(points, most); ++i) rows.push_back(i * points / std::min(points, most));
    return rows;
}

// Among samples of the Walsh form, the one that explains y best as an additive Gaussian process. The Walsh form calls the
// coefficients of blocks independent and all of one size; the additive model knows that blocks with levels near each other
// see the same function, which decides about weak pairs. Returns the numbers of that process.
Setting choose_by_additive_model(const Problem& problem, StructurePosterior& posterior) {
    double highest = -std::numeric_limits<double>::infinity();
    Setting chosen;
    for (std::size_t polished = 0; polished < std::min(posterior.partitions.size(), samples_polished); ++polished) {
        const auto evidence = problem.gram_evidence(1);
        evidence->polish(Assignment(posterior.partitions[polished].partition, problem.prior.labels()),
                         problem.limits());
        for (const WeightedPartition& entry : posterior.partitions) {
            problem.check_stop();
            const double found = evidence->log_likelihood(Assignment(entry.partition, problem.prior.labels()));
            if (found <= highest) continue;
            highest = found;
            chosen = evidence->setting();
            posterior.best = entry.partition;
            posterior.log_likelihood = entry.log_likelihood;
        }
        posterior.factorisations += evidence->factorisations();
    }
    return chosen;
}

Check check_best(const Problem& problem, const Setting& setting, const Partition& best) {
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
void state_probabilities(const Check& check, StructurePosterior& posterior) {
    const Partition& best = posterior.best;
    const auto count = static_cast<double>(posterior.samples.size());
    Matrix together = Matrix::Zero(best.dimension(), best.dimension());
    double share = 0;
    for (const Partition& sample : posterior.samples) {
        const bool all = joins_all_of(sample, best);
        share += all ? 1.0 / count : 0.0;
        for (Index i = 0; i < together.rows(); ++i)
            for (Index j = 0; j < together.cols(); ++j)
                together(i, j) += (all ? best : sample).together(i, j) ? 1.0 : 0.0;
    }
    together /= count;
    for (Index i = 0; i < together.rows(); ++i)
        for (Index j = 0; j < together.cols(); ++j)
            if (!best.together(i, j))
                together(i, j) += share * check.merge_probability(best.group_of(i), best.group_of(j));
    posterior.pair_probability = together;
    posterior.probability = share * check.none_missing;
    posterior.smallest_noticed = check.smallest_noticed;
}

// What was learned, and how well each row it was checked on fits.
struct Learnt {
    StructurePosterior posterior = {};
    std::vector<Index> rows = {};
    Check check = {};
};

Learnt run(const Bench& bench, const AnnealedChains& annealed, Rng rng) {
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

    Learnt learnt{problem.summarise(cold.chains, Problem::BestBy::posterior)};
    StructurePosterior& posterior = learnt.posterior;
    std::optional<Check> check;
    if (!warm) {  // which must be quick
        // Two-level points in Walsh form are compared and checked as an additive process too.
        learnt.rows = spread_rows(problem.X.rows(), most_points_compared);
        const Problem compared = problem.with_rows(learnt.rows);
        check = check_best(compared,
                           bench.walsh_samples() ? choose_by_additive_model(compared, posterior) : evidence->setting(),
                           posterior.best);
        learnt.check = *check;
        state_probabilities(*check, posterior);
    }
    problem.describe(posterior, *evidence);
    posterior.fitted = fitted.fitted;
    posterior.fitted_partition = fitted.fitted_partition;
    posterior.two_level = bench.walsh_samples();
    posterior.site_acceptance = sampler.sites().share();
    posterior.swap_acceptance = sampler.swaps().share();
    posterior.resplit_acceptance = sampler.resplits().share();
    const Judgement judgement = judge(signs_of(bench, hot, *evidence, check, posterior));
    posterior.verdict = judgement.verdict;
    posterior.verdict_text = judgement.text;
    posterior.sweeps = cold.burn_in_sweeps;
    for (const HotEnd& end : hot.ends) posterior.sweeps += end.sweeps + annealed.samples;
    posterior.factorisations += hot.factorisations + remembered.factorisations();
    posterior.likelihoods = hot.likelihoods + remembered.asked();
    return learnt;
}

// On the two-level points, if they are enough, else on all points.
Learnt run_on_best_points(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    const int threads = resolve_threads(problem.options.threads);
    if (annealed.all_points) return run({problem, {}, threads}, annealed, rng);
    const TwoLevelData found = find_two_level_rows(problem.X);
    const Index N = problem.X.rows(), used = found.points();
    if (used == N) return run({problem, found, threads}, annealed, rng);
    // Two points a parameter: below that, general points say more.
    if (used < 2 * problem.dimension() || !problem.learned()) return run({problem, {}, threads}, annealed, rng);
    const std::vector<Index> rows = found.rows();
    const Vector y = problem.told(rows);
    if (y.maxCoeff() == y.minCoeff()) return run({problem, {}, threads}, annealed, rng);
    const Problem part = problem.with_rows(rows);
    Learnt learnt = run({part, find_two_level_rows(part.X), threads}, annealed, rng);
    for (Index& row : learnt.rows) row = rows[static_cast<std::size_t>(row)];
    return learnt;
}

// Nobody set the limit, and chains that agree in part have filled a group up to it.
bool wants_larger_groups(const Problem& problem, const StructurePosterior& found) {
    return !problem.options.max_group_size && problem.options.warm_start.empty() &&
           found.chain_agreement >= partly_alike && found.best.largest_group() == problem.max_group_size &&
           problem.max_group_size < std::min(problem.dimension(), largest_limit);
}

Learnt run_with_larger_groups(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    Learnt learnt = run_on_best_points(problem, annealed, rng);
    if (!wants_larger_groups(problem, learnt.posterior)) return learnt;
    const Problem larger(problem.X, problem.told, problem.options, problem.max_group_size + 2);
    Learnt again = run_with_larger_groups(larger, annealed, rng);
    again.posterior.sweeps += learnt.posterior.sweeps;
    again.posterior.factorisations += learnt.posterior.factorisations;
    again.posterior.likelihoods += learnt.posterior.likelihoods;
    return again;
}

// A value so many standard deviations from what all others foretell is taken for wrong.
constexpr double wrong_stddevs = 5.0;
constexpr int wrong_rounds = 3;

std::vector<Index> rows_without(Index points, const std::vector<Index>& left_out) {
    std::vector<Index> rows;
    for (Index i = 0; i < points; ++i)
        if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) rows.push_back(i);
    return rows;
}

// A function that is flat but for a few points is all in them.
bool rest_varies(const Vector& y, const std::vector<Index>& left_out) {
    const Vector rest = y(rows_without(y.size(), left_out));
    return rest.size() > 1 && rest.maxCoeff() > rest.minCoeff();
}

// Adds the rows that fit the groups worst, as long as no more than a few are left out.
bool leave_out_more(const Learnt& learnt, const std::vector<Index>& rows, Index points, std::vector<Index>& left_out) {
    bool more = false;
    for (std::size_t i = 0; i < learnt.rows.size(); ++i) {
        if (!learnt.check.fits_badly(static_cast<Index>(i), wrong_stddevs, least_wrong_share)) continue;
        if (static_cast<Index>(left_out.size()) >= most_wrong_values(points)) break;
        left_out.push_back(rows[static_cast<std::size_t>(learnt.rows[i])]);
        more = true;
    }
    return more;
}

void name_left_out(std::vector<Index> left_out, StructurePosterior& posterior) {
    std::sort(left_out.begin(), left_out.end());
    posterior.left_out = std::move(left_out);
    const std::size_t count = posterior.left_out.size();
    if (count == 0) return;
    posterior.verdict_text += count == 1
                                  ? " One value that does not fit the others had no say."
                                  : " " + std::to_string(count) + " values that do not fit the others had no say.";
}

}  // namespace

StructurePosterior learn_annealed(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    if (annealed.chains < 1 || annealed.max_sweeps < 1 || annealed.samples < 1)
        throw InvalidArgument("AnnealedChains: " + std::to_string(annealed.chains) + " chains, " +
                              std::to_string(annealed.max_sweeps) + " sweeps and " + std::to_string(annealed.samples) +
                              " samples were asked for; each must be at least 1");
    const Index points = problem.X.rows();
    std::vector<Index> left_out = far_off_rows(problem.X, problem.told);
    if (!rest_varies(problem.told, left_out)) left_out.clear();
    for (int round = 1;; ++round) {
        const std::vector<Index> rows = rows_without(points, left_out);
        Learnt learnt = run_with_larger_groups(problem.with_rows(rows), annealed, rng);
        name_left_out(left_out, learnt.posterior);
        if (round == wrong_rounds || !leave_out_more(learnt, rows, points, left_out) ||
            !rest_varies(problem.told, left_out))
            return learnt.posterior;
    }
}

}  // namespace summand::structure
