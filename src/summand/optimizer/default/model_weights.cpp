// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/model_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace summand::optimizer {
namespace {

constexpr double degrees_of_freedom = 4.0;

}  // namespace

void Agreement::fade(double decay) {
    for (double* sum : {&weight, &foretold_square, &told_square, &product}) *sum *= decay;
}

void Agreement::add(double new_foretold, double new_told) {
    weight += 1.0;
    const double step = new_foretold - foretold, other_step = new_told - told;
    foretold += step / weight;
    told += other_step / weight;
    foretold_square += step * (new_foretold - foretold);
    told_square += other_step * (new_told - told);
    product += step * (new_told - told);
}

double Agreement::correlation() const {
    const double scale = std::sqrt(foretold_square) * std::sqrt(told_square);
    return scale > 0.0 ? product / scale : 0.0;
}

double log_density(double squared_error, double variance, Tails tails) {
    static_assert(degrees_of_freedom == 4.0);
    if (tails == Tails::normal) return -0.5 * (squared_error + std::log(2.0 * std::numbers::pi * variance));
    return std::log(3.0 / 8.0) - 0.5 * std::log(variance) - 2.5 * std::log1p(squared_error / degrees_of_freedom);
}

double calibration(const PredictiveScore& score) {
    constexpr double prior_count = 5.0;  // as if five predictions had been just right
    return std::max(1.0, (score.squared_errors + prior_count) / (score.count + prior_count));
}

PredictiveScore scored(PredictiveScore score, const AdditiveGp& gp, const Matrix& X, const Vector& y, Tails tails,
                       const DefaultStrategy& strategy) {
    const Marginals marginals = gp.sum_marginals(X);
    const double inflation = calibration(score);
    const double decay = std::pow(strategy.score_decay, static_cast<double>(y.size()) / 10.0);
    score.log_density *= decay;
    score.squared_errors *= decay;
    score.count = score.count * decay + static_cast<double>(y.size());
    score.agreement.fade(decay);
    for (Index i = 0; i < y.size(); ++i) {
        const double variance = marginals.variance(i) + gp.hyperparameters().noise_variance;
        const double squared_error = (y(i) - marginals.mean(i)) * (y(i) - marginals.mean(i)) / variance;
        // The weight that Student's t gives an error in the estimate of its scale: 1 on average, little far out.
        const double counts =
            tails == Tails::normal ? 1.0 : (degrees_of_freedom + 1) / (degrees_of_freedom + squared_error / inflation);
        score.squared_errors += counts * squared_error;
        score.log_density += log_density(squared_error / inflation, inflation * variance, tails);
        score.agreement.add(marginals.mean(i), y(i));
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
