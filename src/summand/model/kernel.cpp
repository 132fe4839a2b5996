// SPDX-License-Identifier: Apache-2.0
#include "summand/model/kernel.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace summand {
namespace {

// a b + c in one rounding where the machine has it. Written out because contraction is off: the compiler would otherwise be
// free to contract a vector loop and its remainder differently.
inline double multiply_add(double a, double b, double c) {
#ifdef __FMA__
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}

// exp(x) for x <= 0, relative error below 4e-16, written so that a loop over it becomes vector instructions: x = n log 2 + r
// with |r| <= log(2)/2, a polynomial of degree 11 for exp(r) (Chebyshev fit, relative error 2e-17) evaluated in pairs
// [Estrin1960] to keep both multipliers busy, and n added to the exponent's bits.
// 1.6 times as fast as Eigen's array exp, and equal bits for equal arguments wherever they stand in a run.
inline double exp_of_nonpositive(double x) {
    constexpr double inverse_log2 = 1.4426950408889634, log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;
    constexpr double round_to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    x = x < -708.0 ? -708.0 : x;                   // exp(-708) = 3e-308, still a normal number
    const double shifted = multiply_add(x, inverse_log2, round_to_integer);
    const double n = shifted - round_to_integer;
    const double r = multiply_add(-n, log2_low, multiply_add(-n, log2_high, x));
    const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const double c01 = 1.0 + r;
    const double c23 = multiply_add(0x1.555555555555ap-3, r, 0x1.0000000000011p-1);
    const double c45 = multiply_add(0x1.111111110f21ep-7, r, 0x1.555555554f0bap-5);
    const double c67 = multiply_add(0x1.a01a01b1461c5p-13, r, 0x1.6c16c1880029fp-10);
    const double c89 = multiply_add(0x1.71ddf56d8deb5p-19, r, 0x1.a01991a10d9aep-16);
    const double c1011 = multiply_add(0x1.af632a0f7e2cep-26, r, 0x1.28b4101c77212p-22);
    const double low = multiply_add(multiply_add(c67, r2, c45), r4, multiply_add(c23, r2, c01));
    const double p = multiply_add(multiply_add(c1011, r2, c89), r8, low);
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

namespace {

// Up to four numeric columns are handled in one pass over a run: how many from here on, 0 if this one is a choice.
std::size_t numbers_from(const ScaledInputs& inputs, const std::vector<Index>& group, std::size_t k) {
    std::size_t count = 0;
    while (count < 4 && k + count < group.size() && inputs.mismatch[group[k + count]] == 0) ++count;
    return count;
}

// r² of some numeric columns, added to what is there or (first) written over it.
template <int columns>
void sum_columns(const ScaledInputs& inputs, const Index* column, Index row, Index count, const double* point,
                 bool first, double* r2) {
    const double* u[columns];
    double p[columns];
    for (int k = 0; k < columns; ++k) {
        u[k] = inputs.U.col(column[k]).data() + row;
        p[k] = point[column[k]];
    }
    for (Index i = 0; i < count; ++i) {
        double sum = first ? 0.0 : r2[i];
        for (int k = 0; k < columns; ++k) sum = multiply_add(u[k][i] - p[k], u[k][i] - p[k], sum);
        r2[i] = sum;
    }
}

}  // namespace

void squared_distances(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
                       const double* point, double* r2) {
    bool first = true;
    for (std::size_t k = 0; k < group.size(); first = false) {
        const std::size_t numbers = numbers_from(inputs, group, k);
        const Index* column = group.data() + k;
        k += std::max<std::size_t>(numbers, 1);
        switch (numbers) {
            case 0: {
                const double* u = inputs.U.col(*column).data() + row;
                const double p = point[*column], weight = inputs.mismatch[*column];
                for (Index i = 0; i < count; ++i) r2[i] = (first ? 0.0 : r2[i]) + (u[i] == p ? 0.0 : weight);
                break;
            }
            case 1:
                sum_columns<1>(inputs, column, row, count, point, first, r2);
                break;
            case 2:
                sum_columns<2>(inputs, column, row, count, point, first, r2);
                break;
            case 3:
                sum_columns<3>(inputs, column, row, count, point, first, r2);
                break;
            default:
                sum_columns<4>(inputs, column, row, count, point, first, r2);
        }
    }
    if (first) std::fill(r2, r2 + count, 0.0);  // an empty group
}

void apply_kernel(KernelFamily family, double variance, Index count, double* values) {
    if (family == KernelFamily::squared_exponential) {
        for (Index i = 0; i < count; ++i) values[i] = variance * exp_of_nonpositive(-0.5 * values[i]);
        return;
    }
    for (Index i = 0; i < count; ++i) {
        const double s = std::sqrt(5.0 * values[i]);
        values[i] = variance * multiply_add(values[i], 5.0 / 3.0, 1.0 + s) * exp_of_nonpositive(-s);
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
        kernel[i] = multiply_add(kernel[i], 5.0 / 3.0, 1.0 + s) * decay;
        slope[i] = (-5.0 / 6.0) * (1.0 + s) * decay;
    }
}

void add_group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const ScaledInputs& inputs,
                    Eigen::Ref<Matrix> K) {
    const Index n = inputs.U.rows();
    Vector run(n);  // one column at a time stays in the first-level cache
    for (Index c = 0; c < n; ++c) {
        squared_distances(inputs, group, c, n - c, inputs.points.col(c).data(), run.data());
        apply_kernel(family, variance, n - c, run.data());
        K.col(c).tail(n - c) += run.head(n - c);
    }
}

void sum_gram(KernelFamily family, const Partition& partition, const Vector& variance, const ScaledInputs& inputs,
              double diagonal, Eigen::Ref<Matrix> K) {
    const Index n = inputs.U.rows();
    Vector run(n), total(n);
    for (Index c = 0; c < n; ++c) {
        const Index count = n - c;
        total.head(count).setZero();
        for (Index m = 0; m < partition.group_count(); ++m) {
            squared_distances(inputs, partition.group(m), c, count, inputs.points.col(c).data(), run.data());
            apply_kernel(family, variance[m], count, run.data());
            total.head(count) += run.head(count);
        }
        total[0] += diagonal;
        K.col(c).tail(count) = total.head(count);
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
