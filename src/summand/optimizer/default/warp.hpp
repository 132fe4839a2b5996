// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/kernel.hpp"

namespace summand::optimizer {

/// Values seen through w(y) = best - s log(1 + (best - y)/s): near the best value as they are, ever more compressed the
/// worse they are. A function that falls by orders of magnitude away from its optimum (a penalty, a loss that explodes) is
/// no draw of a Gaussian process, but its logarithm may be. Values better than the best, and all at scale 0: w(y) = y.
struct Warp {
    double best = 0.0, scale = 0.0;

    Vector operator()(const Vector& y) const;
    double inverse(double warped) const;
    double slope(double y) const;  ///< w'(y)
    /// Σ log w'(y): added to a log density of w(y) it gives one of y, so that models with different warps compare.
    double log_slope(const Vector& y) const;
};

/// s is the distance from the best value that this share of the values keeps. 0, or a share of values that are all as
/// good as the best: no warp.
Warp warp_of(double share, const Vector& y);

/// The same model for values in other units: variances follow the values' variance, the mean their mean.
Hyperparameters rescaled(Hyperparameters hyperparameters, const Vector& from, const Vector& to);

}  // namespace summand::optimizer
