// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

namespace summand::testing_support {

/// A study of two parameters with a cheap strategy: these tests are about keeping, not about finding.
inline StudyDefinition small_study(const std::string& database, std::int64_t budget = 100) {
    StudyDefinition definition{
        "demo",
        SearchSpace{{Real{.name = "x", .low = 0.0, .high = 1.0}, Real{.name = "y", .low = 0.0, .high = 1.0}}},
        {},
        {},
        database};
    definition.options.seed = 3;
    definition.options.batch_size = 2;
    definition.options.initial_points = 1000;  // all points from the initial design: no model is fitted
    definition.settings.budget = budget;
    definition.settings.directory = "/tmp";
    return definition;
}

inline double objective(const Trial& trial) {
    return std::get<double>(trial.values[0]) + 2.0 * std::get<double>(trial.values[1]);
}

inline std::vector<std::int64_t> ids_of(const std::vector<Trial>& trials) {
    std::vector<std::int64_t> ids;
    for (const Trial& trial : trials) ids.push_back(trial.id);
    return ids;
}

}  // namespace summand::testing_support
