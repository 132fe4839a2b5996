// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace summand::cli {

/// The first line of a file, else of an environment variable; empty if neither is given. Never from the command line, which
/// everybody on the machine can read. Throws InvalidArgument for a file that others may read, or a token of less than 16 characters.
std::string token_from(const std::string& file, const char* variable);

}  // namespace summand::cli
