// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default_planner.hpp"

#include "summand/acquisition/domain.hpp"
#include "summand/base/error.hpp"
#include "summand/batch/select.hpp"
#include "summand/model/fit.hpp"
#include "summand/optimizer/masked_draws.hpp"
#include "summand/optimizer/representative.hpp"
#include "summand/optimizer/state_json.hpp"
#include "summand/optimizer/work.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace summand::optimizer {
namespace {

constexpr KernelFamily family = KernelFamily::matern52;
constexpr std::size_t grouped = 0;  // position of the model with learned groups
constexpr const char* model_name[] = {"learned groups", "one group, gamma prior", "one group, log-normal prior"};

// Of the structure sampler on points that are not two-level (docs/decisions/).
constexpr int first_sweeps = 30, later_sweeps = 2;
constexpr Index points_to_learn_from = 300;

LengthscalePrior prior_of(std::size_t model) {
    if (model == 2) return LogNormalLengthscale{};
    return GammaLengthscale{};
}

struct Subset {
    Matrix X = {};
    Vector y = {};
};
Subset subset(const Data& data, Index limit, const Rng& rng) {
    const std::vector<Index> rows = representative_rows(data.y, limit, rng);
    return {.X = data.X(rows, Eigen::indexing::all), .y = data.y(rows)};
}

FitResult fit_model(std::size_t model, const Partition& partition, const Subset& data, int evaluations,
                    const std::optional<Hyperparameters>& warm, const Situation& situation, const Rng& rng) {
    const FitOptions options{.family = family,
                             .lengthscale = prior_of(model),
                             .starts = 1,
                             .max_evaluations = evaluations,
                             .threads = situation.threads};
    return fit_hyperparameters(partition, data.X, data.y, situation.encoding.unordered_columns(), options, rng, warm,
                               situation.stop);
}

structure::LearnOptions learn_options(const DefaultStrategy& strategy, const Situation& situation) {
    structure::LearnOptions options;
    options.max_group_size = strategy.max_group_size;
    options.unordered = situation.encoding.unordered_columns();
    options.threads = situation.threads;
    options.stop = situation.stop;
    return options;
}

/// Pairs on which chains disagree are arbitrary: then only those that most samples join are used.
Partition trusted(const structure::StructurePosterior& posterior) {
    const bool sure = posterior.verdict == structure::Verdict::structure_found ||
                      posterior.verdict == structure::Verdict::overlapping_groups_suspected;
    return sure ? posterior.best : posterior.consensus;
}

Matrix stacked(const std::vector<Matrix>& parts, Index columns) {
    Index rows = 0;
    for (const Matrix& part : parts) rows += part.rows();
    Matrix all(rows, columns);
    rows = 0;
    for (const Matrix& part : parts) {
        all.middleRows(rows, part.rows()) = part;
        rows += part.rows();
    }
    return all;
}

}  // namespace

std::vector<double> DefaultPlanner::weights() const {
    std::vector<PredictiveScore> scores;
    for (const Model& model : models_) scores.push_back(model.score);
    return weights_of(scores, strategy_);
}

std::size_t DefaultPlanner::heaviest() const {
    const std::vector<double> w = weights();
    return static_cast<std::size_t>(std::max_element(w.begin(), w.end()) - w.begin());
}

AdditiveGp DefaultPlanner::posterior(const Model& model, const Situation& situation) const {
    return AdditiveGp(family, model.partition, model.hyperparameters, situation.data.X, situation.data.y,
                      situation.encoding.unordered_columns());
}

void DefaultPlanner::advance(const Situation& situation) {
    if (models_.empty()) {
        learn_first(situation);
    } else {
        judge(situation);
        if (due(situation)) learn_again(situation);
    }
    fit(situation);
    last_order_ = situation.data.order.back();
    best_ = situation.data.y.maxCoeff();
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
    for (Model& model : models_) {
        const AdditiveGp gp(family, model.partition, model.hyperparameters, data.X(old_rows, Eigen::indexing::all),
                            data.y(old_rows), situation.encoding.unordered_columns());
        model.score = scored(model.score, gp, X, y, strategy_);
    }
    // Better by a thousandth of what separates the best from the upper quartile: a measure that neither the origin of the
    // values nor a long tail of bad ones can spoil.
    std::vector<double> sorted(data.y.data(), data.y.data() + data.y.size());
    const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() * 3 / 4);
    std::nth_element(sorted.begin(), quartile, sorted.end());
    const bool improved = y.maxCoeff() > best_ + 1e-3 * (best_ - *quartile);
    region_ = updated(region_, improved, static_cast<int>(y.size()), data.X.cols(), strategy_);
}

bool DefaultPlanner::due(const Situation& situation) const {
    const Index points = situation.data.y.size(), dimension = situation.encoding.dimension();
    if (situation.known || dimension == 1) return false;
    if (static_cast<double>(points) < strategy_.relearn_growth * static_cast<double>(learned_from_)) return false;
    return affordable(situation.options, learning_work(dimension, std::min(points, points_to_learn_from), later_sweeps),
                      work_spent_, points);
}

void DefaultPlanner::learn_first(const Situation& situation) {
    const Index dimension = situation.encoding.dimension();
    models_.assign(3, {.partition = Partition::single(dimension)});
    structure_ = {.partition = situation.known.value_or(Partition::single(dimension)),
                  .verdict = "the groups were given"};
    if (!situation.known && dimension > 1) {
        const bool two_level = 2 * structure::find_two_level_rows(situation.data.X).points() >= situation.data.y.size();
        const Subset data = subset(situation.data, two_level ? situation.data.y.size() : points_to_learn_from,
                                   situation.root.stream("structure/rows", {situation.ask}));
        const auto learner = two_level
                                 ? structure::AnnealedChains{.chains = 2}
                                 : structure::AnnealedChains{.chains = 2, .max_sweeps = first_sweeps, .samples = 5};
        const auto found = learn_structure(data.X, data.y, learner, situation.root.stream("structure", {situation.ask}),
                                           learn_options(strategy_, situation));
        structure_ = summary(found, trusted(found));
        work_spent_ += learning_work(dimension, data.y.size(), first_sweeps);
    }
    models_[grouped].partition = structure_.partition;
    learned_from_ = situation.data.y.size();
}

/// A few sweeps from the structure in use. What they propose must explain the data better once ALL hyperparameters have been
/// fitted for it: a Metropolis test on the two fits ("evidence gate"). Without it good structures are lost again.
void DefaultPlanner::learn_again(const Situation& situation) {
    const Rng rng = situation.root.stream("structure", {situation.ask});
    const Subset data = subset(situation.data, points_to_learn_from, rng.stream("rows"));
    structure::LearnOptions options = learn_options(strategy_, situation);
    options.warm_start = {models_[grouped].partition};
    const auto found = learn_structure(
        data.X, data.y,
        structure::AnnealedChains{.chains = 1, .max_sweeps = later_sweeps, .samples = later_sweeps, .all_points = true},
        rng, options);
    work_spent_ += learning_work(data.X.cols(), data.y.size(), 2 * later_sweeps);
    learned_from_ = situation.data.y.size();
    Model& model = models_[grouped];
    if (found.best == model.partition) return;
    constexpr int evaluations = 20;
    const FitResult current =
        fit_model(grouped, model.partition, data, evaluations, model.hyperparameters, situation, rng.stream("current"));
    const FitResult proposed = fit_model(grouped, found.best, data, evaluations, {}, situation, rng.stream("proposed"));
    if (-rng.stream("accept").exponential() >= proposed.log_posterior - current.log_posterior) return;
    structure_ = summary(found, found.best);
    model.partition = found.best;
    model.hyperparameters = proposed.hyperparameters;
}

void DefaultPlanner::fit(const Situation& situation) {
    constexpr int first_evaluations = 40, later_evaluations = 6;
    const Rng rng = situation.root.stream("fit", {situation.ask});
    const Subset data = subset(situation.data, strategy_.fit_points, rng.stream("rows"));
    for (std::size_t m = 0; m < models_.size(); ++m) {
        Model& model = models_[m];
        const bool first = model.hyperparameters.lengthscale.size() == 0;
        const std::optional<Hyperparameters> warm = first ? std::nullopt : std::optional(model.hyperparameters);
        model.hyperparameters = fit_model(m, model.partition, data, first ? first_evaluations : later_evaluations, warm,
                                          situation, rng.stream("model", {static_cast<std::int64_t>(m)}))
                                    .hyperparameters;
    }
}

/// Thompson points of the model with groups: in the trust region, or mostly in the whole cube if it has proved itself.
Matrix DefaultPlanner::grouped_points(const AdditiveGp& gp, const Situation& situation, const Vector& centre,
                                      Index count, const Rng& rng) const {
    const Domain cube = Domain::of(situation.encoding);
    const Box box = box_around(centre, region_.length, gp.hyperparameters().lengthscale);
    const bool proved = 1.0 - weights()[grouped] < strategy_.whole_cube_below;
    Rng coins = rng.stream("whole-cube");
    Index everywhere = 0;
    for (Index i = 0; proved && i < count; ++i) everywhere += coins.coin(strategy_.whole_cube_share) ? 1 : 0;
    const batch::ThompsonOptions options{
        .exploit_first = false, .follow = strategy_.draw_share, .threads = situation.threads};
    const Matrix incumbents = best_rows(situation.data.X, situation.data.y, options.search.incumbents_used);
    std::vector<Matrix> parts;
    if (everywhere > 0)
        parts.push_back(select_thompson({{.gp = gp}}, cube, everywhere, incumbents, options, rng.stream("everywhere")));
    if (everywhere < count)
        parts.push_back(select_thompson({{.gp = gp}}, cube.within(box.low, box.high), count - everywhere, incumbents,
                                        options, rng.stream("nearby")));
    return stacked(parts, centre.size());
}

Matrix DefaultPlanner::propose(const Situation& situation, Index count) const {
    const Data& data = situation.data;
    Rng rng = situation.root.stream("propose", {situation.ask});
    // Every fifth point or so is pure exploitation: the first of a batch, or now and then one of single asks.
    const bool exploit = rng.uniform() < static_cast<double>(count) / 5.0;
    std::vector<Index> share = batch::share_out(weights(), count - (exploit ? 1 : 0), rng);
    const std::size_t leader = heaviest();
    const AdditiveGp lead = posterior(models_[leader], situation);
    // The centre is the point with the best posterior mean, which at observed points is y - noise α: noise must not decide.
    Index top = 0;
    (data.y - lead.hyperparameters().noise_variance * lead.alpha()).maxCoeff(&top);
    const Vector centre = data.X.row(top).transpose();

    std::vector<Matrix> parts;
    for (std::size_t m = 0; m < models_.size(); ++m) {
        const bool leads = exploit && m == leader;
        if (share[m] == 0 && !leads) continue;
        const AdditiveGp gp = (m == leader ? lead : posterior(models_[m], situation)).with_pending(data.pending);
        const Rng stream = rng.stream("model", {static_cast<std::int64_t>(m)});
        const Box box = box_around(centre, region_.length, gp.hyperparameters().lengthscale);
        const Domain near = Domain::of(situation.encoding).within(box.low, box.high);
        if (leads) {
            const Matrix best = maximize_mean(gp, near, best_rows(data.X, data.y, 8), SearchOptions{.points = 2000},
                                              stream.stream("exploit"), situation.threads)
                                    .point.transpose();
            parts.insert(parts.begin(), best);
        }
        if (share[m] == 0) continue;
        parts.push_back(m == grouped ? grouped_points(gp, situation, centre, share[m], stream)
                                     : masked_thompson(gp, near, centre, share[m], stream, situation.threads));
    }
    return stacked(parts, data.X.cols());
}

std::optional<Learned> DefaultPlanner::learned() const {
    if (models_.empty()) return {};
    Learned result = structure_;
    const std::vector<double> w = weights();
    for (std::size_t m = 0; m < models_.size(); ++m) result.models.emplace_back(model_name[m], w[m]);
    return result;
}

std::optional<AdditiveGp> DefaultPlanner::surrogate(const Situation& situation) const {
    if (models_.empty()) return {};
    return posterior(models_[heaviest()], situation);
}

std::string DefaultPlanner::save() const {
    nlohmann::json models = nlohmann::json::array();
    for (const Model& model : models_)
        models.push_back({{"partition", to_json(model.partition)},
                          {"hyperparameters", to_json(model.hyperparameters)},
                          {"score", {model.score.log_density, model.score.squared_errors, model.score.count}}});
    const nlohmann::json state = {{"models", models},
                                  {"region", {region_.length, region_.successes, region_.failures, region_.restarts}},
                                  {"last_order", last_order_},
                                  {"best", best_},
                                  {"learned_from", learned_from_},
                                  {"work_spent", work_spent_},
                                  {"structure", to_json(structure_)}};
    return state.dump();
}

void DefaultPlanner::load(const std::string& text) {
    try {
        const nlohmann::json state = nlohmann::json::parse(text);
        DefaultPlanner loaded(strategy_);
        for (const nlohmann::json& model : state.at("models")) {
            const nlohmann::json& score = model.at("score");
            loaded.models_.push_back(
                {.partition = partition_from(model.at("partition")),
                 .hyperparameters = hyperparameters_from(model.at("hyperparameters")),
                 .score = {.log_density = score.at(0), .squared_errors = score.at(1), .count = score.at(2)}});
        }
        const nlohmann::json& region = state.at("region");
        loaded.region_ = {
            .length = region.at(0), .successes = region.at(1), .failures = region.at(2), .restarts = region.at(3)};
        loaded.last_order_ = state.at("last_order");
        loaded.best_ = state.at("best");
        loaded.learned_from_ = state.at("learned_from");
        loaded.work_spent_ = state.at("work_spent");
        loaded.structure_ = learned_from(state.at("structure"));
        *this = std::move(loaded);
    } catch (const nlohmann::json::exception& error) {
        throw InvalidArgument(std::string("snapshot: the planner's state cannot be read: ") + error.what());
    }
}

}  // namespace summand::optimizer
