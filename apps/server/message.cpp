// SPDX-License-Identifier: Apache-2.0
#include "message.hpp"

#include "errors.hpp"
#include "utf8.hpp"

#include <cctype>
#include <string_view>

namespace summand::server {

namespace {

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string decoded(std::string_view text, bool in_query) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && in_query) {
            result += ' ';
        } else if (text[i] != '%') {
            result += text[i];
        } else {
            const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                throw HttpError(400, "the address has a % that two hexadecimal digits do not follow; write %25 for %");
            result += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    if (!is_utf8(result) || result.find('\0') != std::string::npos)
        throw HttpError(400, "the address is not UTF-8 text");
    return result;
}

/// Calls `take` for each part between separators.
template <class Take>
void split(std::string_view text, char separator, const Take& take) {
    while (!text.empty()) {
        const auto end = text.find(separator);
        take(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
}

}  // namespace

const std::string& Request::header(const std::string& lower_case_name) const {
    static const std::string none;
    const auto found = headers.find(lower_case_name);
    return found == headers.end() ? none : found->second;
}

std::optional<std::string> Target::value(const std::string& name) const {
    const std::vector<std::string> all = values(name);
    if (all.size() > 1) throw HttpError(400, "\"" + name + "\" is given " + std::to_string(all.size()) + " times");
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<std::string> Target::values(const std::string& name) const {
    std::vector<std::string> all;
    for (auto [it, end] = query.equal_range(name); it != end; ++it) all.push_back(it->second);
    return all;
}

Target parse_target(const std::string& target) {
    if (target.empty() || target[0] != '/')
        throw HttpError(400, "the address must begin with /, as in /api/v1/studies");
    const auto mark = target.find('?');
    const std::string_view path = std::string_view(target).substr(1, mark == std::string::npos ? mark : mark - 1);
    Target parsed;
    split(path, '/', [&](std::string_view segment) {
        if (!segment.empty()) parsed.path.push_back(decoded(segment, false));
    });
    if (mark == std::string::npos) return parsed;
    split(std::string_view(target).substr(mark + 1), '&', [&](std::string_view pair) {
        const auto equals = pair.find('=');
        const std::string name = decoded(pair.substr(0, equals), true);
        if (!name.empty())
            parsed.query.emplace(name, equals == std::string_view::npos ? "" : decoded(pair.substr(equals + 1), true));
    });
    return parsed;
}

}  // namespace summand::server
