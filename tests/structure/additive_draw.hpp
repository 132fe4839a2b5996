// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/model/kernel.hpp"
#include "summand/model/partition.hpp"
#include "summand/numeric/cholesky.hpp"

#include <algorithm>
#include <vector>

namespace summand::test {

inline Matrix uniform_points(Rng rng, Index points, Index dimension) {
    Matrix X(points, dimension);
    for (Index j = 0; j < dimension; ++j)
        for (Index i = 0; i < points; ++i) X(i, j) = rng.uniform();
    return X;
}

/// y ~ N(0, Σ_m variance exp(-r²/2l²) + noise I): an exact draw of the paper's model at the rows of X.
inline Vector additive_draw(Rng rng, const Matrix& X, const Partition& partition, double lengthscale, double variance,
                            double noise_stddev) {
    const Vector scales = Vector::Constant(X.cols(), lengthscale);
    Matrix K = Matrix::Zero(X.rows(), X.rows());
    for (const auto& group : partition.groups())
        K += group_gram(KernelFamily::squared_exponential, group, variance, scales, {}, X, X);
    K.diagonal().array() += noise_stddev * noise_stddev + 1e-9;
    Vector white(X.rows());
    for (double& value : white) value = rng.normal();
    return Cholesky::try_factor(std::move(K)).value().times_lower(white);
}

}  // namespace summand::test
