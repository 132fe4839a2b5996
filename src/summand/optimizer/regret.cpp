// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/regret.hpp"

#include "summand/base/error.hpp"

#include <algorithm>

namespace summand {

Regret batch_regret(const std::vector<std::vector<double>>& batches, double optimum, Goal goal) {
    Regret result;
    double sum = 0.0;
    for (const std::vector<double>& batch : batches) {
        if (batch.empty()) throw InvalidArgument("batch_regret: a batch has no values; leave empty batches out");
        const double immediate = goal == Goal::maximize ? optimum - *std::max_element(batch.begin(), batch.end())
                                                        : *std::min_element(batch.begin(), batch.end()) - optimum;
        sum += immediate;
        result.simple.push_back(result.simple.empty() ? immediate : std::min(result.simple.back(), immediate));
        result.immediate.push_back(immediate);
        result.cumulative.push_back(sum / static_cast<double>(result.immediate.size()));
    }
    return result;
}

Regret regret(const std::vector<double>& values, double optimum, Goal goal, int batch_size) {
    if (batch_size < 1)
        throw InvalidArgument("regret: batch_size is " + std::to_string(batch_size) + "; it must be at least 1");
    std::vector<std::vector<double>> batches;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % static_cast<std::size_t>(batch_size) == 0) batches.emplace_back();
        batches.back().push_back(values[i]);
    }
    return batch_regret(batches, optimum, goal);
}

}  // namespace summand
