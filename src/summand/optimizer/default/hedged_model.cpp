// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/hedged_model.hpp"

#include "summand/optimizer/default/warp.hpp"

#include <cmath>

namespace summand::optimizer {
namespace {

// Gradients of one fit: from nothing, when kernels and warps are compared or fits are cheap, and to follow the data.
constexpr int first_evaluations = 40, thorough_evaluations = 20, following_evaluations = 6;
constexpr double warps[] = {0.0, 0.1, 0.5};

}  // namespace

Sample sample_of(const Data& data, const std::vector<Index>& rows) {
    return {.X = data.X(rows, Eigen::indexing::all), .y = data.y(rows)};
}

AdditiveGp HedgedModel::posterior(const Matrix& X, const Vector& y, const std::vector<bool>& unordered) const {
    return AdditiveGp(family, partition, hyperparameters, X, warp_of(warp, y)(y), unordered);
}

Expected HedgedModel::expected(const Matrix& X, const Vector& y, const std::vector<bool>& unordered,
                               const Matrix& at) const {
    const Warp seen = warp_of(warp, y);
    const Marginals marginals = posterior(X, y, unordered).sum_marginals(at);
    Expected result{.mean = marginals.mean.unaryExpr([&](double warped) { return seen.inverse(warped); }),
                    .stddev = marginals.variance.cwiseSqrt(),
                    .noise_stddev = std::sqrt(hyperparameters.noise_variance)};
    result.noise_stddev /= seen.slope(result.mean.maxCoeff());
    for (Index i = 0; i < result.mean.size(); ++i) result.stddev(i) /= seen.slope(result.mean(i));
    return result;
}

AdditiveGp HedgedModel::shown(const Matrix& X, const Vector& y, const std::vector<bool>& unordered) const {
    return AdditiveGp(family, partition, rescaled(hyperparameters, warp_of(warp, y)(y), y), X, y, unordered);
}

void HedgedModel::foretell(const Matrix& old_X, const Vector& old_y, const Matrix& X, const Vector& y,
                           const std::vector<bool>& unordered, Tails tails) {
    const Warp seen = warp_of(warp, old_y);
    score = scored(score, posterior(old_X, old_y, unordered), X, seen(y), tails);
    score.log_density += seen.log_slope(y);
}

void HedgedModel::leave_one_out(const Matrix& X, const Vector& y, const std::vector<bool>& unordered, double worth) {
    const AdditiveGp gp = posterior(X, y, unordered);
    const Vector precision = gp.solve(Matrix::Identity(y.size(), y.size())).diagonal();
    const Vector squared_error = gp.alpha().array().square() / precision.array();
    const double each = worth / static_cast<double>(y.size());
    score = {.squared_errors = each * squared_error.sum(), .count = worth};
    const double inflation = calibration(score);
    score.log_density = each * warp_of(warp, y).log_slope(y);
    for (Index i = 0; i < y.size(); ++i)
        score.log_density += each * log_density(squared_error(i) / inflation, inflation / precision(i), Tails::normal);
}

FitResult fit_model(const HedgedModel& model, const Partition& partition, const Sample& sample,
                    const Situation& situation, int evaluations, const std::optional<Hyperparameters>& warm,
                    const Rng& rng) {
    const Warp warp = warp_of(model.warp, situation.data.y);
    const Vector y = warp(sample.y);
    const FitOptions options{.family = model.family,
                             .lengthscale = model.prior,
                             .variance_log_scale = model.variance_log_scale,
                             .starts = y.size() <= cheap_points ? 2 : 1,
                             .max_evaluations = evaluations,
                             .threads = situation.threads};
    FitResult result = fit_hyperparameters(partition, sample.X, y, situation.encoding.unordered_columns(), options, rng,
                                           warm, situation.stop);
    const double variance = (y.array() - y.mean()).square().mean();
    result.log_posterior += warp.log_slope(sample.y);
    if (variance > 0) result.log_posterior -= 0.5 * static_cast<double>(y.size()) * std::log(variance);
    return result;
}

void refit(HedgedModel& model, const Sample& sample, const Situation& situation, bool choose, const Rng& rng) {
    const bool first = !model.fitted();
    const bool thorough = choose || sample.y.size() <= cheap_points;
    const int evaluations = first ? first_evaluations : thorough ? thorough_evaluations : following_evaluations;
    const auto warm = first ? std::nullopt : std::optional(model.hyperparameters);
    FitResult best = fit_model(model, model.partition, sample, situation, evaluations, warm, rng);
    const auto keep_if_better = [&](const HedgedModel& rival, const std::optional<Hyperparameters>& from) {
        FitResult result = fit_model(rival, rival.partition, sample, situation, evaluations, from, rng);
        if (result.log_posterior <= best.log_posterior) return;
        model = rival;
        best = std::move(result);
    };
    if (choose) {
        HedgedModel rival = model;
        rival.family =
            model.family == KernelFamily::matern52 ? KernelFamily::squared_exponential : KernelFamily::matern52;
        keep_if_better(rival, warm);
        const double now = model.warp;
        for (const double warp : warps) {
            if (warp == now) continue;
            const Vector& y = situation.data.y;
            const auto from = first ? std::nullopt
                                    : std::optional(rescaled(best.hyperparameters, warp_of(model.warp, y)(sample.y),
                                                             warp_of(warp, y)(sample.y)));
            rival = model;
            rival.warp = warp;
            keep_if_better(rival, from);
        }
    }
    model.hyperparameters = best.hyperparameters;
}

}  // namespace summand::optimizer
