// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "errors.hpp"
#include "message.hpp"

#include <charconv>
#include <cstdint>

namespace summand::server {

/// A whole number in the query, such as limit=100; empty if it is not given. Throws HttpError 400.
inline std::optional<std::int64_t> whole_in(const Target& target, const std::string& name, std::int64_t least,
                                            std::int64_t most) {
    const auto text = target.value(name);
    if (!text) return {};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() || value < least || value > most)
        throw HttpError(400, "\"" + name + "\" is \"" + *text + "\"; a whole number from " + std::to_string(least) +
                                 " to " + std::to_string(most) + " is needed");
    return value;
}

/// One of a few words; the first if it is not given. Throws HttpError 400.
inline std::string word_in(const Target& target, const std::string& name, const std::vector<std::string>& words) {
    const auto text = target.value(name);
    if (!text) return words.front();
    std::string list;
    for (const std::string& word : words) {
        if (*text == word) return word;
        list += (list.empty() ? "" : ", ") + word;
    }
    throw HttpError(400, "\"" + name + "\" is \"" + *text + "\"; allowed: " + list);
}

}  // namespace summand::server
