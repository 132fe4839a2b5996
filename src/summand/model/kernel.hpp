// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/partition.hpp"

#include <string>
#include <vector>

namespace summand {

/// The shape of every group's kernel, a function of the scaled distance r² = Σ_{j in A_m} δ_j² / l_j², where
/// δ_j = x_j - x'_j for numbers and δ_j = 1[x_j ≠ x'_j] for choices (docs/math.md, eq. M1):
///   squared_exponential   exp(-r²/2)
///   matern52              (1 + √5 r + 5r²/3) exp(-√5 r)
enum class KernelFamily { squared_exponential, matern52 };

/// All numbers of an additive GP but its groups, in the user's units of y and the unit cube's of x.
/// A lengthscale belongs to its parameter (each is in exactly one group); a variance belongs to its group.
struct Hyperparameters {
    Vector lengthscale = {};       ///< D, one for each parameter; all equal = isotropic
    Vector variance = {};          ///< M, one for each group of the partition, in its canonical order
    double noise_variance = 1e-4;  ///< once for the sum, not once a group
    double mean = 0.0;             ///< constant prior mean of the sum

    /// The paper's setting: one lengthscale, one variance for every group.
    static Hyperparameters isotropic(const Partition& partition, double lengthscale, double variance,
                                     double noise_variance, double mean = 0.0);
};

/// Throws InvalidArgument, naming `where`, unless there are D lengthscales and M variances, all positive and finite, a
/// noise variance >= 0 and a finite mean.
void check_hyperparameters(const Hyperparameters& hyperparameters, const Partition& partition,
                           const std::string& where);

/// k(X, X') of one group: variance times the family's function; X and X' have ALL D columns (rows are points).
Matrix group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const Vector& lengthscale,
                  const std::vector<bool>& unordered, const Matrix& X, const Matrix& X2);

// The fast path under everything else: columns scaled once, distances and shapes over contiguous runs of points.

/// Points with each number divided by its lengthscale; choices as they are, their mismatch weighing 1/l².
struct ScaledInputs {
    Matrix U = {};         ///< N x D
    Matrix points = {};    ///< its transpose, so that one point's coordinates lie side by side
    Vector mismatch = {};  ///< D: 1/l² for a choice, 0 for a number
};
ScaledInputs scale_inputs(const Matrix& X, const Vector& lengthscale, const std::vector<bool>& unordered);

/// r²[i] = squared distance between point `row` + i and `point` (scaled, D entries) over the group's columns, i < count.
void squared_distances(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
                       const double* point, double* r2);
inline void squared_distances(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
                              const Vector& point, double* r2) {
    squared_distances(inputs, group, row, count, point.data(), r2);
}
/// values[i] holds r² and becomes variance · k(r²). The result for one r² does not depend on its place in the run.
void apply_kernel(KernelFamily family, double variance, Index count, double* values);
/// kernel[i] holds r² and becomes variance · k(r²); slope[i] becomes variance · dk/d(r²), finite at r = 0.
void apply_kernel_and_slope(KernelFamily family, double variance, Index count, double* kernel, double* slope);

/// out[i] = variance · k between point `row` + i and `point` (as squared_distances), and out[i] += the same: distances and
/// kernel in one pass for groups of up to four numbers.
void write_kernel(KernelFamily family, double variance, const ScaledInputs& inputs, const std::vector<Index>& group,
                  Index row, Index count, const double* point, double* out);
void add_kernel(KernelFamily family, double variance, const ScaledInputs& inputs, const std::vector<Index>& group,
                Index row, Index count, const double* point, double* out);

/// Adds the group's Gram matrix of all points to the lower triangle of K.
void add_group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const ScaledInputs& inputs,
                    Eigen::Ref<Matrix> K);
/// Writes the lower triangle of K = Σ_m variance_m k_m + diagonal I, N x N.
void sum_gram(KernelFamily family, const Partition& partition, const Vector& variance, const ScaledInputs& inputs,
              double diagonal, Eigen::Ref<Matrix> K);

}  // namespace summand
