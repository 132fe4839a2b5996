// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/work.hpp"

namespace summand::optimizer {

double learning_work(Index dimension, Index points, int sweeps) {
    const double d = static_cast<double>(dimension), n = static_cast<double>(points);
    return sweeps * d * (d / 2.0 + 1.0) * n * n * n / 3.0;
}

bool affordable(const Options& options, double work, double spent, Index evaluations) {
    constexpr double operations_a_second = 1e10;
    if (!options.evaluation_seconds || spent == 0.0) return true;
    const double allowed =
        *options.evaluation_seconds * options.suggestion_share * static_cast<double>(evaluations) * operations_a_second;
    return spent + work <= allowed;
}

}  // namespace summand::optimizer
