// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/thompson.hpp"

#include "summand/base/error.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/numeric/square_root.hpp"

#include <string>

namespace summand {
namespace {

Index argmax(const Vector& values) {
    Index best = 0;
    values.maxCoeff(&best);
    return best;
}

}  // namespace

std::unique_ptr<Surface> surface(const Thompson& thompson, const Context& context) {
    return std::make_unique<DrawSurface>(PathwiseDraws(context.gp, Vector::Ones(1), thompson.frequencies, context.rng),
                                         0, context.group);
}

Matrix draw_gaussian(const Vector& mean, const Matrix& covariance, Index count, Rng& rng) {
    if (!mean.allFinite() || !covariance.allFinite())
        throw NumericalError("draw_gaussian: the mean or the covariance of " + std::to_string(mean.size()) +
                             " points holds NaN or infinity");
    const auto factored = factor_with_jitter(mean.size(), [&](Matrix& target) { target = covariance; });
    // Jitter is a share of this covariance, its rounding errors are one of the prior's: where nearly everything is known, jitter
    // does not help.
    const Matrix root = factored ? Matrix() : square_root(covariance);
    Matrix draws(mean.size(), count);
    for (Index c = 0; c < count; ++c) {
        Vector normal(mean.size());
        for (double& entry : normal) entry = rng.normal();
        draws.col(c) = mean + (factored ? factored->factor.times_lower(normal) : Vector(root * normal));
    }
    return draws;
}

Matrix draw_jointly(const AdditiveGp& gp, Index m, const Matrix& Z, Index count, Rng& rng) {
    return draw_gaussian(gp.group_marginals(m, Z).mean, gp.group_covariance(m, Z), count, rng);
}

Matrix maximize_joint_draws(const AdditiveGp& gp, Index m, const Domain& domain, const Matrix& Z, Index count,
                            Index refine, Rng& rng) {
    const Matrix draws = draw_jointly(gp, m, Z, count, rng);
    const auto factored = factor_with_jitter(Z.rows(), [&](Matrix& target) { target = gp.group_covariance(m, Z); });
    const Vector mean = gp.group_marginals(m, Z).mean;
    Matrix maximisers(count, Z.cols());
    for (Index d = 0; d < count; ++d) {
        const Index best = argmax(draws.col(d));
        maximisers.row(d) = Z.row(best);
        if (refine < 1 || !factored) continue;
        // The draw at new points Y given its values f at Z:  N(μ_Y + C K⁻¹ (f - μ_Z), K_Y - C K⁻¹ Cᵀ),  C = cov(Y, Z).
        const Matrix Y = domain.near(Z.row(best).transpose(), refine, 0.02, rng);
        const Matrix solved = factored->factor.solve(Matrix(gp.group_cross_covariance(m, Z, Y)));
        const Matrix cross = gp.group_cross_covariance(m, Y, Z);
        const Vector centre = gp.group_marginals(m, Y).mean + solved.transpose() * (draws.col(d) - mean);
        Matrix spread = gp.group_covariance(m, Y) - cross * solved;
        spread.diagonal().array() += 1e-8 * gp.hyperparameters().variance(m);
        const Vector values = draw_gaussian(centre, 0.5 * (spread + spread.transpose()), 1, rng).col(0);
        if (values.maxCoeff() > draws(best, d)) maximisers.row(d) = Y.row(argmax(values));
    }
    return maximisers;
}

}  // namespace summand
