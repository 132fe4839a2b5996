// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/ucb.hpp"

#include "summand/base/error.hpp"

#include <cmath>
#include <string>

namespace summand {

double beta_at(const BetaSchedule& schedule, Index group_size, std::int64_t time) {
    if (time < 1)
        throw InvalidArgument("beta_at: time " + std::to_string(time) + " was given; rounds are counted from 1");
    const auto* const paper = std::get_if<PaperBeta>(&schedule);
    const double given = paper ? paper->multiplier : std::get<ConstantBeta>(schedule).value;
    if (!(given >= 0) || !std::isfinite(given))
        throw InvalidArgument(std::string("Ucb: the ") + (paper ? "multiplier of beta" : "constant beta") + " is " +
                              std::to_string(given) + "; it must be a finite number of at least 0");
    // β_t = multiplier |A_m| log 2t   [Wang2017, sec. 5.1]
    return paper ? given * static_cast<double>(group_size) * std::log(2.0 * static_cast<double>(time)) : given;
}

Formula formula(const Ucb& ucb, const Context& context) {
    const double root_beta = std::sqrt(beta_at(ucb.beta, context.domain.dimension(), context.time));
    return [root_beta](double mean, double stddev) { return Score{mean + root_beta * stddev, 1.0, root_beta}; };
}

}  // namespace summand
