// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/search_space.hpp"
#include "summand/study/table_reader.hpp"

#include <map>
#include <optional>

namespace summand::study {

/// The search space of the table [parameters]; empty if it has mistakes, which `reader` then holds.
std::optional<SearchSpace> read_space(TableReader& reader, const TomlNode& root);

/// The values of choices that the file writes as numbers or truth values, by parameter (StudySettings::literals).
std::map<std::string, std::vector<std::string>> literals_of(const TomlNode& root, const SearchSpace& space);

}  // namespace summand::study
