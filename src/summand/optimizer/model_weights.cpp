// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/model_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace summand::optimizer {

double calibration(const PredictiveScore& score) {
    constexpr double prior_count = 5.0;  // as if five predictions had been just right
    return std::max(1.0, (score.squared_errors + prior_count) / (score.count + prior_count));
}

PredictiveScore scored(PredictiveScore score, const AdditiveGp& gp, const Matrix& X, const Vector& y,
                       const DefaultStrategy& strategy) {
    const Marginals marginals = gp.sum_marginals(X);
    const double inflation = calibration(score);
    const double decay = std::pow(strategy.score_decay, static_cast<double>(y.size()) / 10.0);
    score.log_density *= decay;
    score.squared_errors *= decay;
    score.count = score.count * decay + static_cast<double>(y.size());
    for (Index i = 0; i < y.size(); ++i) {
        const double variance = marginals.variance(i) + gp.hyperparameters().noise_variance;
        const double squared_error = (y(i) - marginals.mean(i)) * (y(i) - marginals.mean(i)) / variance;
        score.squared_errors += squared_error;
        score.log_density -=
            0.5 * (squared_error / inflation + std::log(2.0 * std::numbers::pi * inflation * variance));
    }
    return score;
}

std::vector<double> weights_of(const std::vector<PredictiveScore>& scores, const DefaultStrategy& strategy) {
    double best = scores.front().log_density;
    for (const PredictiveScore& score : scores) best = std::max(best, score.log_density);
    std::vector<double> weights;
    double sum = 0.0;
    for (const PredictiveScore& score : scores) {
        weights.push_back(std::exp((score.log_density - best) / strategy.score_temperature));
        sum += weights.back();
    }
    const double spread = 1.0 - strategy.weight_floor * static_cast<double>(scores.size());
    for (double& weight : weights) weight = strategy.weight_floor + spread * weight / sum;
    return weights;
}

}  // namespace summand::optimizer
