// SPDX-License-Identifier: Apache-2.0
#include "summand/study/table_reader.hpp"

#include "summand/base/error.hpp"
#include "summand/space/search_space.hpp"
#include "summand/study/quantities.hpp"

namespace summand::study {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return list;
}

/// A number of the base unit above 0, or a text that `parse` understands.
template <class T>
std::optional<T> quantity(const TomlNode& node, std::optional<T> (*parse)(const std::string&)) {
    if (const auto number = node.number(); number && *number > 0.0) return static_cast<T>(*number);
    const auto* text = node.as<std::string>();
    const auto value = text != nullptr ? parse(*text) : std::nullopt;
    return value && *value > T{} ? value : std::nullopt;
}

}  // namespace

void TableReader::mistake(std::uint32_t line, const std::string& sentence) {
    mistakes_.emplace_back(line, file_ + ":" + std::to_string(line) + ": " + sentence);
}

void TableReader::throw_mistakes() {
    if (sound()) return;
    std::stable_sort(mistakes_.begin(), mistakes_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string all;
    for (const auto& [line, sentence] : mistakes_) all += (all.empty() ? "" : "\n") + sentence;
    throw InvalidArgument(all);
}

void TableReader::allow(const TomlNode& table, const std::vector<std::string>& keys, const std::string& where) {
    for (const auto& [key, node] : *table.as<TomlNode::Table>()) {
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        const auto near = nearest_name(key, keys);
        mistake(node.key_line, "unknown key \"" + key + "\"" + where +
                                   (near ? "; did you mean \"" + *near + "\"?" : "; allowed are " + joined(keys)));
    }
}

const TomlNode& TableReader::table(const TomlNode& parent, const std::string& key) {
    static const TomlNode empty;
    const TomlNode* node = parent.find(key);
    if (node == nullptr) return empty;
    if (node->as<TomlNode::Table>() != nullptr) return *node;
    mistake(*node, key + " is " + shown(*node) + "; a table is needed: [" + key + "]");
    return empty;
}

std::optional<std::string> TableReader::text(const TomlNode& table, const std::string& key) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (const auto* text = node->as<std::string>()) return *text;
    mistake(*node, key + " is " + shown(*node) + "; a text in quotes is needed");
    return {};
}

std::optional<bool> TableReader::truth(const TomlNode& table, const std::string& key) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (const auto* truth = node->as<bool>()) return *truth;
    mistake(*node, key + " is " + shown(*node) + "; true or false is needed");
    return {};
}

std::optional<double> TableReader::number(const TomlNode& table, const std::string& key) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (const auto number = node->number()) return number;
    mistake(*node, key + " is " + shown(*node) + "; a number is needed");
    return {};
}

std::optional<std::int64_t> TableReader::whole(const TomlNode& table, const std::string& key, std::int64_t least,
                                               std::int64_t most) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (const auto* whole = node->as<std::int64_t>(); whole != nullptr && *whole >= least && *whole <= most)
        return *whole;
    const bool bounded = most < std::numeric_limits<std::int64_t>::max();
    mistake(*node, key + " is " + shown(*node) + "; a whole number of at least " + std::to_string(least) +
                       (bounded ? " and at most " + std::to_string(most) : "") + " is needed");
    return {};
}

std::optional<double> TableReader::duration(const TomlNode& table, const std::string& key) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (const auto seconds = quantity<double>(*node, parse_duration)) return seconds;
    mistake(*node,
            key + " is " + shown(*node) + "; write seconds, or a text such as \"30s\", \"10m\", \"2h\" or \"1h30m\"");
    return {};
}

std::optional<std::int64_t> TableReader::size(const TomlNode& table, const std::string& key) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (const auto bytes = quantity<std::int64_t>(*node, parse_size)) return bytes;
    mistake(*node, key + " is " + shown(*node) + "; write bytes, or a text such as \"512MB\" or \"2GiB\"");
    return {};
}

std::optional<std::size_t> TableReader::word(const TomlNode& table, const std::string& key,
                                             const std::vector<std::string>& words) {
    const auto given = text(table, key);
    if (!given) return {};
    const auto found = std::find(words.begin(), words.end(), *given);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    const auto near = nearest_name(*given, words);
    mistake(*table.find(key), key + " is \"" + *given + "\"" + (near ? "; did you mean \"" + *near + "\"?" : ";") +
                                  " Allowed are " + joined(words));
    return {};
}

}  // namespace summand::study
