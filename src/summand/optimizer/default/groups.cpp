// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/groups.hpp"

#include "summand/optimizer/default/warp.hpp"
#include "summand/optimizer/representative.hpp"
#include "summand/optimizer/work.hpp"
#include "summand/structure/group_check.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/verdict.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

// Of the structure sampler on points that are not two-level.
constexpr int first_sweeps = 30, later_sweeps = 2;
constexpr Index points_to_learn_from = 300;
constexpr int fit_evaluations = 20;

structure::LearnOptions learn_options(int max_group_size, const Situation& situation) {
    structure::LearnOptions options;
    options.max_group_size = max_group_size;
    options.unordered = situation.encoding.unordered_columns();
    options.threads = situation.threads;
    options.stop = situation.stop;
    return options;
}

bool mostly_two_level(const Matrix& X) {
    return 2 * structure::find_two_level_rows(X).points() >= X.rows();
}

/// Pairs on which chains disagree are arbitrary: then only those that most samples join are used.
Partition trusted(const structure::StructurePosterior& posterior) {
    const bool sure = posterior.verdict == structure::Verdict::structure_found ||
                      posterior.verdict == structure::Verdict::overlapping_groups_suspected;
    return sure ? posterior.best : posterior.consensus;
}

/// A sample of a function that is flat but for a few points may hold one value only.
bool varies(const Vector& y) {
    return y.maxCoeff() > y.minCoeff();
}

Learned nothing_seen(Index dimension) {
    return {.partition = Partition::singletons(dimension),
            .pair_probability = Matrix::Identity(dimension, dimension),
            .verdict = "All values looked at are equal: nothing can be learned from them yet."};
}

/// Points that groups are learned from again: some that stand for all, and those made for it.
Sample structure_sample(const Situation& situation, const Rng& rng) {
    std::vector<Index> rows = representative_rows(situation.data.y, points_to_learn_from, rng.stream("rows"));
    const std::vector<Index> made = structure::find_two_level_rows(situation.data.X).rows();
    rows.insert(rows.end(), made.begin(), made.end());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return sample_of(situation.data, rows);
}

}  // namespace

bool Groups::should_look(const Situation& situation) const {
    constexpr double points_a_parameter = 2.5;  // with fewer, groups are hardly ever sure
    constexpr Index fewest = 24, between_looks = 10;
    const Index points = situation.data.y.size(), dimension = situation.encoding.dimension();
    if (situation.known || situation.options.initial_points || dimension == 1) return false;
    if (points < fewest || static_cast<double>(points) < points_a_parameter * static_cast<double>(dimension))
        return false;
    if (points < learned_from + std::max(between_looks, dimension / 5)) return false;
    return mostly_two_level(situation.data.X) &&
           affordable(situation.options, learning_work(dimension, points, first_sweeps), work_spent, points);
}

double Groups::learn(const Situation& situation, int max_group_size) {
    const Index dimension = situation.encoding.dimension();
    learned_from = situation.data.y.size();
    structure = {.partition = situation.known.value_or(Partition::single(dimension)),
                 .verdict = "The groups were given.",
                 .found = true};
    if (situation.known || dimension == 1) return 0.0;
    const bool two_level = mostly_two_level(situation.data.X);
    const Sample data =
        sample_of(situation.data, representative_rows(situation.data.y, two_level ? learned_from : points_to_learn_from,
                                                      situation.root.stream("structure/rows", {situation.ask})));
    if (!varies(data.y)) {
        structure = nothing_seen(dimension);
        return 1.0;
    }
    const auto learner = two_level ? structure::AnnealedChains{.chains = 2}
                                   : structure::AnnealedChains{.chains = 2, .max_sweeps = first_sweeps, .samples = 5};
    const auto found = learn_structure(data.X, data.y, learner, situation.root.stream("structure", {situation.ask}),
                                       learn_options(max_group_size, situation));
    structure = summary(found, trusted(found), situation.data.unit);
    designed = two_level && found.verdict == structure::Verdict::structure_found;
    work_spent += learning_work(dimension, data.y.size(), first_sweeps);
    return found.noise_share;
}

bool Groups::due(const Situation& situation) const {
    const Index points = situation.data.y.size(), dimension = situation.encoding.dimension();
    if (situation.known || dimension == 1 || !has_grown(points, learned_from)) return false;
    return affordable(situation.options, learning_work(dimension, std::min(points, points_to_learn_from), later_sweeps),
                      work_spent, points);
}

void Groups::learn_again(HedgedModel& model, const Situation& situation, int max_group_size) {
    const Rng rng = situation.root.stream("structure", {situation.ask});
    const Sample data = structure_sample(situation, rng);
    learned_from = situation.data.y.size();
    if (!varies(data.y)) return;
    structure::LearnOptions options = learn_options(max_group_size, situation);
    options.warm_start = {model.partition};
    const auto found = learn_structure(
        data.X, data.y,
        structure::AnnealedChains{.chains = 1, .max_sweeps = later_sweeps, .samples = later_sweeps, .all_points = true},
        rng, options);
    work_spent += learning_work(data.X.cols(), data.y.size(), 2 * later_sweeps);
    if (found.best == model.partition) return;
    const FitResult current = fit_model(model, model.partition, data, situation, fit_evaluations, model.hyperparameters,
                                        rng.stream("current"));
    const FitResult proposed =
        fit_model(model, found.best, data, situation, fit_evaluations, {}, rng.stream("proposed"));
    if (-rng.stream("accept").exponential() >= proposed.log_posterior - current.log_posterior) return;
    structure = summary(found, found.best, situation.data.unit);
    model.partition = found.best;
    model.hyperparameters = proposed.hyperparameters;
}

void Groups::grow(HedgedModel& model, const Situation& situation, int max_group_size) {
    const Rng rng = situation.root.stream("structure", {situation.ask});
    const Sample data = structure_sample(situation, rng);
    learned_from = situation.data.y.size();
    const auto check = structure::check_groups(model.family, model.partition, model.hyperparameters,
                                               situation.encoding.unordered_columns(), data.X,
                                               warp_of(model.warp, situation.data.y)(data.y));
    work_spent += learning_work(data.X.cols(), data.y.size(), 1);
    const auto merged =
        structure::most_probable_merge(check, model.partition, structure::surely_missing, max_group_size);
    if (!merged) return;
    model.hyperparameters =
        fit_model(model, *merged, data, situation, fit_evaluations, {}, rng.stream("merged")).hyperparameters;
    model.partition = structure.partition = *merged;
}

}  // namespace summand::optimizer
