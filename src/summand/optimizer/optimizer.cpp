// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/optimizer.hpp"

#include "summand/base/kth_smallest.hpp"
#include "summand/numeric/working_units.hpp"
#include "summand/optimizer/loop.hpp"
#include "summand/optimizer/slices.hpp"

#include <algorithm>
#include <cmath>

namespace summand {

namespace {

std::vector<std::vector<std::string>> named(const Partition& partition, const SearchSpace& space) {
    std::vector<std::vector<std::string>> groups;
    for (const auto& group : partition.groups()) {
        groups.emplace_back();
        for (const Index j : group) groups.back().push_back(name_of(space[static_cast<std::size_t>(j)]));
    }
    return groups;
}

/// Groups that were given, not learned, are certain.
Matrix certain_pairs(const Partition& partition) {
    const Index dimension = partition.dimension();
    return Matrix::NullaryExpr(dimension, dimension,
                               [&](Index i, Index j) { return partition.together(i, j) ? 1.0 : 0.0; });
}

Index column_of(const SearchSpace& space, const std::string& name) {
    if (const auto j = space.find(name)) return static_cast<Index>(*j);
    const auto near = nearest_name(name, space.names());
    throw InvalidArgument("slice: there is no parameter \"" + name + "\"" +
                          (near ? "; did you mean \"" + *near + "\"?" : "; use a name of the search space"));
}

void check_resolution(const std::string& where, int resolution) {
    constexpr int finest = 1000;  // a map of two parameters has its square in points
    if (resolution < 2 || resolution > finest)
        throw InvalidArgument(where + ": resolution is " + std::to_string(resolution) + "; it must be between 2 and " +
                              std::to_string(finest));
}

}  // namespace

class Optimizer::Impl : public optimizer::Loop {
  public:
    using Loop::Loop;
    Impl(const Impl&) = default;

    optimizer::Explained explained(const AdditiveGp& gp) const {
        Index top = 0;
        gp.values().maxCoeff(&top);  // of those that the model is shown: others may be wrong
        return {.gp = gp,
                .space = *space(),
                .encoding = encoding(),
                .goal = options().goal,
                .unit = planner().unit(),
                .best = gp.inputs().row(top).transpose()};
    }
    GroupSlice slice(const AdditiveGp& gp, const std::vector<std::string>& parameters, int resolution) const {
        if (parameters.empty() || parameters.size() > 2)
            throw InvalidArgument("slice: " + std::to_string(parameters.size()) +
                                  " parameters were given; give one or two");
        check_resolution("slice", resolution);
        std::vector<Index> columns;
        for (const std::string& name : parameters) columns.push_back(column_of(*space(), name));
        if (columns.size() == 2 && (columns[0] == columns[1] || !gp.partition().together(columns[0], columns[1])))
            throw InvalidArgument("slice: \"" + parameters[0] + "\" and \"" + parameters[1] +
                                  "\" are not two parameters of one group; their parts of the function only add up, so "
                                  "slice them one by one");
        return slice_of(explained(gp), columns, resolution);
    }
    std::int64_t count(TrialState state) const {
        const auto& entries = ledger().entries();
        return std::count_if(entries.begin(), entries.end(), [&](const auto& e) { return e.second.state == state; });
    }
};

Optimizer::Optimizer(SearchSpace space, Options options)
    : impl_(std::make_unique<Impl>(std::move(space), std::move(options))) {}
Optimizer::Optimizer(SearchSpace space, Options options, const std::vector<Event>& history, const std::string& snapshot,
                     std::stop_token stop)
    : impl_(std::make_unique<Impl>(std::move(space), std::move(options))) {
    impl_->replay(history, snapshot, stop);
}
Optimizer::Optimizer(const Optimizer& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Optimizer& Optimizer::operator=(const Optimizer& other) {
    if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;
Optimizer::~Optimizer() = default;

std::vector<Trial> Optimizer::ask(std::stop_token stop) {
    return impl_->ask(impl_->options().batch_size, std::move(stop));
}
std::vector<Trial> Optimizer::ask(int count, std::stop_token stop) {
    return impl_->ask(count, std::move(stop));
}
void Optimizer::tell(std::int64_t id, double value) {
    impl_->apply(Told{.id = id, .outcome = value});
}
void Optimizer::tell(std::int64_t id, Failed failed) {
    impl_->apply(Told{.id = id, .outcome = std::move(failed)});
}
void Optimizer::tell(std::int64_t id, const Outcome& outcome) {
    impl_->apply(Told{.id = id, .outcome = outcome});
}
std::int64_t Optimizer::add(Point point, const Outcome& outcome) {
    const std::int64_t id = impl_->ledger().next_id();
    impl_->apply(Added{.id = id, .values = std::move(point), .outcome = outcome});
    return id;
}
std::int64_t Optimizer::add_pending(const Point& point) {
    const std::int64_t id = impl_->ledger().next_id();
    impl_->apply(Asked{.id = id, .values = impl_->space()->checked(point), .ask = Asked::elsewhere});
    return id;
}
void Optimizer::abandon(std::int64_t id) {
    impl_->apply(Abandoned{.id = id});
}
void Optimizer::reopen(std::int64_t id) {
    impl_->apply(Reopened{.id = id});
}

std::optional<Best> Optimizer::best() const {
    return impl_->best();
}
std::vector<Trial> Optimizer::pending() const {
    std::vector<Trial> trials;
    for (const auto& [id, entry] : impl_->ledger().entries())
        if (entry.state == TrialState::running)
            trials.push_back({.id = id, .values = impl_->ledger().values(entry), .space = impl_->space()});
    return trials;
}
std::int64_t Optimizer::evaluation_count() const {
    return impl_->count(TrialState::completed);
}
std::int64_t Optimizer::failure_count() const {
    return impl_->count(TrialState::failed);
}
const std::vector<Event>& Optimizer::history() const {
    return impl_->ledger().history();
}
std::optional<Recommended> Optimizer::recommended() const {
    const optimizer::Situation situation = impl_->situation_of_model();
    const auto expected = impl_->planner().expected(situation);  // larger is better
    if (!expected) return {};
    const auto doubted = [&](Index i) {
        return !expected->doubted.empty() && expected->doubted[static_cast<std::size_t>(i)];
    };
    const Vector& y = situation.data.y;
    Index row = 0, best = 0;
    y.maxCoeff(&best);
    while (doubted(row)) ++row;
    for (Index i = row; i < y.size(); ++i)
        if (!doubted(i) && expected->mean(i) > expected->mean(row)) row = i;
    const double unit = impl_->planner().unit();
    const bool noisy = expected->noise_stddev > 0.02 * (y(best) - kth_smallest(y, y.size() / 2));
    const std::int64_t order = situation.data.order[static_cast<std::size_t>(row)];
    for (const auto& [id, entry] : impl_->ledger().entries())
        if (entry.state == TrialState::completed && entry.order == order)
            return Recommended{
                id,
                impl_->ledger().values(entry),
                entry.value,
                (options().goal == Goal::maximize ? 1.0 : -1.0) * in_users_units(expected->mean(row), unit, 1),
                in_users_units(expected->stddev(row), unit, 1),
                in_users_units(expected->noise_stddev, unit, 1),
                noisy,
                doubted(best)};
    return {};
}
std::string Optimizer::snapshot() const {
    return impl_->snapshot();
}
const SearchSpace& Optimizer::space() const {
    return *impl_->space();
}
const Options& Optimizer::options() const {
    return impl_->options();
}

StructureView Optimizer::structure() const {
    StructureView view;
    view.names = space().names();
    const auto learned = impl_->planner().learned();
    if (!learned) {
        view.verdict = "Nothing has been learned yet: the initial design is not finished.";
        return view;
    }
    view.groups = named(learned->partition, space());
    view.found = learned->found;
    view.verdict = learned->verdict;
    view.log_likelihood = learned->log_likelihood;
    const bool given = learned->pair_probability.size() == 0;
    const Matrix pairs = given ? certain_pairs(learned->partition) : learned->pair_probability;
    for (const auto& row : pairs.rowwise()) view.pair_probability.emplace_back(row.begin(), row.end());
    if (given) view.structures = {{.groups = view.groups, .weight = 1.0}};
    for (const auto& [partition, weight] : learned->partitions)
        view.structures.push_back({.groups = named(partition, space()), .weight = weight});
    for (const auto& [name, weight] : learned->models) view.models.push_back({.name = name, .weight = weight});
    return view;
}

std::vector<Importance> Optimizer::importance() const {
    const auto gp = impl_->planner().surrogate(impl_->situation_of_model());
    if (!gp) return {};
    return optimizer::total_effects(*gp, impl_->encoding(), impl_->root());
}

GroupSlice Optimizer::slice(const std::vector<std::string>& parameters, int resolution) const {
    const auto gp = impl_->planner().surrogate(impl_->situation_of_model());
    if (!gp) throw InvalidArgument("slice: there is no model yet; ask again once the initial design has been answered");
    return impl_->slice(*gp, parameters, resolution);
}

ModelView Optimizer::explain(const std::function<std::vector<std::vector<std::string>>(const ModelView& view)>& axes,
                             int resolution, int most_points) const {
    optimizer::Situation situation = impl_->situation_of_model();
    situation.data = optimizer::thinned(std::move(situation.data), std::max(2, most_points));
    const auto gp = impl_->planner().surrogate(situation);
    if (!gp) return {};
    ModelView view{.groups = named(gp->partition(), space()),
                   .importance = optimizer::total_effects(*gp, impl_->encoding(), impl_->root())};
    for (const auto& parameters : axes(view)) view.slices.push_back(impl_->slice(*gp, parameters, resolution));
    return view;
}

std::vector<GroupSlice> Optimizer::group_slices(int resolution) const {
    check_resolution("group_slices", resolution);
    const auto gp = impl_->planner().surrogate(impl_->situation_of_model());
    if (!gp) return {};
    return slices_of_groups(impl_->explained(*gp), resolution);
}

}  // namespace summand
