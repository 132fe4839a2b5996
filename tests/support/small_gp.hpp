// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

#include <cmath>
#include <vector>

namespace summand::test {

/// Groups {0, 1}, {2}, {3, 4}, parameter 4 a choice of three values: every kind of group in five columns.
inline Partition small_partition() {
    return Partition::from_labels({0, 0, 1, 2, 2});
}

inline double small_function(const Vector& x) {
    return std::sin(5 * x(0)) * std::cos(4 * x(1)) + std::sin(9 * x(2)) +
           (x(4) > 0.5 ? 1.0 : -0.5) * std::cos(6 * x(3)) + 3.0;
}

/// A posterior given `count` uniform points of small_function. Hyperparameters differ between columns and groups, and the
/// noise keeps the covariance's condition number near 1e4.
inline AdditiveGp small_gp(KernelFamily family, Index count, std::uint64_t seed) {
    Rng rng = Rng::from_seed(seed);
    Matrix X(count, 5);
    Vector y(count);
    for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < 4; ++j) X(i, j) = rng.uniform();
        X(i, 4) = (static_cast<double>(rng.below(3)) + 0.5) / 3.0;
        y(i) = small_function(X.row(i).transpose()) + 0.05 * rng.normal();
    }
    Hyperparameters h;
    h.lengthscale = (Vector(5) << 0.3, 0.5, 0.2, 0.4, 0.9).finished();
    h.variance = (Vector(3) << 0.8, 0.5, 1.1).finished();
    h.noise_variance = 0.0025;
    h.mean = 3.0;
    return AdditiveGp(family, small_partition(), h, X, y, {false, false, false, false, true});
}

}  // namespace summand::test
