// SPDX-License-Identifier: Apache-2.0
#include "summand/model/kernel.hpp"

#include "summand/base/error.hpp"

#include <cassert>
#include <cmath>

namespace summand {
namespace {

bool is_unordered(const std::vector<bool>& unordered, Index j) {
    return !unordered.empty() && unordered[static_cast<std::size_t>(j)];
}

}  // namespace

Hyperparameters Hyperparameters::isotropic(const Partition& partition, double lengthscale, double variance,
                                           double noise_variance, double mean) {
    return {.lengthscale = Vector::Constant(partition.dimension(), lengthscale),
            .variance = Vector::Constant(partition.group_count(), variance),
            .noise_variance = noise_variance,
            .mean = mean};
}

void check_hyperparameters(const Hyperparameters& hyperparameters, const Partition& partition,
                           const std::string& where) {
    const auto& [lengthscale, variance, noise_variance, mean] = hyperparameters;
    if (lengthscale.size() != partition.dimension() || variance.size() != partition.group_count())
        throw InvalidArgument(where + ": " + std::to_string(lengthscale.size()) + " lengthscales and " +
                              std::to_string(variance.size()) + " variances were given for " +
                              std::to_string(partition.dimension()) + " parameters in " +
                              std::to_string(partition.group_count()) +
                              " groups; give one lengthscale a parameter and one variance a group");
    const auto positive = [&](const Vector& values, const char* name) {
        for (Index i = 0; i < values.size(); ++i)
            if (!(values[i] > 0) || !std::isfinite(values[i]))
                throw InvalidArgument(where + ": " + name + " " + std::to_string(i) + " is " +
                                      std::to_string(values[i]) + "; it must be positive and finite");
    };
    positive(lengthscale, "lengthscale");
    positive(variance, "variance");
    if (!(noise_variance >= 0) || !std::isfinite(noise_variance))
        throw InvalidArgument(where + ": the noise variance is " + std::to_string(noise_variance) +
                              "; it must be zero or positive, and finite");
    if (!std::isfinite(mean))
        throw InvalidArgument(where + ": the prior mean is " + std::to_string(mean) + "; it must be finite");
}

ScaledInputs scale_inputs(const Matrix& X, const Vector& lengthscale, const std::vector<bool>& unordered) {
    assert(X.cols() == lengthscale.size());
    ScaledInputs inputs{X, {}, Vector::Zero(X.cols())};
    for (Index j = 0; j < X.cols(); ++j) {
        if (is_unordered(unordered, j))
            inputs.mismatch[j] = 1.0 / (lengthscale[j] * lengthscale[j]);
        else
            inputs.U.col(j) /= lengthscale[j];
    }
    inputs.points = inputs.U.transpose();
    return inputs;
}

void add_group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const ScaledInputs& inputs,
                    Eigen::Ref<Matrix> K) {
    const Index n = inputs.U.rows();
    for (Index c = 0; c < n; ++c)
        add_kernel(family, variance, inputs, group, c, n - c, inputs.points.col(c).data(), K.col(c).data() + c);
}

void sum_gram(KernelFamily family, const Partition& partition, const Vector& variance, const ScaledInputs& inputs,
              double diagonal, Eigen::Ref<Matrix> K) {
    const Index n = inputs.U.rows();
    for (Index c = 0; c < n; ++c) {
        const double* point = inputs.points.col(c).data();
        double* total = K.col(c).data() + c;
        write_kernel(family, variance[0], inputs, partition.group(0), c, n - c, point, total);
        for (Index m = 1; m < partition.group_count(); ++m)
            add_kernel(family, variance[m], inputs, partition.group(m), c, n - c, point, total);
        *total += diagonal;
    }
}

Matrix group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const Vector& lengthscale,
                  const std::vector<bool>& unordered, const Matrix& X, const Matrix& X2) {
    const ScaledInputs rows = scale_inputs(X, lengthscale, unordered),
                       columns = scale_inputs(X2, lengthscale, unordered);
    Matrix gram(X.rows(), X2.rows());
    for (Index c = 0; c < X2.rows(); ++c)
        squared_distances(rows, group, 0, X.rows(), columns.points.col(c).data(), gram.col(c).data());
    apply_kernel(family, variance, gram.size(), gram.data());
    return gram;
}

}  // namespace summand
