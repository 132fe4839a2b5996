// SPDX-License-Identifier: Apache-2.0
#include "summand/study/result_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>
#include <sstream>
#include <vector>

namespace summand::study {

namespace {

constexpr std::size_t longest_line = 4096;  // std::regex goes one call deeper for each character

std::vector<std::string> last_lines_first(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    std::reverse(lines.begin(), lines.end());
    return lines;
}

/// The number a text begins with, after spaces; none if letters or digits are left over, as in "3rd" or "1.2.3".
std::optional<double> leading_number(const std::string& text) {
    auto begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    if (text[begin] == '+') ++begin;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
    if (error == std::errc::invalid_argument) return {};
    const char next = end == text.data() + text.size() ? ' ' : *end;
    const bool goes_on =
        std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_' ||
        (next == '.' && end + 1 != text.data() + text.size() && std::isdigit(static_cast<unsigned char>(end[1])) != 0);
    if (goes_on) return {};
    if (error == std::errc::result_out_of_range) return std::strtod(text.c_str() + begin, nullptr);
    return value;
}

}  // namespace

std::optional<double> number_after(const std::string& text, const std::string& prefix) {
    for (const std::string& line : last_lines_first(text)) {
        const auto begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos || line.compare(begin, prefix.size(), prefix) != 0) continue;
        return leading_number(line.substr(begin + prefix.size()));
    }
    return {};
}

std::optional<double> number_captured(const std::string& text, const std::string& pattern) {
    const std::regex expression(pattern);
    for (const std::string& line : last_lines_first(text)) {
        std::smatch match;
        if (line.size() > longest_line || !std::regex_search(line, match, expression)) continue;
        return leading_number(match.size() > 1 ? match[1].str() : match[0].str());
    }
    return {};
}

std::string problem_with_pattern(const std::string& pattern) {
    try {
        const std::regex expression(pattern);
        return expression.mark_count() <= 1
                   ? ""
                   : "it has several pairs of parentheses; write (?:...) for all but the number's";
    } catch (const std::regex_error& error) {
        return error.what();
    }
}

}  // namespace summand::study
