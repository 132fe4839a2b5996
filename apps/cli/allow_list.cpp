// SPDX-License-Identifier: Apache-2.0
#include "allow_list.hpp"

#include "csv.hpp"
#include "summand/base/error.hpp"
#include "summand/study/shell_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace summand::cli {

namespace fs = std::filesystem;

namespace {

fs::path allow_file() {
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder != '\0')
        return fs::path(folder) / "summand/allow";
    const char* home = std::getenv("HOME");
    return fs::path(home != nullptr ? home : ".") / ".config/summand/allow";
}

}  // namespace

std::string command_text(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& word : command) text += (text.empty() ? "" : " ") + study::shell_word(word);
    return text;
}

std::vector<std::string> allowed_commands(const std::vector<std::string>& given) {
    std::vector<std::string> allowed = given;
    std::ifstream file(allow_file());
    for (std::string line; std::getline(file, line);)
        if (const std::string text = trimmed(line); !text.empty() && text[0] != '#') allowed.push_back(text);
    return allowed;
}

void check_allowed(const std::string& study, const StudySettings& settings, const std::vector<std::string>& allowed) {
    if (settings.command.empty())
        throw InvalidArgument("study \"" + study + "\" has no command; it is asked and told by other means");
    const fs::path result(settings.result_file);
    if (result.is_absolute() || std::find(result.begin(), result.end(), "..") != result.end())
        throw InvalidArgument("study \"" + study + "\" reads its results from " + settings.result_file +
                              ", which is outside of this folder; that is not allowed for a worker");
    const std::string command = command_text(settings.command);
    if (std::find(allowed.begin(), allowed.end(), command) != allowed.end()) return;
    throw InvalidArgument("study \"" + study + "\" would run here:\n  " + command +
                          "\nIf you trust it with any values of its parameters, allow it: add that line to " +
                          allow_file().string() + ", or give it with --allow");
}

}  // namespace summand::cli
