// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/additive_gp.hpp"
#include "summand/optimizer/options.hpp"

#include <vector>

namespace summand::optimizer {

/// How well a model has foretold values before it was shown them; old scores fade.
struct PredictiveScore {
    double log_density = 0.0;     ///< decayed sum of log predictive densities
    double squared_errors = 0.0;  ///< decayed sum of squared standardised errors, before calibration
    double count = 0.0;           ///< decayed number of predictions
};

/// The factor (>= 1) by which the model's predictive variances were too small so far; a model is never deflated.
double calibration(const PredictiveScore& score);

/// The score after `gp` (which has not seen them) was asked for the values y at X.
PredictiveScore scored(PredictiveScore score, const AdditiveGp& gp, const Matrix& X, const Vector& y,
                       const DefaultStrategy& strategy);

/// Shares ~ exp(log_density / temperature), none below the floor; they sum to 1.
std::vector<double> weights_of(const std::vector<PredictiveScore>& scores, const DefaultStrategy& strategy);

}  // namespace summand::optimizer
