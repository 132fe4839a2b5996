// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

namespace summand::cli {

/// Rows of a comma-separated file; "quoted, fields" and CRLF are understood, empty lines are left out.
std::vector<std::vector<std::string>> read_csv(std::istream& in);
/// The field, in quotes if it needs them.
std::string csv_field(const std::string& text);

}  // namespace summand::cli
