// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

// Points of a problem as people write them. Every mistake throws InvalidArgument with a sentence.
namespace summand::cli {

/// From one text for each parameter in order, or from name=value for each parameter.
Vector point_of(const problems::Problem& problem, const std::vector<std::string>& texts,
                const std::vector<std::string>& assignments);

/// From a file ("-" is stdin) whose first line names the columns: any order, other columns are ignored.
std::vector<Vector> points_of_csv(const problems::Problem& problem, const std::string& file);

}  // namespace summand::cli
