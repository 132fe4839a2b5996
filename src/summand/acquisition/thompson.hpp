// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/context.hpp"
#include "summand/acquisition/pathwise.hpp"
#include "summand/acquisition/surface.hpp"

#include <memory>

namespace summand {

/// One draw from the posterior, as a smooth function (acquisition/pathwise.hpp). The stream decides the draw: the same
/// stream gives every group its part of the same joint draw.
struct Thompson {
    int frequencies = 256;  ///< random frequencies of the prior draw, for each group
};
std::unique_ptr<Surface> surface(const Thompson& thompson, const Context& context);

/// The rows of Z at which `count` exact joint draws of f_m are largest, after one local refinement: each draw is
/// continued, conditioned on its own values, to `refine` points near its maximum. Returns count rows.
/// No approximation but a jitter of 1e-8 of the group's variance. Cost O(n N² + n³) for n rows of Z.
Matrix maximize_joint_draws(const AdditiveGp& gp, Index m, const Domain& domain, const Matrix& Z, Index count,
                            Index refine, Rng& rng);

/// Draws from N(mean, covariance): one column for each. A jitter is added if the covariance needs it to be factored; if that
/// does not help, eigenvalues below 0 count as 0. Throws NumericalError for NaN and infinity.
Matrix draw_gaussian(const Vector& mean, const Matrix& covariance, Index count, Rng& rng);

/// Values of `count` exact joint posterior draws of f_m at the rows of Z: one column for each draw.
Matrix draw_jointly(const AdditiveGp& gp, Index m, const Matrix& Z, Index count, Rng& rng);

}  // namespace summand
