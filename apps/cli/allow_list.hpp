// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/definition.hpp"

#include <string>
#include <vector>

namespace summand::cli {

/// The command as one writes it in a shell: ./simulate '{x}' '{angle}'.
std::string command_text(const std::vector<std::string>& command);

/// What this user lets a server have run here: whole commands as command_text() shows them, one a line, in a file
/// (~/.config/summand/allow; # begins a comment) and on the command line.
std::vector<std::string> allowed_commands(const std::vector<std::string>& given);

/// Throws InvalidArgument, with the command and how to allow it, unless it is allowed; also if the study would have files outside of the
/// worker's folder read or deleted.
void check_allowed(const std::string& study, const StudySettings& settings, const std::vector<std::string>& allowed);

}  // namespace summand::cli
