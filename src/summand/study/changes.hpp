// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/options.hpp"
#include "summand/space/search_space.hpp"

#include <string>
#include <vector>

// What a study file changes in a study that exists, for sentences.
namespace summand::study {

/// "parameter x: high was 1.0 and is 2.0 now", "parameter y is new", ...
std::vector<std::string> changes(const SearchSpace& before, const SearchSpace& now);
/// "batch_size was 2 and is 4 now"
std::vector<std::string> changes(const Options& before, const Options& now);

}  // namespace summand::study
