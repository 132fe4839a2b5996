// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/program.hpp"

namespace summand::study {

/// What to type into a shell to run a trial's program by hand, from any directory.
std::string shell_command(const StudySettings& settings, const SearchSpace& space, const Launch& launch);

/// The text as one word of a POSIX shell.
std::string shell_word(const std::string& text);

}  // namespace summand::study
