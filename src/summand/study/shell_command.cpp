// SPDX-License-Identifier: Apache-2.0
#include "summand/study/shell_command.hpp"

#include "summand/study/json.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace summand::study {

std::string shell_word(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_./:=,@%+-").find(c) != std::string_view::npos;
    });
    if (plain) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string shell_command(const StudySettings& settings, const SearchSpace& space, const Launch& launch) {
    const std::string json = "printf '%s\\n' " + shell_word(point_to_json(space, launch.values, settings.literals));
    std::string line = "cd " + shell_word(directory_of(settings, launch).string()) + " && ";
    if (settings.input == InputMode::stdin_json) line += json + " | ";
    if (settings.input == InputMode::file_json) {
        const std::string file = shell_word(parameter_file(launch).string());
        line += json + " > " + file + " && SUMMAND_FILE=" + file + " ";
    }
    if (settings.input == InputMode::environment)
        for (std::size_t j = 0; j < space.size(); ++j)
            line += variable_name(name_of(space[j])) + "=" + shell_word(to_text(launch.values[j])) + " ";
    bool first = true;
    for (const std::string& argument : arguments_of(settings, space, launch)) {
        line += (first ? "" : " ") + shell_word(argument);
        first = false;
    }
    return line;
}

}  // namespace summand::study
