// SPDX-License-Identifier: Apache-2.0
#include "summand/study/program.hpp"

#include "summand/base/error.hpp"
#include "summand/base/nesting.hpp"
#include "summand/study/json.hpp"
#include "summand/study/result_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace summand::study {

namespace fs = std::filesystem;

namespace {

bool uses(const std::string& text, const std::string& placeholder) {
    const std::vector<Piece> pieces = pieces_of(text);
    return std::any_of(pieces.begin(), pieces.end(),
                       [&](const Piece& piece) { return piece.placeholder && piece.text == placeholder; });
}

/// A path with the numbers of the trial and the attempt in it.
fs::path expanded(const std::string& path, const Launch& launch) {
    std::string text;
    for (const Piece& piece : pieces_of(path)) {
        if (!piece.placeholder)
            text += piece.text;
        else
            text += std::to_string(piece.text == "trial" ? launch.trial : launch.attempt);
    }
    return text;
}

/// Made if it is one for this trial only.
fs::path made_directory(const StudySettings& settings, const Launch& launch) {
    fs::path directory = directory_of(settings, launch);
    if (!uses(settings.directory, "trial") && !uses(settings.directory, "attempt")) return directory;
    std::error_code error;
    fs::create_directories(directory, error);
    if (error)
        throw ExecutorError("the directory " + directory.string() + " cannot be made: " + error.message() +
                            "; check `directory` in the study file, and the disk");
    return directory;
}

fs::path result_file(const StudySettings& settings, const Launch& launch) {
    if (settings.result_file.empty()) return launch.scratch / (std::to_string(launch.trial) + ".result");
    return directory_of(settings, launch) / expanded(settings.result_file, launch);
}

std::string value_of(const std::string& placeholder, const StudySettings& settings, const SearchSpace& space,
                     const Launch& launch) {
    if (const auto j = space.find(placeholder)) return to_text(launch.values[*j]);
    if (placeholder == "trial") return std::to_string(launch.trial);
    if (placeholder == "attempt") return std::to_string(launch.attempt);
    if (placeholder == "file") return parameter_file(launch).string();
    if (placeholder == "result") return result_file(settings, launch).string();
    throw InvalidArgument("command: there is no parameter \"" + placeholder + "\"");
}

const std::vector<std::string> reserved_variables = {"SUMMAND_STUDY", "SUMMAND_TRIAL", "SUMMAND_ATTEMPT",
                                                     "SUMMAND_FILE", "SUMMAND_RESULT"};

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The number a whole line consists of; NaN and infinities are numbers here, told apart later.
std::optional<double> number_in(const std::string& line) {
    std::string text = trimmed(line);
    if (!text.empty() && text[0] == '+') text.erase(0, 1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range && end == text.data() + text.size())
        return std::strtod(text.c_str(), nullptr);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Without the sequences that colour a terminal: ESC [ parameters letter (ECMA-48, 5.4).
std::string without_colours(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\033' || i + 1 == text.size() || text[i + 1] != '[') {
            plain += text[i];
            continue;
        }
        for (i += 2; i < text.size() && text[i] >= ' ' && text[i] < '@';) ++i;
    }
    return plain;
}

/// As it may stand in a message: on one line, and a terminal does nothing but show it.
std::string shown_line(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string line;
    for (const char c : without_colours(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7f) || c == '\t')
            line += c;
        else
            line += std::string("\\x") + digits[byte / 16] + digits[byte % 16];
    }
    return line;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string quoted_end(const std::string& text) {
    const std::string end = trimmed(text);
    if (end.empty()) return "nothing";
    const std::string last = trimmed(end.substr(end.find_last_of('\n') + 1));
    return "\"" + executor::shortened(shown_line(last), 60) + "\"";
}

/// The last line of standard error is where programs say why they failed.
std::string with_last_words(const std::string& cause, const std::string& error) {
    const std::string text = trimmed(error);
    if (text.empty()) return cause;
    return cause + ": " + executor::shortened(shown_line(trimmed(text.substr(text.find_last_of('\n') + 1))), 200);
}

Outcome checked(double value) {
    if (std::isnan(value)) return Failed{"the result is NaN"};
    if (std::isinf(value)) return Failed{"the result is infinite"};
    return value;
}

Outcome from_number(const std::string& text, const std::string& where) {
    std::vector<std::string> lines = lines_of(text);
    std::reverse(lines.begin(), lines.end());
    for (const std::string& line : lines)
        if (const auto value = number_in(line)) return checked(*value);
    return Failed{"unreadable result: no line of " + where + " is a number; it ends with " + quoted_end(text)};
}

Outcome from_field(const nlohmann::json& document, const std::string& field) {
    const nlohmann::json* node = &document;
    std::istringstream path(field);
    for (std::string key; std::getline(path, key, '.');) {
        if (!node->is_object() || !node->contains(key))
            return Failed{"unreadable result: the JSON has no field \"" + field + "\""};
        node = &node->at(key);
    }
    if (node->is_null()) return Failed{"the result is NaN"};  // what JSON writers make of NaN
    if (!node->is_number())
        return Failed{"unreadable result: the field \"" + field + "\" is " + node->dump().substr(0, 60)};
    return checked(node->get<double>());
}

/// Discarded if it is no JSON, or nested too deep to be shown.
nlohmann::json json_in(const std::string& text) {
    if (nesting_of(text) > deepest_nesting) return nlohmann::json::value_t::discarded;
    return nlohmann::json::parse(text, nullptr, false);
}

Outcome from_json(const std::string& text, const std::string& field, const std::string& where) {
    if (const nlohmann::json whole = json_in(text); whole.is_object()) return from_field(whole, field);
    std::vector<std::string> lines = lines_of(trimmed(text));
    if (!lines.empty())
        if (const nlohmann::json last = json_in(lines.back()); last.is_object()) return from_field(last, field);
    return Failed{"unreadable result: neither all of " + where + " nor its last line is a JSON object; it ends with " +
                  quoted_end(text)};
}

Outcome from_text(const StudySettings& settings, const std::string& text, const std::string& where) {
    if (settings.result_prefix.empty() && settings.result_pattern.empty()) return from_number(text, where);
    const bool prefixed = !settings.result_prefix.empty();
    const auto value =
        prefixed ? number_after(text, settings.result_prefix) : number_captured(text, settings.result_pattern);
    if (value) return checked(*value);
    return Failed{"unreadable result: " +
                  (prefixed ? "no number follows \"" + settings.result_prefix + "\" at the beginning of a line of "
                            : "\"" + settings.result_pattern + "\" captures no number in ") +
                  where + "; it ends with " + quoted_end(text)};
}

Outcome from_file(const StudySettings& settings, const fs::path& path, const std::optional<std::string>& text) {
    if (!text) return Failed{"unreadable result: the program did not write " + path.string()};
    if (settings.result_field.empty()) return from_text(settings, without_colours(*text), path.filename().string());
    return from_json(*text, settings.result_field, path.filename().string());
}

}  // namespace

std::vector<Piece> pieces_of(const std::string& argument) {
    std::vector<Piece> pieces = {{}};
    for (std::size_t i = 0; i < argument.size(); ++i) {
        const char c = argument[i];
        const bool doubled = i + 1 < argument.size() && argument[i + 1] == c;
        if ((c == '{' || c == '}') && doubled) {
            pieces.back().text += c;
            ++i;
        } else if (c == '{') {
            const auto end = argument.find('}', i);
            if (end == std::string::npos)
                throw InvalidArgument("\"" + argument + "\" has a '{' that is not closed; write {{ for a brace itself");
            pieces.push_back({argument.substr(i + 1, end - i - 1), true});
            pieces.push_back({});
            i = end;
        } else if (c == '}') {
            throw InvalidArgument("\"" + argument + "\" has a '}' without its '{'; write }} for a brace itself");
        } else {
            pieces.back().text += c;
        }
    }
    return pieces;
}

const std::vector<std::string>& reserved_placeholders() {
    static const std::vector<std::string> names = {"trial", "attempt", "file", "result"};
    return names;
}

std::string with_braces_doubled(const std::string& text) {
    std::string doubled;
    for (const char c : text) doubled += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
    return doubled;
}

std::string problem_with_path(const std::string& key, const std::string& path) {
    try {
        for (const Piece& piece : pieces_of(path))
            if (piece.placeholder && piece.text != "trial" && piece.text != "attempt")
                return key + " names {" + piece.text + "}; allowed are {trial} and {attempt}";
    } catch (const InvalidArgument& error) {
        return key + ": " + error.what();
    }
    return "";
}

bool shares_result_file(const StudySettings& settings) {
    if (settings.result != ResultMode::file || settings.result_file.empty()) return false;
    return !uses((fs::path(settings.directory) / settings.result_file).string(), "trial");
}

std::vector<std::string> problems_with_names(const StudySettings& settings, const SearchSpace& space) {
    std::vector<std::string> problems;
    const auto in_use = [&](const std::string& name) {
        return uses(settings.directory, name) || uses(settings.result_file, name) ||
               std::any_of(settings.command.begin(), settings.command.end(),
                           [&](const std::string& argument) { return uses(argument, name); });
    };
    for (const std::string& name : reserved_placeholders())
        if (space.find(name) && in_use(name))
            problems.push_back("a parameter is named \"" + name + "\", and {" + name +
                               "} stands for something else (the number or file of each trial); rename the parameter");
    if (settings.input != InputMode::environment) return problems;
    std::map<std::string, std::string> owners;  // by variable
    for (const std::string& variable : reserved_variables) owners[variable] = "what Summand itself puts there";
    for (const std::string& name : space.names()) {
        const auto [owner, fresh] = owners.emplace(variable_name(name), "parameter \"" + name + "\"");
        if (!fresh)
            problems.push_back("parameter \"" + name + "\" would be the variable " + owner->first +
                               ", which is taken by " + owner->second + "; rename the parameter");
    }
    return problems;
}

std::vector<std::string> problems_with_command(const StudySettings& settings, const SearchSpace& space) {
    std::vector<std::string> problems;
    std::set<std::string> used;
    std::vector<std::string> known = space.names();
    known.insert(known.end(), reserved_placeholders().begin(), reserved_placeholders().end());
    for (const std::string& argument : settings.command) {
        try {
            for (const Piece& piece : pieces_of(argument))
                if (piece.placeholder) used.insert(piece.text);
        } catch (const InvalidArgument& error) {
            problems.push_back(error.what());
        }
    }
    for (const std::string& name : used) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto near = nearest_name(name, known);
        problems.push_back("the command names {" + name + "}, and there is no such parameter" +
                           (near ? "; did you mean {" + *near + "}?" : "; write {{ and }} for braces themselves"));
    }
    if (settings.input != InputMode::arguments || settings.command.empty()) return problems;
    for (const std::string& name : space.names())
        if (used.count(name) == 0)
            problems.push_back("the command does not use the parameter \"" + name + "\": add {" + name +
                               "} to it, or give the parameters with input = \"stdin\", \"file\" or \"environment\"");
    return problems;
}

fs::path parameter_file(const Launch& launch) {
    return launch.scratch / (std::to_string(launch.trial) + ".json");
}

fs::path directory_of(const StudySettings& settings, const Launch& launch) {
    return expanded(settings.directory, launch);
}

std::string variable_name(const std::string& name) {
    std::string variable = "SUMMAND_";
    for (const char c : name) variable += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return variable;
}

std::vector<std::string> arguments_of(const StudySettings& settings, const SearchSpace& space, const Launch& launch) {
    std::vector<std::string> arguments;
    for (const std::string& argument : settings.command) {
        std::string text;
        bool left_out = false;
        for (const Piece& piece : pieces_of(argument)) {
            text += piece.placeholder ? value_of(piece.text, settings, space, launch) : piece.text;
            const auto j = piece.placeholder ? space.find(piece.text) : std::nullopt;
            left_out = left_out || (j && launch.values[*j] == Value(std::string()));
        }
        if (!left_out) arguments.push_back(text);
    }
    return arguments;
}

executor::Job job_for(const StudySettings& settings, const SearchSpace& space, const Launch& launch) {
    executor::Job job;
    job.id = launch.trial;
    job.directory = made_directory(settings, launch);
    job.time_limit_seconds = settings.time_limit_seconds;
    job.memory_limit_bytes = settings.memory_limit_bytes;
    job.command = arguments_of(settings, space, launch);
    job.environment = {{"SUMMAND_STUDY", launch.study},
                       {"SUMMAND_TRIAL", std::to_string(launch.trial)},
                       {"SUMMAND_ATTEMPT", std::to_string(launch.attempt)}};
    const std::string json = point_to_json(space, launch.values, settings.literals) + "\n";
    if (settings.input == InputMode::stdin_json) job.input = json;
    if (settings.input == InputMode::file_json) {
        if (!(std::ofstream(parameter_file(launch)) << json << std::flush))
            throw ExecutorError("the parameters could not be written to " + parameter_file(launch).string() +
                                "; is the disk full?");
        job.environment["SUMMAND_FILE"] = parameter_file(launch).string();
    }
    if (settings.input == InputMode::environment)
        for (std::size_t j = 0; j < space.size(); ++j)
            job.environment[variable_name(name_of(space[j]))] = to_text(launch.values[j]);
    if (settings.result == ResultMode::file) {
        job.result_file = result_file(settings, launch);
        job.environment["SUMMAND_RESULT"] = job.result_file.string();
    }
    return job;
}

Outcome outcome_of(const StudySettings& settings, const Launch& launch, const executor::Finished& finished) {
    if (finished.ending != executor::Ending::exited || finished.code != 0)
        return Failed{with_last_words(describe(finished), finished.error)};
    switch (settings.result) {
        case ResultMode::stdout_number:
            return from_text(settings, without_colours(finished.output), "standard output");
        case ResultMode::stdout_json:
            return from_json(without_colours(finished.output), settings.result_field, "standard output");
        case ResultMode::file:
            return from_file(settings, result_file(settings, launch), finished.result);
    }
    return Failed{"unreadable result"};
}

NamedValues also_of(const StudySettings& settings, const Launch& launch, const executor::Finished& finished) {
    NamedValues also;
    for (const auto& [name, key] : settings.result_also) {
        StudySettings one = settings;
        (!one.result_field.empty()    ? one.result_field
         : !one.result_prefix.empty() ? one.result_prefix
                                      : one.result_pattern) = key;
        const Outcome outcome = outcome_of(one, launch, finished);
        if (const auto* value = std::get_if<double>(&outcome)) also.emplace_back(name, *value);
    }
    return also;
}

}  // namespace summand::study
