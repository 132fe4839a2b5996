// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/loop.hpp"

#include "summand/base/parallel.hpp"
#include "summand/base/stop.hpp"
#include "summand/optimizer/design.hpp"
#include "summand/optimizer/failure_risk.hpp"
#include "summand/optimizer/representative.hpp"
#include "summand/optimizer/snapshot.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

/// Options::groups by column; unmentioned parameters are groups of their own.
std::optional<Partition> known_partition(const Options& options, const SearchSpace& space,
                                         std::vector<std::string>& problems) {
    if (options.groups.empty()) return {};
    std::vector<int> label(space.size());
    for (std::size_t j = 0; j < label.size(); ++j) label[j] = static_cast<int>(j);
    for (const auto& group : options.groups) {
        std::optional<std::size_t> first;
        for (const std::string& name : group) {
            const auto j = space.find(name);
            if (!j) {
                const auto near = nearest_name(name, space.names());
                problems.push_back("Options: groups mentions \"" + name + "\", which is not a parameter" +
                                   (near ? "; did you mean \"" + *near + "\"?" : "; use names of the search space"));
                continue;
            }
            if (!first) first = j;
            label[*j] = label[*first];
        }
    }
    return Partition::from_labels(label);
}

/// Groups that the paper's strategy could not make of this space whatever is told: said now, not once values are there.
void check_limits(const Options& options, const std::optional<Partition>& known, Index dimension,
                  std::vector<std::string>& problems) {
    const auto* strategy = std::get_if<PaperStrategy>(&*options.strategy);
    if (strategy == nullptr) return;
    const Index most = strategy->max_groups.value_or(dimension), largest = strategy->max_group_size.value_or(dimension);
    const Index fixed = known ? known->group_count() : strategy->learner == LearnerName::full ? dimension : 1;
    if (fixed > most)
        problems.push_back(
            "Options: max_groups is " + std::to_string(most) + ", but " +
            (known ? "groups, with a group for each parameter it does not mention," : "learner = \"full\"") +
            " makes " + std::to_string(fixed) + "; raise max_groups, or leave it out");
    if (most >= 1 && largest >= 1 && most * largest < dimension)
        problems.push_back("Options: max_groups is " + std::to_string(most) + " and max_group_size is " +
                           std::to_string(largest) + ", room for fewer than the " + std::to_string(dimension) +
                           " parameters of the search space; raise one of them, or leave it out");
}

std::string lines(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += (text.empty() ? "" : "\n") + sentence;
    return text;
}

/// Two values that differ are the least a model can stand on.
bool has_model(const Situation& situation) {
    const Vector& y = situation.data.y;
    return y.size() >= 2 && y.maxCoeff() > y.minCoeff();
}

/// The point itself if its risk is tolerable. Otherwise some of its coordinates are taken from points that have worked: of
/// 64 such crossings the one nearest to the point whose risk is tolerable, or the least risky. Crossing stays on the
/// allowed values and can keep the one coordinate that must not change while all others move.
Vector safe_point(const Vector& wanted, const Matrix& good, const FailureRisk& risk, Rng& rng) {
    double chosen_risk = risk(wanted), chosen_distance = 0.0;
    Vector chosen = wanted;
    if (chosen_risk <= tolerated_risk) return chosen;
    constexpr int crossings = 64;
    for (int c = 0; c < crossings; ++c) {
        Vector crossed = wanted;
        const Index parent = rng.below(good.rows());
        const double share = rng.uniform();
        for (Index j = 0; j < crossed.size(); ++j)
            if (rng.coin(share)) crossed(j) = good(parent, j);
        const double its_risk = risk(crossed), distance = (crossed - wanted).squaredNorm();
        const bool safe = its_risk <= tolerated_risk, found = chosen_risk <= tolerated_risk;
        if (found ? safe && distance < chosen_distance : its_risk < chosen_risk) {
            chosen = crossed;
            chosen_risk = its_risk;
            chosen_distance = distance;
        }
    }
    return chosen;
}

}  // namespace

Loop::Loop(SearchSpace space, const Options& options)
    : space_(std::make_shared<const SearchSpace>(std::move(space))),
      encoding_(*space_),
      options_(resolved(options)),
      root_(Rng::from_seed(options.seed)),
      ledger_(space_, encoding_, options.goal) {
    std::vector<std::string> problems = options.problems();
    known_ = known_partition(options, *space_, problems);
    check_limits(options_, known_, encoding_.dimension(), problems);
    if (!problems.empty()) throw InvalidArgument(lines(problems));
    design_ = make_design(plan_design(options_, encoding_.dimension()), encoding_, root_.stream("design"));
    planner_ = make_planner(options_);
}

Loop::Loop(const Loop& other)
    : space_(other.space_),
      encoding_(other.encoding_),
      options_(other.options_),
      known_(other.known_),
      root_(other.root_),
      design_(other.design_),
      ledger_(other.ledger_),
      planner_(other.planner_->clone()) {}

Situation Loop::situation(std::stop_token stop) const {
    return {.encoding = encoding_,
            .options = options_,
            .known = known_,
            .root = root_,
            .ask = ledger_.next_ask(),
            .data = model_data(ledger_.data(), options_.model_points, root_.stream("thin", {ledger_.next_ask()})),
            .threads = resolve_threads(options_.threads),
            .stop = std::move(stop),
            .in_design = in_design()};
}

Situation Loop::situation_of_model() const {
    Situation result = situation();
    result.data =
        model_data(ledger_.data(), options_.model_points, root_.stream("thin", {result.ask}), planner_->unit());
    return result;
}

/// Whether the planner is at work: after the initial design, or earlier if it has seen enough.
bool Loop::advance(Planner& planner, const Situation& situation) const {
    return has_model(situation) && planner.advance(situation);
}

/// The next points of the design; beyond its end uniform ones, each from its own stream.
Matrix Loop::design_points(Index count) const {
    Matrix points(count, encoding_.dimension());
    for (Index i = 0; i < count; ++i) {
        const Index next = ledger_.asked_count() + i;
        Rng rng = root_.stream("design/beyond", {next});
        points.row(i) = next < design_.rows() ? Vector(design_.row(next).transpose()).transpose()
                                              : encoding_.random(rng).transpose();
    }
    return points;
}

/// Points the planner wants, but not where evaluations are likely to fail: such a point gives way to a near one.
Matrix Loop::model_points(const Planner& planner, const Situation& situation, Index count) const {
    Matrix points = planner.propose(situation, count);
    const Data& data = situation.data;
    const FailureRisk risk(data.X, data.failed, encoding_.unordered_columns());
    if (!risk.any()) return points;
    const Matrix good = best_rows(data.X, data.y, 5);
    for (Index i = 0; i < count; ++i) {
        Rng rng = root_.stream("failure", {situation.ask, i});
        points.row(i) = safe_point(points.row(i).transpose(), good, risk, rng).transpose();
    }
    return points;
}

/// Those of the points that only one trial has had, whatever became of it. A model need not see all trials.
Matrix Loop::tried_once(const Matrix& points) const {
    std::vector<Index> rows;
    for (Index i = 0; i < points.rows(); ++i) {
        const std::string key = ledger_.key(points.row(i).transpose());
        const auto& entries = ledger_.entries();
        if (std::count_if(entries.begin(), entries.end(),
                          [&](const auto& entry) { return ledger_.key(entry.second.unit) == key; }) == 1)
            rows.push_back(i);
    }
    return points(rows, Eigen::indexing::all);
}

/// What the planner wants evaluated again, then new points, all distinct.
Matrix Loop::next_points(Planner& planner, const Situation& situation, Index count, Distinct& distinct) const {
    const bool planned = advance(planner, situation);
    Matrix points(count, encoding_.dimension());
    const Matrix again = tried_once(planned ? planner.to_repeat(situation) : Matrix(0, points.cols()));
    const Index repeated = std::min(count, again.rows()), left = count - repeated;
    points.topRows(repeated) = again.topRows(repeated);
    if (left == 0) return points;
    const Matrix wanted = planned ? model_points(planner, situation, left) : design_points(left);
    for (Index i = 0; i < left; ++i)
        points.row(repeated + i) = distinct.nearest_free(wanted.row(i).transpose()).transpose();
    return points;
}

std::vector<Trial> Loop::ask(int count, std::stop_token stop) {
    if (count < 1 || count > most_points_of_an_ask)
        throw InvalidArgument("ask: count is " + std::to_string(count) + "; between 1 and " +
                              std::to_string(most_points_of_an_ask) + " points can be asked for at once");
    Distinct distinct(ledger_, encoding_, root_.stream("ask", {ledger_.next_ask()}));
    if (distinct.left() <= 0)
        throw SpaceExhausted(
            "ask: all " + std::to_string(encoding_.point_count()) +
            " points of the search space have been told or are pending; there is nothing left to propose");
    const Index wanted = static_cast<Index>(std::min<std::int64_t>(count, distinct.left()));

    const Situation now = situation(stop);
    std::unique_ptr<Planner> planner = planner_->clone();
    const Matrix points = next_points(*planner, now, wanted, distinct);
    throw_if_stopped(stop);

    std::vector<Trial> trials;
    const std::int64_t ask = ledger_.next_ask();
    for (Index i = 0; i < wanted; ++i)
        trials.push_back(
            {.id = ledger_.next_id() + i, .values = encoding_.decode(points.row(i).transpose()), .space = space_});
    for (const Trial& trial : trials) ledger_.apply(Asked{.id = trial.id, .values = trial.values, .ask = ask});
    planner_ = std::move(planner);
    return trials;
}

/// Takes over the planner's state if the snapshot belongs to a beginning of the history. Returns how many asks it covers.
std::int64_t Loop::load(const std::vector<Event>& history, const std::string& text) {
    const auto snapshot = snapshot_from_text(text);
    if (!snapshot || snapshot->events < 0 || static_cast<std::size_t>(snapshot->events) > history.size()) return 0;
    if (snapshot->inputs != fingerprint(*space_, options_)) return 0;
    Fingerprint prefix;
    for (std::int64_t i = 0; i < snapshot->events; ++i) prefix.add(history[static_cast<std::size_t>(i)]);
    if (prefix.value() != snapshot->history) return 0;
    try {
        planner_->load(snapshot->state);
    } catch (const InvalidArgument&) {
        return 0;  // damaged: what it held is computed again
    }
    return snapshot->asks;
}

/// Walks through the events and, at each ask the snapshot does not cover, lets the planner learn what it learned then.
void Loop::replay(const std::vector<Event>& history, const std::string& snapshot, const std::stop_token& stop) {
    const std::int64_t covered = load(history, snapshot);
    for (const Event& event : history) {
        const auto* asked = std::get_if<Asked>(&event);
        if (asked != nullptr && asked->ask == ledger_.next_ask() && asked->ask >= covered)
            advance(*planner_, situation(stop));
        throw_if_stopped(stop);
        ledger_.apply(event);
    }
}

std::string Loop::snapshot() const {
    return to_text(Snapshot{.inputs = fingerprint(*space_, options_),
                            .history = ledger_.fingerprint(),
                            .events = static_cast<std::int64_t>(ledger_.history().size()),
                            .asks = ledger_.next_ask(),
                            .state = planner_->save()});
}

std::optional<Best> Loop::best() const {
    const double sign = options_.goal == Goal::maximize ? 1.0 : -1.0;
    std::optional<Best> best;
    std::int64_t order = 0;
    for (const auto& [id, entry] : ledger_.entries()) {
        if (entry.state != TrialState::completed) continue;
        const bool better = !best || sign * entry.value > sign * best->value;
        if (!better && !(entry.value == best->value && entry.order < order)) continue;
        best = Best{.id = id, .values = {}, .value = entry.value};
        order = entry.order;
    }
    if (best) best->values = ledger_.values(ledger_.entries().at(best->id));
    return best;
}

}  // namespace summand::optimizer
