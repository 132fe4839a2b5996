// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/warp.hpp"

#include "summand/base/kth_smallest.hpp"

#include <algorithm>
#include <cmath>

namespace summand::optimizer {
namespace {

double variance_of(const Vector& y) {
    return (y.array() - y.mean()).square().mean();
}

}  // namespace

Vector Warp::operator()(const Vector& y) const {
    if (scale == 0.0) return y;
    return y.cwiseMax((best - scale * ((best - y.array()) / scale).max(0.0).log1p()).matrix());
}

double Warp::inverse(double warped) const {
    if (scale == 0.0 || warped > best) return warped;
    constexpr double most = 300.0;  // scales below the best whose exponential is still a number that can be squared
    return best - scale * std::expm1(std::min((best - warped) / scale, most));
}

double Warp::slope(double y) const {
    return scale == 0.0 ? 1.0 : 1.0 / (1.0 + std::max((best - y) / scale, 0.0));
}

double Warp::log_slope(const Vector& y) const {
    if (scale == 0.0) return 0.0;
    return -((best - y.array()) / scale).max(0.0).log1p().sum();
}

Warp warp_of(double share, const Vector& y) {
    Warp warp{.best = y.maxCoeff()};
    if (share == 0.0) return warp;
    warp.scale = warp.best - kth_smallest(y, static_cast<Index>(static_cast<double>(y.size() - 1) * (1.0 - share)));
    // Values that are as good as the best but for a denormal number would divide the others out of range.
    if (warp.scale < 1e-100 * (warp.best - y.minCoeff())) warp.scale = 0.0;
    return warp;
}

Hyperparameters rescaled(Hyperparameters hyperparameters, const Vector& from, const Vector& to) {
    const double before = variance_of(from), after = variance_of(to);
    const double ratio = before > 0 && after > 0 ? std::clamp(after / before, 1e-100, 1e100) : 1.0;
    hyperparameters.variance *= ratio;
    hyperparameters.noise_variance *= ratio;
    hyperparameters.mean = to.mean();
    return hyperparameters;
}

}  // namespace summand::optimizer
