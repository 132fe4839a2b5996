// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/annealed_learner.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/structure/annealed_run.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/wrong_values.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace summand::structure {
namespace {

// A default limit that a group has reached rises by two up to this: in Walsh form a group of 9 has 502 interactions.
constexpr Index largest_limit = 9;
// Chains that each hold five of the seven parameters of one group have a quarter of their pairs in common.
constexpr double partly_alike = 0.25;

// On the two-level points, if they are enough, else on all points.
Learnt run_on_best_points(const Problem& problem, const AnnealedChains& annealed, Rng rng) {
    const int threads = resolve_threads(problem.options.threads);
    if (annealed.all_points) return run_annealed({problem, {}, threads}, annealed, rng);
    const TwoLevelData found = find_two_level_rows(problem.X);
    const Index N = problem.X.rows(), used = found.points();
    if (used == N) return run_annealed({problem, found, threads}, annealed, rng);
    // Two points a parameter: below that, general points say more.
    if (used < 2 * problem.dimension() || !problem.learned())
        return run_annealed({problem, {}, threads}, annealed, rng);
    const std::vector<Index> rows = found.rows();
    const Vector y = problem.told(rows);
    if (y.maxCoeff() == y.minCoeff()) return run_annealed({problem, {}, threads}, annealed, rng);
    const Problem part = problem.with_rows(rows);
    Learnt learnt = run_annealed({part, find_two_level_rows(part.X), threads}, annealed, rng);
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
