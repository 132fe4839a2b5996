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

AdditiveGp posterior_of(const HedgedModel& model, const Situation& situation) {
    return model.posterior(situation.data.X, situation.data.y, situation.encoding.unordered_columns());
}

/// A few, and one in 25 of many; never more than one in five.
std::size_t room_for(const Situation& told) {
    const Index values = told.data.y.size();
    return static_cast<std::size_t>(std::min(values / 5, 3 + values / 25));
}

std::vector<Index> rows_at(const Matrix& X, const Vector& point) {
    constexpr double same = 1e-10;  // of a range, as Ledger::used
    std::vector<Index> rows;
    for (Index i = 0; i < X.rows(); ++i)
        if ((X.row(i).transpose() - point).cwiseAbs().maxCoeff() < same) rows.push_back(i);
    return rows;
}

/// Whether a value told at the same point is nearer to this one than half of its error.
bool told_alike_twice(const Matrix& X, const Vector& y, Index row, double error) {
    const std::vector<Index> rows = rows_at(X, X.row(row).transpose());
    return std::any_of(rows.begin(), rows.end(), [&](Index other) {
        return other != row && std::abs(y(other) - y(row)) < 0.5 * std::abs(error);
    });
}

}  // namespace

bool Doubts::hold(std::int64_t order) const {
    return std::find(orders.begin(), orders.end(), order) != orders.end();
}

std::vector<bool> Doubts::mask(const Situation& told) const {
    std::vector<bool> doubted;
    for (const std::int64_t order : told.data.order) doubted.push_back(hold(order));
    return doubted;
}

Situation Doubts::believed(const Situation& told) const {
    Situation situation = told;
    Data& data = situation.data;
    std::vector<Index> rows;
    for (Index i = 0; i < data.y.size(); ++i)
        if (!hold(data.order[static_cast<std::size_t>(i)])) rows.push_back(i);
    if (static_cast<Index>(rows.size()) == data.y.size()) return situation;
    data.X = Matrix(data.X(rows, Eigen::indexing::all));
    data.y = Vector(data.y(rows));
    data.order.clear();
    for (const Index i : rows) data.order.push_back(told.data.order[static_cast<std::size_t>(i)]);
    return situation;
}

void Doubts::judge_new(const Situation& told, std::int64_t last_order, const HedgedModel& model) {
    std::vector<Index> fresh;
    for (Index i = 0; i < told.data.y.size(); ++i) {
        const std::int64_t order = told.data.order[static_cast<std::size_t>(i)];
        if (order <= last_order) continue;
        fresh.push_back(i);
        orders.push_back(order);
    }
    keep_far(told, model, fresh);
}

void Doubts::judge_old(const Situation& told, const HedgedModel& model) {
    keep_far(told, model, {});
    const Situation situation = believed(told);
    const AdditiveGp gp = posterior_of(model, situation);
    const Index N = gp.values().size();
    const double widened = std::sqrt(calibration(model.score));
    const double least = structure::least_wrong_share * stddev_of(gp.values());
    const Vector precision = gp.solve(Matrix::Identity(N, N)).diagonal();
    std::vector<Misfit> misfits;
    for (Index i = 0; i < N; ++i) {
        const double error = std::abs(gp.alpha()(i)) / precision(i), stddev = widened / std::sqrt(precision(i));
        if (error > std::max(doubted_stddevs * stddev, least))
            misfits.push_back({error / stddev, situation.data.order[static_cast<std::size_t>(i)]});
    }
    take_farthest(std::move(misfits), told);
}

/// Of the doubted values, keeps those that are far from what the believed ones foretell; `fresh` ones must be farther. How
/// wide the forecasts are follows from how far the fresh values are from theirs: where most are, the model is what is wrong.
void Doubts::keep_far(const Situation& told, const HedgedModel& model, const std::vector<Index>& fresh) {
    const Situation situation = believed(told);
    const Doubts before{.orders = std::exchange(orders, {})};
    if (before.orders.empty() || situation.data.y.size() == 0) return;
    const Matrix& X = told.data.X;
    const Vector seen = warp_of(model.warp, situation.data.y)(told.data.y);
    const AdditiveGp gp = posterior_of(model, situation);
    const double widened =
        std::sqrt(calibration(scored(model.score, gp, X(fresh, Eigen::indexing::all), seen(fresh), Tails::heavy)));
    const double least = structure::least_wrong_share * stddev_of(gp.values());
    std::vector<Misfit> misfits;
    for (Index i = 0; i < seen.size(); ++i) {
        const std::int64_t order = told.data.order[static_cast<std::size_t>(i)];
        if (!before.hold(order)) continue;
        const Marginals forecast = gp.sum_marginals(X.row(i));
        const double error = std::abs(seen(i) - forecast.mean(0));
        const double stddev = widened * std::sqrt(forecast.variance(0) + gp.hyperparameters().noise_variance);
        const bool is_fresh = std::binary_search(fresh.begin(), fresh.end(), i);
        const double far = (is_fresh ? doubted_stddevs : believed_stddevs) * stddev;
        if (error > std::max(far, least) && !told_alike_twice(X, seen, i, error))
            misfits.push_back({error / stddev, order});
    }
    take_farthest(std::move(misfits), told);
}

void Doubts::take_farthest(std::vector<Misfit> misfits, const Situation& told) {
    std::stable_sort(misfits.begin(), misfits.end(),
                     [](const Misfit& a, const Misfit& b) { return a.stddevs > b.stddevs; });
    for (const Misfit& misfit : misfits)
        if (orders.size() < room_for(told)) orders.push_back(misfit.order);
}

Matrix Doubts::to_repeat(const Situation& told) const {
    const Data& data = told.data;
    std::vector<Index> rows;
    if (!orders.empty()) {
        const double best = believed(told).data.y.maxCoeff();
        for (Index i = 0; i < data.y.size(); ++i)
            if (hold(data.order[static_cast<std::size_t>(i)]) && data.y(i) > best) rows.push_back(i);
    }
    return data.X(rows, Eigen::indexing::all);
}

}  // namespace summand::optimizer
