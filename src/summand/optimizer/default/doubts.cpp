// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/doubts.hpp"

#include "summand/optimizer/default/warp.hpp"
#include "summand/structure/wrong_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace summand::optimizer {
namespace {

// A value so far from its forecast is doubted, and believed again when the forecast has come so near.
constexpr double doubted_stddevs = 6.0, believed_stddevs = 3.0;

double stddev_of(const Vector& y) {
    return std::sqrt((y.array() - y.mean()).square().mean());
}

bool holds(const std::vector<std::int64_t>& orders, std::int64_t order) {
    return std::find(orders.begin(), orders.end(), order) != orders.end();
}

AdditiveGp posterior_of(const HedgedModel& model, const Situation& situation) {
    return model.posterior(situation.data.X, situation.data.y, situation.encoding.unordered_columns());
}

std::size_t room_for(const Situation& told) {
    return static_cast<std::size_t>(structure::most_wrong_values(told.data.y.size()));
}

}  // namespace

Situation Doubts::believed(const Situation& told) const {
    Situation situation = told;
    Data& data = situation.data;
    std::vector<Index> rows;
    for (Index i = 0; i < data.y.size(); ++i)
        if (!holds(orders, data.order[static_cast<std::size_t>(i)])) rows.push_back(i);
    if (static_cast<Index>(rows.size()) == data.y.size()) return situation;
    data.X = Matrix(data.X(rows, Eigen::indexing::all));
    data.y = Vector(data.y(rows));
    data.order.clear();
    for (const Index i : rows) data.order.push_back(told.data.order[static_cast<std::size_t>(i)]);
    return situation;
}

void Doubts::judge_new(const Situation& told, std::int64_t last_order, const HedgedModel& model) {
    std::vector<std::int64_t> fresh;
    for (const std::int64_t order : told.data.order)
        if (order > last_order) fresh.push_back(order);
    orders.insert(orders.end(), fresh.begin(), fresh.end());
    keep_far(told, model, fresh, believed(told));
}

void Doubts::judge_old(const Situation& told, const HedgedModel& model) {
    const Situation situation = believed(told);
    keep_far(told, model, {}, situation);
    const AdditiveGp gp = posterior_of(model, situation);
    const Index N = gp.values().size();
    const double least = structure::least_wrong_share * stddev_of(gp.values());
    const Vector precision = gp.solve(Matrix::Identity(N, N)).diagonal();
    for (Index i = 0; i < N && orders.size() < room_for(told); ++i)
        if (std::abs(gp.alpha()(i)) / precision(i) > std::max(doubted_stddevs / std::sqrt(precision(i)), least))
            orders.push_back(situation.data.order[static_cast<std::size_t>(i)]);
}

/// Of the doubted values, keeps those that are far from what the believed ones foretell; `fresh` ones must be farther.
void Doubts::keep_far(const Situation& told, const HedgedModel& model, const std::vector<std::int64_t>& fresh,
                      const Situation& situation) {
    const auto before = std::exchange(orders, {});
    if (before.empty() || situation.data.y.size() == 0) return;
    const AdditiveGp gp = posterior_of(model, situation);
    const Vector seen = warp_of(model.warp, situation.data.y)(told.data.y);
    const double least = structure::least_wrong_share * stddev_of(gp.values());
    for (Index i = 0; i < told.data.y.size() && orders.size() < room_for(told); ++i) {
        const std::int64_t order = told.data.order[static_cast<std::size_t>(i)];
        if (!holds(before, order)) continue;
        const Marginals forecast = gp.sum_marginals(told.data.X.row(i));
        const double stddev = std::sqrt(forecast.variance(0) + gp.hyperparameters().noise_variance);
        const double far = (holds(fresh, order) ? doubted_stddevs : believed_stddevs) * stddev;
        if (std::abs(seen(i) - forecast.mean(0)) > std::max(far, least)) orders.push_back(order);
    }
}

}  // namespace summand::optimizer
