// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/planner.hpp"

#include "summand/base/error.hpp"
#include "summand/base/kth_smallest.hpp"
#include "summand/base/parallel.hpp"
#include "summand/optimizer/representative.hpp"
#include "summand/optimizer/state_json.hpp"
#include "summand/optimizer/default/warp.hpp"
#include "summand/optimizer/work.hpp"
#include "summand/structure/check.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/verdict.hpp"
#include "summand/structure/wrong_values.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace summand::optimizer {
namespace {

constexpr const char* model_name[] = {"learned groups", "every parameter alone", "one group, free lengthscales",
                                      "one group, lengthscales alike", "one group, long lengthscales"};

// Of the structure sampler on points that are not two-level (docs/decisions/).
constexpr int first_sweeps = 30, later_sweeps = 2;
constexpr Index points_to_learn_from = 300;

structure::LearnOptions learn_options(const DefaultStrategy& strategy, const Situation& situation) {
    structure::LearnOptions options;
    options.max_group_size = strategy.max_group_size;
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

/// Whether no more than a share of the budget is left. Answers beyond it tell that nobody knows the end.
bool in_last(const Situation& situation, double share) {
    if (!situation.options.budget) return false;
    const double budget = *situation.options.budget, spent = static_cast<double>(situation.data.answered);
    return spent < budget && spent >= (1.0 - share) * budget;
}

}  // namespace

/// Parts of one function are mostly alike: their lengthscales are drawn together, those of single parameters and their
/// variances more so, because there are as many of them as parameters. Of the three models without groups one lets every
/// parameter have its own lengthscale, which few points cannot teach; one draws them together; one expects them to be long.
std::vector<HedgedModel> DefaultPlanner::fresh_models(Index dimension) {
    std::vector<HedgedModel> models(model_count, {.partition = Partition::single(dimension)});
    models[grouped].prior = PooledLengthscale{.spread = 0.5};
    models[alone].prior = PooledLengthscale{.spread = 0.3};
    models[alone].variance_log_scale = 0.5;
    models[alone].partition = Partition::singletons(dimension);
    models[one_alike].prior = PooledLengthscale{.spread = 0.3};
    models[one_long].prior = LogNormalLengthscale{};
    return models;
}

/// By what the models have foretold.
std::vector<double> DefaultPlanner::weights() const {
    std::vector<PredictiveScore> scores;
    for (const HedgedModel& model : models_) scores.push_back(model.score);
    return weights_of(scores, strategy_);
}

/// They were given, or found in points made for it.
bool DefaultPlanner::groups_are_sure(const Situation& situation) const {
    return designed_ || situation.known;
}

bool DefaultPlanner::sure_groups_lead(const Situation& situation) const {
    return groups_are_sure(situation) && weights()[grouped] > 0.5;
}

/// Whole draws ask about every unknown corner of every group. What that teaches pays late, and only if the groups are right;
/// with fewer evaluations for each parameter, near the end, and for groups that may be wrong, tempered draws end better.
double DefaultPlanner::temper_from(const Situation& situation) const {
    const auto evaluations = std::max<Index>(situation.options.budget.value_or(0), situation.data.y.size());
    const double enough = strategy_.explore_at * static_cast<double>(situation.encoding.dimension());
    const bool many = static_cast<double>(evaluations) >= enough;
    const bool whole = many && sure_groups_lead(situation) && !in_last(situation, strategy_.sure_finish_share);
    return whole ? 1.0 : strategy_.temper_from;
}

/// No model could tell which of the points that were tried would be good. What is left then is the lay of the land.
bool DefaultPlanner::blind(const Situation& situation) const {
    if (groups_are_sure(situation)) return false;
    return std::all_of(models_.begin(), models_.end(), [&](const HedgedModel& model) {
        const Agreement& agreement = model.score.agreement;
        return agreement.weight > 0.0 && agreement.correlation() < strategy_.blind_below;
    });
}

/// What is found far away near the end of a known budget cannot be followed up. Sure groups are different: a new hill of one
/// part is at once the best guess.
bool DefaultPlanner::finishing(const Situation& situation) const {
    return !sure_groups_lead(situation) && in_last(situation, strategy_.finish_share);
}

/// By weight. But a part is kept for the model with long lengthscales, unless groups that are sure lead or the end is near: it
/// takes the waves of a function for noise, so it foretells single values badly, and sees where the ground falls.
std::vector<double> DefaultPlanner::shares(const Situation& situation) const {
    std::vector<double> share = weights();
    if (sure_groups_lead(situation)) return share;
    const double kept = blind(situation) ? strategy_.blind_share : finishing(situation) ? 0.0 : strategy_.smooth_share;
    for (double& part : share) part *= 1.0 - kept;
    share[one_long] += kept;
    return share;
}

std::size_t DefaultPlanner::leader(const std::vector<double>& parts) {
    return static_cast<std::size_t>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

void DefaultPlanner::for_each_model(const Situation& situation, const std::function<void(std::size_t)>& body) {
    parallel_for(static_cast<std::int64_t>(model_count), situation.threads,
                 [&](std::int64_t m) { body(static_cast<std::size_t>(m)); });
}

AdditiveGp DefaultPlanner::posterior(std::size_t model, const Situation& situation) const {
    return models_[model].posterior(situation.data.X, situation.data.y, situation.encoding.unordered_columns());
}

/// Two-level points cost 3.5 to 4.5 evaluations a parameter because some functions need that many to show their groups;
/// most need fewer. Groups that explain all of the values, with fewer coefficients than values, are no accident. With noise
/// every point counts.
bool DefaultPlanner::has_seen_enough(const Situation& situation) {
    constexpr double all_but = 1e-4;  // of the variance: right groups leave 1e-8 without noise, wrong ones 1e-3
    if (!models_.empty()) return true;
    if (!should_look(situation)) return false;
    DefaultPlanner look = *this;
    const double unexplained = look.learn_first(situation);
    learned_from_ = look.learned_from_;
    work_spent_ = look.work_spent_;
    if (!look.designed_ || unexplained > all_but) return false;
    *this = std::move(look);
    return true;
}

/// A look takes seconds at D = 50 and half a minute at D = 100. A number of points that the user gave is kept.
bool DefaultPlanner::should_look(const Situation& situation) const {
    constexpr double points_a_parameter = 2.5;  // with fewer, groups are hardly ever sure
    constexpr Index fewest = 24, between_looks = 10;
    const Index points = situation.data.y.size(), dimension = situation.encoding.dimension();
    if (situation.known || situation.options.initial_points || dimension == 1) return false;
    if (points < fewest || static_cast<double>(points) < points_a_parameter * static_cast<double>(dimension))
        return false;
    if (points < learned_from_ + std::max(between_looks, dimension / 5)) return false;
    return mostly_two_level(situation.data.X) &&
           affordable(situation.options, learning_work(dimension, points, first_sweeps), work_spent_, points);
}

void DefaultPlanner::advance(const Situation& told) {
    const bool first = models_.empty() || !models_.front().fitted();
    if (!first) doubt_new(told);
    const Situation situation = believed(told);
    if (models_.empty()) learn_first(situation);
    if (!first) {
        judge(situation);
        const bool keep = designed_ && leader(shares(situation)) == grouped;
        if (due(situation)) keep ? grow(situation) : learn_again(situation);
    }
    fit(situation);
    if (first && designed_) weigh_first(situation);
    last_order_ = told.data.order.back();
    best_ = situation.data.y.maxCoeff();
    doubt_old(told);
}

/// Without the values that are doubted.
Situation DefaultPlanner::believed(const Situation& told) const {
    Situation situation = told;
    Data& data = situation.data;
    std::vector<Index> rows;
    for (Index i = 0; i < data.y.size(); ++i)
        if (std::find(doubted_.begin(), doubted_.end(), data.order[static_cast<std::size_t>(i)]) == doubted_.end())
            rows.push_back(i);
    if (static_cast<Index>(rows.size()) == data.y.size()) return situation;
    data.X = Matrix(data.X(rows, Eigen::indexing::all));
    data.y = Vector(data.y(rows));
    data.order.clear();
    for (const Index i : rows) data.order.push_back(told.data.order[static_cast<std::size_t>(i)]);
    return situation;
}

namespace {

// A value so far from its forecast is doubted, and believed again when the forecast has come so near.
constexpr double doubted_stddevs = 6.0, believed_stddevs = 3.0;

double stddev_of(const Vector& y) {
    return std::sqrt((y.array() - y.mean()).square().mean());
}

}  // namespace

/// Groups are sure, and a model with groups leads: which parts there are is known, and each is seen by many values.
bool DefaultPlanner::may_doubt(const Situation& situation) const {
    return groups_are_sure(situation) && leader(weights()) < one_free;
}

/// Where that is so, a value far from what the others foretell is taken for a slip of the evaluation: it would spoil every
/// part of the sum, and the score of the model that is right. No more than a few are, and one that the others have come to
/// foretell is believed again. New values are foretold from the old ones.
void DefaultPlanner::doubt_new(const Situation& told) {
    std::vector<std::int64_t> fresh;
    for (const std::int64_t order : told.data.order)
        if (order > last_order_) fresh.push_back(order);
    doubted_.insert(doubted_.end(), fresh.begin(), fresh.end());
    keep_doubting(told, believed(told), fresh);
}

/// Values that were there when the model was first fitted: each foretold from all others.
void DefaultPlanner::doubt_old(const Situation& told) {
    const Situation situation = believed(told);
    if (!may_doubt(situation)) {
        doubted_.clear();
        return;
    }
    keep_doubting(told, situation, {});
    const AdditiveGp gp = posterior(leader(weights()), situation);
    const Index N = gp.values().size();
    const double least = structure::least_wrong_share * stddev_of(gp.values());
    const Vector precision = gp.solve(Matrix::Identity(N, N)).diagonal();
    const auto room = static_cast<std::size_t>(structure::most_wrong_values(told.data.y.size()));
    for (Index i = 0; i < N && doubted_.size() < room; ++i)
        if (std::abs(gp.alpha()(i)) / precision(i) > std::max(doubted_stddevs / std::sqrt(precision(i)), least))
            doubted_.push_back(situation.data.order[static_cast<std::size_t>(i)]);
}

/// Of the doubted values, keeps those that are far from what the believed ones foretell; `fresh` ones must be farther.
void DefaultPlanner::keep_doubting(const Situation& told, const Situation& situation,
                                   const std::vector<std::int64_t>& fresh) {
    const auto before = std::exchange(doubted_, {});
    if (before.empty() || situation.data.y.size() == 0 || !may_doubt(situation)) return;
    const std::size_t model = leader(weights());
    const AdditiveGp gp = posterior(model, situation);
    const Vector seen = warp_of(models_[model].warp, situation.data.y)(told.data.y);
    const double least = structure::least_wrong_share * stddev_of(gp.values());
    const auto room = static_cast<std::size_t>(structure::most_wrong_values(told.data.y.size()));
    for (Index i = 0; i < told.data.y.size() && doubted_.size() < room; ++i) {
        const std::int64_t order = told.data.order[static_cast<std::size_t>(i)];
        if (std::find(before.begin(), before.end(), order) == before.end()) continue;
        const Marginals forecast = gp.sum_marginals(told.data.X.row(i));
        const double stddev = std::sqrt(forecast.variance(0) + gp.hyperparameters().noise_variance);
        const bool is_fresh = std::find(fresh.begin(), fresh.end(), order) != fresh.end();
        const double far = (is_fresh ? doubted_stddevs : believed_stddevs) * stddev;
        if (std::abs(seen(i) - forecast.mean(0)) > std::max(far, least)) doubted_.push_back(order);
    }
}

/// What the models foretold about the values that came since the last ask, and whether one of them is better than all before.
void DefaultPlanner::judge(const Situation& situation) {
    const Data& data = situation.data;
    std::vector<Index> old_rows, new_rows;
    for (Index i = 0; i < data.y.size(); ++i)
        (data.order[static_cast<std::size_t>(i)] > last_order_ ? new_rows : old_rows).push_back(i);
    if (new_rows.empty() || old_rows.empty()) return;
    const Matrix X = data.X(new_rows, Eigen::indexing::all);
    const Vector y = data.y(new_rows);
    const Matrix old_X = data.X(old_rows, Eigen::indexing::all);
    const Vector old_y = data.y(old_rows);
    const Tails tails = groups_are_sure(situation) ? Tails::normal : Tails::heavy;
    for_each_model(situation, [&](std::size_t m) {
        models_[m].foretell(old_X, old_y, X, y, situation.encoding.unordered_columns(), tails, strategy_);
    });
    // Better by a thousandth of what separates the best from the upper quartile: a measure that neither the origin of the
    // values nor a long tail of bad ones can spoil.
    const double quartile = kth_smallest(data.y, data.y.size() * 3 / 4);
    const bool improved = y.maxCoeff() > best_ + 1e-3 * (best_ - quartile);
    region_ = updated(region_, improved, static_cast<int>(y.size()), data.X.cols(), strategy_);
}

/// Points made to find the structure also tell which model is right, before anything was foretold. Other first points are
/// too few for that: they flatter the model that was fitted hardest.
void DefaultPlanner::weigh_first(const Situation& situation) {
    constexpr double worth = 50.0;
    for_each_model(situation, [&](std::size_t m) {
        models_[m].leave_one_out(situation.data.X, situation.data.y, situation.encoding.unordered_columns(), worth);
    });
}

bool DefaultPlanner::due(const Situation& situation) const {
    const Index points = situation.data.y.size(), dimension = situation.encoding.dimension();
    if (situation.known || dimension == 1) return false;
    if (static_cast<double>(points) < strategy_.relearn_growth * static_cast<double>(learned_from_)) return false;
    return affordable(situation.options, learning_work(dimension, std::min(points, points_to_learn_from), later_sweeps),
                      work_spent_, points);
}

double DefaultPlanner::learn_first(const Situation& situation) {
    const Index dimension = situation.encoding.dimension();
    double unexplained = 0.0;
    models_ = fresh_models(dimension);
    structure_ = {.partition = situation.known.value_or(Partition::single(dimension)),
                  .verdict = "The groups were given.",
                  .found = true};
    unit_ = situation.data.unit;
    if (!situation.known && dimension > 1) {
        const bool two_level = mostly_two_level(situation.data.X);
        const Sample data =
            sample_of(situation.data,
                      representative_rows(situation.data.y, two_level ? situation.data.y.size() : points_to_learn_from,
                                          situation.root.stream("structure/rows", {situation.ask})));
        if (varies(data.y)) {
            const auto learner = two_level
                                     ? structure::AnnealedChains{.chains = 2}
                                     : structure::AnnealedChains{.chains = 2, .max_sweeps = first_sweeps, .samples = 5};
            const auto found =
                learn_structure(data.X, data.y, learner, situation.root.stream("structure", {situation.ask}),
                                learn_options(strategy_, situation));
            structure_ = summary(found, trusted(found), unit_);
            designed_ = two_level && found.verdict == structure::Verdict::structure_found;
            unexplained = found.noise_share;
            work_spent_ += learning_work(dimension, data.y.size(), first_sweeps);
        } else {
            structure_ = nothing_seen(dimension);
            unexplained = 1.0;
        }
    }
    models_[grouped].partition = structure_.partition;
    learned_from_ = situation.data.y.size();
    return unexplained;
}

/// Points that structure is learned from again: some that stand for all, and those made for it.
Sample DefaultPlanner::structure_sample(const Situation& situation, const Rng& rng) {
    std::vector<Index> rows = representative_rows(situation.data.y, points_to_learn_from, rng.stream("rows"));
    const std::vector<Index> made = structure::find_two_level_rows(situation.data.X).rows();
    rows.insert(rows.end(), made.begin(), made.end());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return sample_of(situation.data, rows);
}

/// Points chosen to be good tell less about the structure than points made for it, so they must not undo it; but what it lacks
/// they may show. The two groups whose odds to belong together are highest are merged, if that is sure.
void DefaultPlanner::grow(const Situation& situation) {
    const Rng rng = situation.root.stream("structure", {situation.ask});
    const Sample data = structure_sample(situation, rng);
    learned_from_ = situation.data.y.size();
    HedgedModel& model = models_[grouped];
    const auto check = structure::check_groups(model.family, model.partition, model.hyperparameters,
                                               situation.encoding.unordered_columns(), data.X,
                                               warp_of(model.warp, situation.data.y)(data.y));
    work_spent_ += learning_work(data.X.cols(), data.y.size(), 1);
    Index a = 0, b = 0;
    if (check.merge_odds.size() == 0 || check.merge_odds.maxCoeff(&a, &b) < structure::surely_missing) return;
    std::vector<int> label = model.partition.labels();
    std::replace(label.begin(), label.end(), static_cast<int>(b), static_cast<int>(a));
    const Partition merged = Partition::from_labels(label);
    if (merged.largest_group() > strategy_.max_group_size) return;
    constexpr int evaluations = 20;
    model.hyperparameters =
        fit_model(model, merged, data, situation, evaluations, {}, rng.stream("merged")).hyperparameters;
    model.partition = structure_.partition = merged;
}

/// A few sweeps from the structure in use. What they propose must explain the data better once ALL hyperparameters have been
/// fitted for it: a Metropolis test on the two fits ("evidence gate"). Without it good structures are lost again.
void DefaultPlanner::learn_again(const Situation& situation) {
    const Rng rng = situation.root.stream("structure", {situation.ask});
    const Sample data = structure_sample(situation, rng);
    learned_from_ = situation.data.y.size();
    if (!varies(data.y)) return;
    structure::LearnOptions options = learn_options(strategy_, situation);
    options.warm_start = {models_[grouped].partition};
    const auto found = learn_structure(
        data.X, data.y,
        structure::AnnealedChains{.chains = 1, .max_sweeps = later_sweeps, .samples = later_sweeps, .all_points = true},
        rng, options);
    work_spent_ += learning_work(data.X.cols(), data.y.size(), 2 * later_sweeps);
    HedgedModel& model = models_[grouped];
    if (found.best == model.partition) return;
    constexpr int evaluations = 20;
    const FitResult current =
        fit_model(model, model.partition, data, situation, evaluations, model.hyperparameters, rng.stream("current"));
    const FitResult proposed = fit_model(model, found.best, data, situation, evaluations, {}, rng.stream("proposed"));
    if (-rng.stream("accept").exponential() >= proposed.log_posterior - current.log_posterior) return;
    structure_ = summary(found, found.best, unit_);
    model.partition = found.best;
    model.hyperparameters = proposed.hyperparameters;
}

/// Kernels and warps are chosen when the data have grown as much as a structure is learned again after.
void DefaultPlanner::fit(const Situation& situation) {
    const Index points = situation.data.y.size();
    const bool choose = static_cast<double>(points) >= strategy_.relearn_growth * static_cast<double>(chosen_from_);
    if (choose) chosen_from_ = points;
    const Rng rng = situation.root.stream("fit", {situation.ask});
    const Sample data =
        sample_of(situation.data, representative_rows(situation.data.y, strategy_.fit_points, rng.stream("rows")));
    for_each_model(situation, [&](std::size_t m) {
        refit(models_[m], data, situation, choose, rng.stream("model", {static_cast<std::int64_t>(m)}));
    });
}

std::optional<Learned> DefaultPlanner::learned() const {
    if (models_.empty()) return {};
    Learned result = structure_;
    const std::vector<double> w = weights();
    for (std::size_t m = 0; m < models_.size(); ++m) result.models.emplace_back(model_name[m], w[m]);
    return result;
}

std::optional<AdditiveGp> DefaultPlanner::surrogate(const Situation& told) const {
    if (models_.empty()) return {};
    const Situation situation = believed(told);
    return models_[leader(weights())].shown(situation.data.X, situation.data.y, situation.encoding.unordered_columns());
}

std::string DefaultPlanner::save() const {
    nlohmann::json models = nlohmann::json::array();
    for (const HedgedModel& model : models_)
        models.push_back({{"partition", to_json(model.partition)},
                          {"kernel", static_cast<int>(model.family)},
                          {"warp", model.warp},
                          {"hyperparameters", to_json(model.hyperparameters)},
                          {"score", {model.score.log_density, model.score.squared_errors, model.score.count}},
                          {"agreement",
                           {model.score.agreement.weight, model.score.agreement.foretold, model.score.agreement.told,
                            model.score.agreement.foretold_square, model.score.agreement.told_square,
                            model.score.agreement.product}}});
    const nlohmann::json state = {{"models", models},
                                  {"region",
                                   {region_.length, region_.successes, region_.failures, region_.restarts,
                                    region_.round_evaluations, region_.round_improved}},
                                  {"last_order", last_order_},
                                  {"best", best_},
                                  {"unit", unit_},
                                  {"learned_from", learned_from_},
                                  {"chosen_from", chosen_from_},
                                  {"designed", designed_},
                                  {"doubted", doubted_},
                                  {"work_spent", work_spent_},
                                  {"structure", to_json(structure_)}};
    return state.dump();
}

void DefaultPlanner::load(const std::string& text) {
    try {
        const nlohmann::json state = nlohmann::json::parse(text);
        DefaultPlanner loaded(strategy_);
        const nlohmann::json& models = state.at("models");
        if (!models.empty()) loaded.models_ = fresh_models(partition_from(models.at(0).at("partition")).dimension());
        for (std::size_t m = 0; m < loaded.models_.size(); ++m) {
            const nlohmann::json& saved = models.at(m);
            const nlohmann::json &score = saved.at("score"), &agreement = saved.at("agreement");
            HedgedModel& model = loaded.models_[m];
            model.partition = partition_from(saved.at("partition"));
            model.family = static_cast<KernelFamily>(saved.at("kernel").get<int>());
            model.warp = saved.at("warp");
            model.hyperparameters = hyperparameters_from(saved.at("hyperparameters"));
            model.score = {.log_density = score.at(0),
                           .squared_errors = score.at(1),
                           .count = score.at(2),
                           .agreement = {.weight = agreement.at(0),
                                         .foretold = agreement.at(1),
                                         .told = agreement.at(2),
                                         .foretold_square = agreement.at(3),
                                         .told_square = agreement.at(4),
                                         .product = agreement.at(5)}};
        }
        const nlohmann::json& region = state.at("region");
        loaded.region_ = {.length = region.at(0),
                          .successes = region.at(1),
                          .failures = region.at(2),
                          .restarts = region.at(3),
                          .round_evaluations = region.at(4),
                          .round_improved = region.at(5)};
        loaded.last_order_ = state.at("last_order");
        loaded.best_ = state.at("best");
        loaded.unit_ = state.at("unit");
        loaded.learned_from_ = state.at("learned_from");
        loaded.chosen_from_ = state.at("chosen_from");
        loaded.designed_ = state.at("designed");
        loaded.doubted_ = state.at("doubted").get<std::vector<std::int64_t>>();
        loaded.work_spent_ = state.at("work_spent");
        loaded.structure_ = learned_from(state.at("structure"));
        *this = std::move(loaded);
    } catch (const nlohmann::json::exception& error) {
        throw InvalidArgument(std::string("snapshot: the planner's state cannot be read: ") + error.what());
    }
}

}  // namespace summand::optimizer
