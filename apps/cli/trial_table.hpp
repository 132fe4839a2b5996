// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

#include <iosfwd>
#include <optional>

namespace summand::cli {

/// Trials below a header: id, state, value, further values, parameters, and why one failed. Numbers have five significant
/// digits. Columns that do not fit into `width` are left out, with a line that says so.
void print_table(std::ostream& out, const SearchSpace& space, const std::vector<Trial>& trials,
                 std::optional<std::size_t> width);

}  // namespace summand::cli
