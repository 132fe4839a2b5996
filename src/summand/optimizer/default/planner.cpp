// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/planner.hpp"

#include "summand/base/kth_smallest.hpp"
#include "summand/base/parallel.hpp"
#include "summand/optimizer/representative.hpp"

#include <algorithm>
#include <cmath>

namespace summand::optimizer {
namespace {

constexpr const char* model_name[] = {"learned groups", "every parameter alone", "one group, free lengthscales",
                                      "one group, lengthscales alike", "one group, long lengthscales"};

// Most points that hyperparameters are fitted on: the cost grows with their cube.
constexpr Index fit_points = 400;

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

void DefaultPlanner::for_each_model(const Situation& situation, const std::function<void(std::size_t)>& body) {
    parallel_for(static_cast<std::int64_t>(model_count), situation.threads,
                 [&](std::int64_t m) { body(static_cast<std::size_t>(m)); });
}

std::vector<double> DefaultPlanner::weights() const {
    std::vector<PredictiveScore> scores;
    for (const HedgedModel& model : models_) scores.push_back(model.score);
    return weights_of(scores);
}

std::size_t DefaultPlanner::leader() const {
    return largest(weights());
}

/// They were given, or found in points made for it.
bool DefaultPlanner::groups_are_sure(const Situation& situation) const {
    return groups_.designed || situation.known;
}

/// Which parts there are is known, and each is seen by many values.
bool DefaultPlanner::sure_groups_lead(const Situation& situation) const {
    return groups_are_sure(situation) && leader() < one_free;
}

bool DefaultPlanner::advance(const Situation& told) {
    if (models_.empty() && !begin(told)) return false;
    if (told.data.unit != unit_) forget_units(told.data.unit);
    const bool first = !models_.front().fitted();
    if (!first) doubts_.judge_new(told, last_order_, models_[leader()]);
    const Situation situation = doubts_.believed(told);
    if (!first) {
        judge(situation);
        learn_again(situation);
    }
    fit(situation);
    if (first && groups_.designed) weigh_first(situation);
    last_order_ = told.data.order.back();
    best_ = situation.data.y.maxCoeff();
    doubts_.judge_old(told, models_[leader()]);
    return true;
}

/// Groups from the initial design, or from a part of it. Two-level points cost 3.5 to 4.5 evaluations a parameter because some
/// functions need that many to show their groups; most need fewer. Groups that explain all of the values, with fewer
/// coefficients than values, are no accident. With noise every point counts.
bool DefaultPlanner::begin(const Situation& situation) {
    constexpr double all_but = 1e-4;  // of the variance: right groups leave 1e-8 without noise, wrong ones 1e-3
    if (situation.in_design && !groups_.should_look(situation)) return false;
    Groups found = groups_;
    const double unexplained = found.learn(situation, strategy_.max_group_size);
    if (situation.in_design && (!found.designed || unexplained > all_but)) {
        groups_.learned_from = found.learned_from;
        groups_.work_spent = found.work_spent;
        return false;
    }
    groups_ = std::move(found);
    models_ = fresh_models(situation.encoding.dimension());
    models_[grouped].partition = groups_.structure.partition;
    unit_ = situation.data.unit;
    return true;
}

/// Values of another size than all before: what was said in the old unit says nothing now.
void DefaultPlanner::forget_units(double unit) {
    for (HedgedModel& model : models_) {
        model.hyperparameters = {};
        model.score = {};
    }
    unit_ = unit;
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
        models_[m].foretell(old_X, old_y, X, y, situation.encoding.unordered_columns(), tails);
    });
    // Better by a thousandth of what separates the best from the upper quartile: a measure that neither the origin of the
    // values nor a long tail of bad ones can spoil.
    const double quartile = kth_smallest(data.y, data.y.size() * 3 / 4);
    const bool improved = y.maxCoeff() > best_ + 1e-3 * (best_ - quartile);
    region_ = updated(region_, improved, static_cast<int>(y.size()), data.X.cols());
}

/// Groups made sure by a design only grow, as long as they predict best, or single parameters do, which they may be.
void DefaultPlanner::learn_again(const Situation& situation) {
    if (!groups_.due(situation)) return;
    if (groups_.designed && leader() < one_free)
        groups_.grow(models_[grouped], situation, strategy_.max_group_size);
    else
        groups_.learn_again(models_[grouped], situation, strategy_.max_group_size);
}

/// All numbers of all models follow the data. Kernel and warp are chosen again when the data have grown; once fits cost, by one
/// model an ask, the one that has waited longest: comparing them costs as much as ten asks.
void DefaultPlanner::fit(const Situation& situation) {
    const Index points = situation.data.y.size();
    const auto oldest = std::min_element(models_.begin(), models_.end(),
                                         [](const auto& a, const auto& b) { return a.chosen_from < b.chosen_from; });
    const auto turn = static_cast<std::size_t>(oldest - models_.begin());
    const Rng rng = situation.root.stream("fit", {situation.ask});
    const Sample data =
        sample_of(situation.data, representative_rows(situation.data.y, fit_points, rng.stream("rows")));
    for_each_model(situation, [&](std::size_t m) {
        HedgedModel& model = models_[m];
        const bool may_choose = points <= cheap_points || m == turn;
        const bool choose = !model.fitted() || (may_choose && has_grown(points, model.chosen_from));
        if (choose) model.chosen_from = points;
        refit(model, data, situation, choose, rng.stream("model", {static_cast<std::int64_t>(m)}));
    });
}

/// Points made to find the structure also tell which model is right, before anything was foretold. Other first points are
/// too few for that: they flatter the model that was fitted hardest.
void DefaultPlanner::weigh_first(const Situation& situation) {
    constexpr double worth = 50.0;
    for_each_model(situation, [&](std::size_t m) {
        models_[m].leave_one_out(situation.data.X, situation.data.y, situation.encoding.unordered_columns(), worth);
    });
}

AdditiveGp DefaultPlanner::posterior(std::size_t model, const Situation& situation) const {
    return models_[model].posterior(situation.data.X, situation.data.y, situation.encoding.unordered_columns());
}

std::optional<Learned> DefaultPlanner::learned() const {
    if (models_.empty()) return {};
    Learned result = groups_.structure;
    const std::vector<double> weight = weights();
    for (std::size_t m = 0; m < models_.size(); ++m) result.models.emplace_back(model_name[m], weight[m]);
    return result;
}

/// The mixture of all models by their weights. The leader alone misleads where several lead by turns, and where what it cannot
/// follow looks like noise to it.
std::optional<Expected> DefaultPlanner::expected(const Situation& told) const {
    const Situation situation = doubts_.believed(told);
    if (models_.empty() || situation.data.y.size() == 0) return {};
    std::vector<Expected> each(model_count);
    for_each_model(situation, [&](std::size_t m) {
        each[m] = models_[m].expected(situation.data.X, situation.data.y, situation.encoding.unordered_columns(),
                                      told.data.X);
    });
    const std::vector<double> weight = weights();
    const Index points = told.data.X.rows();
    Vector mean = Vector::Zero(points), variance = Vector::Zero(points);
    double noise_variance = 0.0;
    for (std::size_t m = 0; m < each.size(); ++m) {
        mean += weight[m] * each[m].mean;
        noise_variance += weight[m] * each[m].noise_stddev * each[m].noise_stddev;
    }
    // Σ w (σ² + (μ - mean)²)
    for (std::size_t m = 0; m < each.size(); ++m)
        variance.array() += weight[m] * (each[m].stddev.array().square() + (each[m].mean - mean).array().square());
    return Expected{.mean = mean,
                    .stddev = variance.cwiseSqrt(),
                    .noise_stddev = std::sqrt(noise_variance),
                    .doubted = doubts_.mask(told)};
}

std::optional<AdditiveGp> DefaultPlanner::surrogate(const Situation& told) const {
    const Situation situation = doubts_.believed(told);
    if (models_.empty() || situation.data.y.size() == 0) return {};
    return models_[leader()].shown(situation.data.X, situation.data.y, situation.encoding.unordered_columns());
}

}  // namespace summand::optimizer
