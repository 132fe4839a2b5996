// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/additive_gp.hpp"

#include <vector>

namespace summand::optimizer {

/// How well a model has foretold values before it was shown them; old scores fade.
struct PredictiveScore {
    double log_density = 0.0;     ///< decayed sum of log predictive densities
    double squared_errors = 0.0;  ///< decayed sum of squared standardised errors, before calibration
    double count = 0.0;           ///< decayed number of predictions
};

/// Of predictive densities. A cliff is foretold by no model; with normal tails a few of them would decide between the models.
/// Where groups are sure there are no cliffs, and errors that are too large tell a wrong model.
enum class Tails { normal, heavy };

/// Log density of a value this far (squared, in variances) from the mean that was foretold. Heavy: Student's t with 4
/// degrees of freedom, (3/8) (1 + r²/4)^(-5/2) for an error of r standard deviations.
double log_density(double squared_error, double variance, Tails tails);

/// The factor (>= 1) by which the model's predictive variances were too small so far; a model is never deflated.
double calibration(const PredictiveScore& score);

/// The score after `gp` (which has not seen them) was asked for the values y at X.
PredictiveScore scored(PredictiveScore score, const AdditiveGp& gp, const Matrix& X, const Vector& y, Tails tails);

/// Shares ~ exp(log_density / temperature), none below the floor; they sum to 1.
std::vector<double> weights_of(const std::vector<PredictiveScore>& scores);

/// The position of the largest; of equal ones the first.
std::size_t largest(const std::vector<double>& shares);

}  // namespace summand::optimizer
