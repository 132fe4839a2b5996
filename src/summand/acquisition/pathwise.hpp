// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/surface.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace summand {

/// Posterior draws as smooth functions, all groups jointly, by Matheron's rule [Wilson2020]:
///
///     f_m(z) = g_m(z) + k_m(z, X) v,    v = (K + σ² I)⁻¹ (y - mean - Σ_m g_m(X) - ε),
///
/// g_m a draw from the prior of group m by random Fourier features, ε a draw of the noise. One v for all groups is what
/// makes the groups' draws jointly right (posterior groups are correlated). The correction is exact; the prior draw has
/// the kernel's covariance up to a Monte Carlo error of 1/√frequencies. All draws share the frequencies, so the
/// expensive parts are computed once; given the frequencies the draws are independent.
///
/// Function b is mean + t_b (draw_b - mean): g and ε times t_b. With t = 1 it is the draw, with t = 0 the posterior mean itself,
/// and between them it is bolder than the mean and not as blind as a draw, whose maximiser lies where little is known.
///
/// A choice enters as one-hot vectors over √2, whose squared distance is the kernel's δ² = 1[x ≠ x'].
/// Cost: N F cosines a group and one solve with `count` right-hand sides.
class PathwiseDraws {
  public:
    /// temper: t of every function. Copies of the gp's posterior share its factor. Threads never change the result.
    PathwiseDraws(const AdditiveGp& gp, const Vector& temper, int frequencies, const Rng& rng, int threads = 1);

    Index count() const;
    const AdditiveGp& gp() const;
    /// f_m of every draw at the rows of Z (the group's columns): one column for each draw.
    Matrix values(Index m, const Matrix& Z) const;
    /// Row i belongs to draw draws[i].
    ValueGradients gradients(Index m, const Matrix& Z, const std::vector<Index>& draws) const;

  private:
    struct Shared;
    std::shared_ptr<const Shared> shared_;
};

/// `count` tempers, uniform from `from` to 1.
Vector random_tempers(Index count, double from, Rng rng);

/// One draw's group (or, without a group, the whole function with the prior mean) as a surface.
class DrawSurface final : public Surface {
  public:
    DrawSurface(PathwiseDraws draws, Index draw, std::optional<Index> group);
    Index dimension() const override;
    Vector values(const Matrix& Z) const override;
    ValueGradients gradients(const Matrix& Z) const override;

  private:
    PathwiseDraws draws_;
    Index draw_;
    std::optional<Index> group_;
};

}  // namespace summand
