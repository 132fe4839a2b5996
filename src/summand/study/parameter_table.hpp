// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/search_space.hpp"
#include "summand/study/table_reader.hpp"

#include <optional>

namespace summand::study {

/// The search space of the table [parameters]; empty if it has mistakes, which `reader` then holds.
std::optional<SearchSpace> read_space(TableReader& reader, const TomlNode& root);

}  // namespace summand::study
