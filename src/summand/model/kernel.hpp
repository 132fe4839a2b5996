// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/partition.hpp"

#include <vector>

namespace summand {

/// The shape of every group's kernel, a function of the scaled distance r² = Σ_{j in A_m} δ_j² / l_j², where
/// δ_j = x_j - x'_j for numbers and δ_j = 1[x_j ≠ x'_j] for choices (docs/math.md):
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

/// k(X, X') of one group: variance times the family's function; X and X' have ALL D columns (rows are points).
Matrix group_gram(KernelFamily family, const std::vector<Index>& group, double variance, const Vector& lengthscale,
                  const std::vector<bool>& unordered, const Matrix& X, const Matrix& X2);

}  // namespace summand
