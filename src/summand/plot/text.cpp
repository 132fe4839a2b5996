// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace summand::plot {
namespace {

struct Decoded {
    std::uint32_t code = 0xFFFD;
    std::size_t length = 1;
    bool valid = false;
};

// One character of UTF-8 from position i (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF).
Decoded decode(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned first = byte(i);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || i + length > text.size()) return {};
    std::uint32_t code = first & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0u) != 0x80u) return {};
        code = (code << 6) | (byte(i + k) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
    return {code, length, true};
}

// Widths in units of the font size, rounded up from the usual sans-serif faces.
double character_width(std::uint32_t code) {
    const auto one_of = [code](std::string_view set) {
        return code < 0x80 && set.find(static_cast<char>(code)) != set.npos;
    };
    if (one_of("ijl.,:;'|!")) return 0.30;
    if (one_of(" frtI()[]-/\\\"")) return 0.40;
    if (one_of("mwMW@%")) return 0.95;
    if (code >= 'A' && code <= 'Z') return 0.72;
    return code < 0x2E80 ? 0.61 : 1.05;  // ideographs are square
}

}  // namespace

std::string coordinate(double value) {
    if (!std::isfinite(value) || std::abs(value) < 0.005) return "0";
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 2).ptr;
    std::string text(buffer, end);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string short_number(double value, int digits) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0.0) return "0";
    char buffer[64];
    const auto scientific =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, digits - 1).ptr;
    const std::string_view form(buffer, static_cast<std::size_t>(scientific - buffer));
    const std::size_t e = form.find('e');
    int exponent = 0;  // of the rounded value
    std::from_chars(buffer + e + (form[e + 1] == '+' ? 2 : 1), scientific, exponent);
    const bool with_exponent = exponent < -4 || exponent >= 6;
    std::string mantissa(form.substr(0, e));
    if (!with_exponent) {
        const int decimals = std::max(0, digits - 1 - exponent);
        mantissa.assign(buffer,
                        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr);
    }
    if (mantissa.find('.') != std::string::npos) {
        mantissa.erase(mantissa.find_last_not_of('0') + 1);
        if (mantissa.back() == '.') mantissa.pop_back();
    }
    return with_exponent ? mantissa + "e" + std::to_string(exponent) : mantissa;
}

std::string duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "unknown";
    if (seconds < 0.9995) return short_number(seconds * 1e3, 3) + " ms";
    if (seconds < 99.95) return short_number(seconds, 3) + " s";
    const auto two = [](long long large, const char* large_unit, long long small, const char* small_unit) {
        const std::string head = std::to_string(large) + " " + large_unit;
        return small == 0 ? head : head + " " + std::to_string(small) + " " + small_unit;
    };
    const long long whole = std::llround(std::min(seconds, 1e15));
    if (whole < 3600) return two(whole / 60, "min", whole % 60, "s");
    if (whole < 86400) return two(whole / 3600, "h", whole / 60 % 60, "min");
    return two(whole / 86400, "d", whole / 3600 % 24, "h");
}

std::string with_uncertainty(double value, double stddev) {
    const std::string spread = short_number(stddev, 2);
    if (!(stddev > 0) || !std::isfinite(stddev) || !std::isfinite(value))
        return short_number(value, 6) + " ± " + spread;
    const int last = static_cast<int>(std::floor(std::log10(stddev))) - 1;  // power of ten of its second digit
    if (std::abs(value) < 0.5 * std::pow(10.0, last)) value = 0.0;
    if (last > 0 || last < -6 || std::abs(value) >= 1e9) {
        const int first = value == 0 ? last : static_cast<int>(std::floor(std::log10(std::abs(value))));
        return short_number(value, std::clamp(first - last + 1, 1, 15)) + " ± " + spread;
    }
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, -last).ptr;
    return std::string(buffer, end) + " ± " + spread;
}

std::string escaped(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Decoded c = decode(text, i);
        switch (c.code) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default: {
                const bool forbidden = (c.code < 0x20 && c.code != '\t' && c.code != '\n' && c.code != '\r') ||
                                       c.code == 0xFFFE || c.code == 0xFFFF;
                if (!c.valid)
                    result += "\xEF\xBF\xBD";
                else if (!forbidden)
                    result += text.substr(i, c.length);
            }
        }
        i += c.length;
    }
    return result;
}

double text_width(std::string_view text, double size, bool bold) {
    double width = 0.0;
    for (std::size_t i = 0; i < text.size();) {
        const Decoded c = decode(text, i);
        width += character_width(c.code);
        i += c.length;
    }
    return width * size * (bold ? 1.08 : 1.0);
}

std::string shortened(std::string_view text, double width, double size) {
    if (text_width(text, size) <= width) return std::string(text);
    const double room = width - character_width(0x2026) * size;
    std::size_t end = 0;
    for (double used = 0.0; end < text.size();) {
        const Decoded c = decode(text, end);
        used += character_width(c.code) * size;
        if (used > room) break;
        end += c.length;
    }
    return std::string(text.substr(0, end)) + "…";
}

}  // namespace summand::plot
