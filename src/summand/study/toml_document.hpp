// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace summand::study {

/// A value of a TOML file and where it stands. Tables keep the order of the file.
struct TomlNode {
    using Array = std::vector<TomlNode>;
    using Table = std::vector<std::pair<std::string, TomlNode>>;
    struct Time {};  ///< a date or time: no key takes one

    std::variant<std::string, std::int64_t, double, bool, Array, Table, Time> value = Table{};
    std::uint32_t line = 1;      ///< of the value
    std::uint32_t key_line = 1;  ///< of its key

    template <class T>
    const T* as() const {
        return std::get_if<T>(&value);
    }
    std::optional<double> number() const;  ///< of either kind
    /// The member of this name; none if it is missing or this is not a table.
    const TomlNode* find(const std::string& key) const;
};

/// Throws InvalidArgument ("FILE:LINE: this is not TOML: ...").
TomlNode parse_toml(const std::string& text, const std::string& file);

/// JSON with the same meaning; all of it stands on line 1. Throws InvalidArgument, also for JSON nested deeper than 64.
TomlNode toml_from_json(const std::string& text, const std::string& file);

/// As the user wrote it, more or less: for sentences.
std::string shown(const TomlNode& node);

/// As JSON text.
std::string to_json_text(const TomlNode& node);

}  // namespace summand::study
