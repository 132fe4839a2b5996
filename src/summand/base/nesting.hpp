// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace summand {

/// What reads, writes or deletes a nested value goes one call deeper for each level; what people and programs write has a few.
constexpr int deepest_nesting = 64;

/// Brackets and braces of a JSON text that are open at once, outside of its strings.
int nesting_of(std::string_view json);

/// Throws InvalidArgument, "WHERE: ...", if a JSON text is nested deeper than that.
void check_nesting(std::string_view json, const std::string& where);

}  // namespace summand
