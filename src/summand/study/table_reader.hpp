// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/toml_document.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace summand::study {

/// Reads tables of a study file and gathers mistakes with their lines; a value that is missing or wrong stays empty.
class TableReader {
  public:
    explicit TableReader(std::string file) : file_(std::move(file)) {}

    void mistake(const TomlNode& at, const std::string& sentence) { mistake(at.line, sentence); }
    void mistake(std::uint32_t line, const std::string& sentence);
    void missing(const std::string& sentence) { mistake(1, sentence); }
    bool sound() const { return mistakes_.empty(); }
    /// Throws InvalidArgument with all of them, in the order of the lines.
    void throw_mistakes();

    /// Every other key is a mistake; `where` follows its name in the sentence.
    void allow(const TomlNode& table, const std::vector<std::string>& keys, const std::string& where);

    /// The table under this key; an empty one if there is none.
    const TomlNode& table(const TomlNode& parent, const std::string& key);
    std::optional<std::string> text(const TomlNode& table, const std::string& key);
    std::optional<bool> truth(const TomlNode& table, const std::string& key);
    std::optional<double> number(const TomlNode& table, const std::string& key);
    std::optional<std::int64_t> whole(const TomlNode& table, const std::string& key, std::int64_t least,
                                      std::int64_t most = std::numeric_limits<std::int64_t>::max());
    std::optional<double> duration(const TomlNode& table, const std::string& key);    ///< in seconds
    std::optional<std::int64_t> size(const TomlNode& table, const std::string& key);  ///< in bytes
    /// The position of a word in a list.
    std::optional<std::size_t> word(const TomlNode& table, const std::string& key,
                                    const std::vector<std::string>& words);
    /// The same for an enumeration whose words these are.
    template <class Enum>
    Enum word(const TomlNode& table, const std::string& key, const std::vector<std::string>& words, Enum otherwise) {
        const auto found = word(table, key, words);
        return found ? static_cast<Enum>(*found) : otherwise;
    }

  private:
    std::string file_;
    std::vector<std::pair<std::uint32_t, std::string>> mistakes_;
};

}  // namespace summand::study
