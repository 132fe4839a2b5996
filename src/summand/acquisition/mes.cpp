// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/mes.hpp"

#include "summand/acquisition/thompson.hpp"
#include "summand/numeric/normal.hpp"

#include <algorithm>
#include <cmath>

namespace summand {
namespace {

// Draws of the maximum of the group, or of the sum, over spread points: maxima of exact joint draws. The best mean there
// is a lower limit, since a maximum below it would make the entropy reduction at that point grow without bound.
std::vector<double> draw_maxima(const Mes& mes, const Context& context) {
    Rng rng = context.rng.stream("mes/points");
    const Matrix Z = context.domain.spread(mes.candidates, rng);
    const Marginals marginals =
        context.group ? context.gp.group_marginals(*context.group, Z) : context.gp.sum_marginals(Z);
    const Matrix covariance =
        context.group ? context.gp.group_covariance(*context.group, Z) : context.gp.sum_covariance(Z);
    Rng draw = context.rng.stream("mes/draws");
    const Matrix values = draw_gaussian(marginals.mean, covariance, mes.draws, draw);
    std::vector<double> maxima;
    for (Index d = 0; d < values.cols(); ++d)
        maxima.push_back(std::max(values.col(d).maxCoeff(), marginals.mean.maxCoeff()));
    return maxima;
}

}  // namespace

Score mes_score(double mean, double stddev, const std::vector<double>& maxima) {
    Score total;
    for (const double maximum : maxima) {
        // a(γ) = γ h / 2 - log Φ(γ) with h = φ/Φ, h' = -h (γ + h), so a'(γ) = -h (1 + γ (γ + h)) / 2.
        const double gamma = (maximum - mean) / stddev, hazard = normal_hazard(gamma);
        const double slope = -0.5 * hazard * (1.0 + gamma * (gamma + hazard));
        total.value += 0.5 * gamma * hazard - log_normal_cdf(gamma);
        total.by_mean -= slope / stddev;
        total.by_stddev -= slope * gamma / stddev;
    }
    const auto count = static_cast<double>(maxima.size());
    return {total.value / count, total.by_mean / count, total.by_stddev / count};
}

Formula formula(const Mes& mes, const Context& context) {
    return [maxima = draw_maxima(mes, context)](double mean, double stddev) { return mes_score(mean, stddev, maxima); };
}

}  // namespace summand
