// SPDX-License-Identifier: Apache-2.0
#include "problems/parameters.hpp"

#include <utility>

namespace summand::problems {

SearchSpace make_space(const std::vector<Range>& ranges, const Options& options) {
    std::vector<Parameter> parameters;
    for (const Range& range : ranges) {
        if (options.levels)
            parameters.emplace_back(equally_spaced_levels(range.name, range.low, range.high, *options.levels));
        else
            parameters.emplace_back(Real{.name = range.name, .low = range.low, .high = range.high});
    }
    return SearchSpace(std::move(parameters));
}

std::string indexed(std::string stem, Index number) {
    return stem.append(std::to_string(number));
}

std::vector<Range> numbered(Index dimension, double low, double high) {
    std::vector<Range> ranges;
    for (Index j = 1; j <= dimension; ++j) ranges.push_back({indexed("x", j), low, high});
    return ranges;
}

Problem::Function with_value_noise(std::function<double(const Vector&)> function, const Options& options) {
    return [function = std::move(function), stddev = options.noise_stddev](const Vector& values, Rng& noise) {
        return function(values) + (stddev > 0.0 ? stddev * noise.normal() : 0.0);
    };
}

}  // namespace summand::problems
