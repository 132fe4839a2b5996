// SPDX-License-Identifier: Apache-2.0
#include "summand/study/quantities.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace summand::study {

namespace {

std::optional<double> seconds_in(const std::string& unit) {
    if (unit == "ms") return 1e-3;
    if (unit == "s") return 1.0;
    if (unit == "m" || unit == "min") return 60.0;
    if (unit == "h") return 3600.0;
    if (unit == "d") return 86400.0;
    return {};
}

std::optional<double> bytes_in(const std::string& unit) {
    const std::string prefixes = "kMGT";
    if (unit.empty() || unit == "B") return 1.0;
    const auto power = prefixes.find(unit[0] == 'K' ? 'k' : unit[0]);
    if (power == std::string::npos) return {};
    const std::string rest = unit.substr(1);
    if (rest == "iB" || rest == "i") return std::pow(1024.0, static_cast<double>(power + 1));
    if (rest == "B" || rest.empty()) return std::pow(1000.0, static_cast<double>(power + 1));
    return {};
}

std::string read_unit(std::istringstream& stream) {
    std::string unit;
    stream >> std::ws;
    while (std::isalpha(stream.peek()) != 0) unit += static_cast<char>(stream.get());
    return unit;
}

std::string formatted(const char* format, auto... values) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

}  // namespace

std::optional<double> parse_number(const std::string& text) {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [stop, error] = std::from_chars(begin, end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<double> parse_duration(const std::string& text) {
    std::istringstream stream(text);
    double total = 0.0;
    do {
        double count = 0.0;
        if (!(stream >> count) || count < 0.0) return {};
        const auto seconds = seconds_in(read_unit(stream));
        if (!seconds) return {};
        total += count * *seconds;
        stream >> std::ws;
    } while (stream.peek() != std::istringstream::traits_type::eof());
    return total;
}

std::optional<std::int64_t> parse_size(const std::string& text) {
    std::istringstream stream(text);
    double count = 0.0;
    if (!(stream >> count) || count < 0.0) return {};
    const auto bytes = bytes_in(read_unit(stream));
    stream >> std::ws;
    if (!bytes || stream.peek() != std::istringstream::traits_type::eof() || count * *bytes > 9e18) return {};
    return static_cast<std::int64_t>(count * *bytes);
}

std::string format_duration(double seconds) {
    if (seconds < 0.1) return formatted("%.1f ms", seconds * 1e3);
    if (seconds < 99.95) return formatted("%.1f s", seconds);
    const auto whole = static_cast<long>(std::lround(seconds));
    if (whole < 3600) return formatted("%ld min %02ld s", whole / 60, whole % 60);
    return formatted("%ld h %02ld min", whole / 3600, whole % 3600 / 60);
}

}  // namespace summand::study
