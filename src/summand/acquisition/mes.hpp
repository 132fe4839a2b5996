// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/context.hpp"
#include "summand/acquisition/surface.hpp"

#include <vector>

namespace summand {

/// Max-value entropy search, additive form [Wang2017mes, sec. 3.3]: for every group, the mean over draws y* of the
/// group's maximum of  γ φ(γ) / (2 Φ(γ)) - log Φ(γ),  γ = (y* - mean) / stddev.
/// y* are maxima of exact joint draws on `candidates` spread points, at least the best mean there.
struct Mes {
    int draws = 10;
    int candidates = 200;
};
Formula formula(const Mes& mes, const Context& context);

/// The mean over maxima, and its derivatives.
Score mes_score(double mean, double stddev, const std::vector<double>& maxima);

}  // namespace summand
