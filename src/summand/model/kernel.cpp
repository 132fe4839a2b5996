// SPDX-License-Identifier: Apache-2.0
#include "summand/model/kernel.hpp"

#include "summand/base/error.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace summand {
namespace {

// exp(x) for x <= 0, relative error below 3e-16, written so that a loop over it becomes vector instructions: x = n log 2 + r
// with |r| <= log(2)/2, a Taylor polynomial of degree 13 for exp(r), and n added to the exponent's bits.
// Twice as fast as Eigen's array exp, and equal bits for equal arguments wherever they stand in a run.
inline double exp_of_nonpositive(double x) {
    constexpr double inverse_log2 = 1.4426950408889634, log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;
    constexpr double round_to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    x = x < -708.0 ? -708.0 : x;                   // exp(-708) = 3e-308, still a normal number
    const double shifted = x * inverse_log2 + round_to_integer;
    const double n = shifted - round_to_integer;
    const double r = (x - n * log2_high) - n * log2_low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

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
    ScaledInputs inputs{X, Vector::Zero(X.cols())};
    for (Index j = 0; j < X.cols(); ++j) {
        if (is_unordered(unordered, j))
            inputs.mismatch[j] = 1.0 / (lengthscale[j] * lengthscale[j]);
        else
            inputs.U.col(j) /= lengthscale[j];
    }
    return inputs;
}

void add_squared_distances(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
                           const Vector& point, double* r2) {
    for (const Index j : group) {
        const double* u = inputs.U.col(j).data() + row;
        const double p = point[j], weight = inputs.mismatch[j];
        if (weight > 0)
            for (Index i = 0; i < count; ++i) r2[i] += u[i] == p ? 0.0 : weight;
        else
            for (Index i = 0; i < count; ++i) r2[i] += (u[i] - p) * (u[i] - p);
    }
}

void squared_distances(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
                       const Vector& point, double* r2) {
    for (Index i = 0; i < count; ++i) r2[i] = 0.0;
    add_squared_distances(inputs, group, row, count, point, r2);
}

void apply_kernel(KernelFamily family, double variance, Index count, double* values) {
    if (family == KernelFamily::squared_exponential) {
        for (Index i = 0; i < count; ++i) values[i] = variance * exp_of_nonpositive(-0.5 * values[i]);
        return;
    }
    for (Index i = 0; i < count; ++i) {
        const double s = std::sqrt(5.0 * values[i]);
        values[i] = variance * (1.0 + s + values[i] * (5.0 / 3.0)) * exp_of_nonpositive(-s);
    }
}

void apply_kernel_and_slope(KernelFamily family, double variance, Index count, double* kernel, double* slope) {
    if (family == KernelFamily::squared_exponential) {
        for (Index i = 0; i < count; ++i) {
            kernel[i] = variance * exp_of_nonpositive(-0.5 * kernel[i]);
            slope[i] = -0.5 * kernel[i];
        }
        return;
    }
    // With s = √5 r: k = (1 + s + s²/3) e⁻ˢ and dk/d(r²) = -(5/6) (1 + s) e⁻ˢ; the 1/r of ds/d(r²) has cancelled.
    for (Index i = 0; i < count; ++i) {
        const double s = std::sqrt(5.0 * kernel[i]), decay = variance * exp_of_nonpositive(-s);
        kernel[i] = (1.0 + s + kernel[i] * (5.0 / 3.0)) * decay;
        slope[i] = (-5.0 / 6.0) * (1.0 + s) * decay;
    }
}

void add_group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const ScaledInputs& inputs,
                    Eigen::Ref<Matrix> K) {
    const Index n = inputs.U.rows();
    Vector run(n);  // one column at a time stays in the first-level cache
    for (Index c = 0; c < n; ++c) {
        squared_distances(inputs, group, c, n - c, inputs.U.row(c), run.data());
        apply_kernel(family, variance, n - c, run.data());
        K.col(c).tail(n - c) += run.head(n - c);
    }
}

Matrix group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const Vector& lengthscale,
                  const std::vector<bool>& unordered, const Matrix& X, const Matrix& X2) {
    const ScaledInputs rows = scale_inputs(X, lengthscale, unordered),
                       columns = scale_inputs(X2, lengthscale, unordered);
    Matrix gram(X.rows(), X2.rows());
    for (Index c = 0; c < X2.rows(); ++c)
        squared_distances(rows, group, 0, X.rows(), columns.U.row(c), gram.col(c).data());
    apply_kernel(family, variance, gram.size(), gram.data());
    return gram;
}

}  // namespace summand
