// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/model_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace summand::optimizer {
namespace {

constexpr double degrees_of_freedom = 4.0;
constexpr double decay_of_ten = 0.8;   // what a score is still worth ten values later
constexpr double temperature = 5.0;    // weight ~ exp(score / temperature): predictions are not independent
constexpr double weight_floor = 0.03;  // no model is given up: it may be right later, or elsewhere

}  // namespace

double log_density(double squared_error, double variance, Tails tails) {
    static_assert(degrees_of_freedom == 4.0);
    if (tails == Tails::normal) return -0.5 * (squared_error + std::log(2.0 * std::numbers::pi * variance));
    return std::log(3.0 / 8.0) - 0.5 * std::log(variance) - 2.5 * std::log1p(squared_error / degrees_of_freedom);
}

double calibration(const PredictiveScore& score) {
    constexpr double prior_count = 5.0;  // as if five predictions had been just right
    return std::max(1.0, (score.squared_errors + prior_count) / (score.count + prior_count));
}

PredictiveScore scored(PredictiveScore score, const AdditiveGp& gp, const Matrix& X, const Vector& y, Tails tails) {
    const Marginals marginals = gp.sum_marginals(X);
    const double inflation = calibration(score);
    const double decay = std::pow(decay_of_ten, static_cast<double>(y.size()) / 10.0);
    score.log_density *= decay;
    score.squared_errors *= decay;
    score.count = score.count * decay + static_cast<double>(y.size());
    for (Index i = 0; i < y.size(); ++i) {
        const double variance = marginals.variance(i) + gp.hyperparameters().noise_variance;
        const double squared_error = (y(i) - marginals.mean(i)) * (y(i) - marginals.mean(i)) / variance;
        // The weight that Student's t gives an error in the estimate of its scale: 1 on average, little far out.
        const double counts =
            tails == Tails::normal ? 1.0 : (degrees_of_freedom + 1) / (degrees_of_freedom + squared_error / inflation);
        score.squared_errors += counts * squared_error;
        score.log_density += log_density(squared_error / inflation, inflation * variance, tails);
    }
    return score;
}

std::vector<double> weights_of(const std::vector<PredictiveScore>& scores) {
    double best = scores.front().log_density;
    for (const PredictiveScore& score : scores) best = std::max(best, score.log_density);
    std::vector<double> weights;
    double sum = 0.0;
    for (const PredictiveScore& score : scores) {
        weights.push_back(std::exp((score.log_density - best) / temperature));
        sum += weights.back();
    }
    const double spread = 1.0 - weight_floor * static_cast<double>(scores.size());
    for (double& weight : weights) weight = weight_floor + spread * weight / sum;
    return weights;
}

std::size_t largest(const std::vector<double>& shares) {
    return static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

}  // namespace summand::optimizer
