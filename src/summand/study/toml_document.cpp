// SPDX-License-Identifier: Apache-2.0
#include "summand/study/toml_document.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace summand::study {

using Json = nlohmann::ordered_json;

namespace {

TomlNode converted(const toml::node& node, std::uint32_t key_line) {
    TomlNode result;
    result.line = node.source().begin.line;
    result.key_line = key_line;
    if (const auto* string = node.as_string())
        result.value = string->get();
    else if (const auto* integer = node.as_integer())
        result.value = integer->get();
    else if (const auto* number = node.as_floating_point())
        result.value = number->get();
    else if (const auto* boolean = node.as_boolean())
        result.value = boolean->get();
    else if (const auto* array = node.as_array()) {
        TomlNode::Array items;
        for (const toml::node& item : *array) items.push_back(converted(item, item.source().begin.line));
        result.value = std::move(items);
    } else if (const auto* table = node.as_table()) {
        // toml++ sorts keys by name; the order of the user is that of the lines.
        std::vector<std::pair<toml::source_position, std::string>> order;
        for (const auto& [key, member] : *table) order.emplace_back(key.source().begin, std::string(key.str()));
        std::sort(order.begin(), order.end());
        TomlNode::Table members;
        for (const auto& [position, key] : order) members.emplace_back(key, converted(*table->get(key), position.line));
        result.value = std::move(members);
    } else {
        result.value = TomlNode::Time{};
    }
    return result;
}

Json to_json(const TomlNode& node) {
    if (const auto* array = node.as<TomlNode::Array>()) {
        Json json = Json::array();
        for (const TomlNode& item : *array) json.push_back(to_json(item));
        return json;
    }
    if (const auto* table = node.as<TomlNode::Table>()) {
        Json json = Json::object();
        for (const auto& [key, member] : *table) json[key] = to_json(member);
        return json;
    }
    if (const auto* text = node.as<std::string>()) return *text;
    if (const auto* whole = node.as<std::int64_t>()) return *whole;
    if (const auto* number = node.as<double>()) return *number;
    if (const auto* truth = node.as<bool>()) return *truth;
    return nullptr;
}

TomlNode from_json(const nlohmann::ordered_json& json) {
    TomlNode node;
    if (json.is_string())
        node.value = json.get<std::string>();
    else if (json.is_number_integer())
        node.value = json.get<std::int64_t>();
    else if (json.is_number())
        node.value = json.get<double>();
    else if (json.is_boolean())
        node.value = json.get<bool>();
    else if (json.is_array()) {
        TomlNode::Array items;
        for (const auto& item : json) items.push_back(from_json(item));
        node.value = std::move(items);
    } else if (json.is_object()) {
        TomlNode::Table members;
        for (const auto& [key, member] : json.items())
            if (!member.is_null()) members.emplace_back(key, from_json(member));  // null: not given
        node.value = std::move(members);
    } else {
        node.value = TomlNode::Time{};
    }
    return node;
}

}  // namespace

TomlNode toml_from_json(const std::string& text, const std::string& file) {
    constexpr int deepest = 64;  // readers go one call deeper for each level
    const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest) throw InvalidArgument(file + ": the JSON is nested deeper than 64 levels");
        return true;
    };
    try {
        const Json json = Json::parse(text, shallow);
        if (!json.is_object()) throw InvalidArgument(file + ": a JSON object is needed: {\"name\": ...}");
        return from_json(json);
    } catch (const Json::exception& error) {
        throw InvalidArgument(file + ": this is not JSON: " + error.what());
    }
}

std::optional<double> TomlNode::number() const {
    if (const auto* whole = as<std::int64_t>()) return static_cast<double>(*whole);
    const auto* real = as<double>();
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

const TomlNode* TomlNode::find(const std::string& key) const {
    const auto* table = as<Table>();
    if (table == nullptr) return nullptr;
    const auto found =
        std::find_if(table->begin(), table->end(), [&](const auto& entry) { return entry.first == key; });
    return found == table->end() ? nullptr : &found->second;
}

TomlNode parse_toml(const std::string& text, const std::string& file) {
    try {
        return converted(toml::parse(text), 1);
    } catch (const toml::parse_error& error) {
        throw InvalidArgument(file + ":" + std::to_string(error.source().begin.line) +
                              ": this is not TOML: " + std::string(error.description()));
    }
}

std::string shown(const TomlNode& node) {
    struct Visitor {
        std::string operator()(const std::string& text) const { return '"' + text + '"'; }
        std::string operator()(std::int64_t whole) const { return std::to_string(whole); }
        std::string operator()(double number) const {
            std::ostringstream text;
            text << number;
            return text.str();
        }
        std::string operator()(bool truth) const { return truth ? "true" : "false"; }
        std::string operator()(const TomlNode::Array&) const { return "an array"; }
        std::string operator()(const TomlNode::Table&) const { return "a table"; }
        std::string operator()(const TomlNode::Time&) const { return "a date or time"; }
    };
    return std::visit(Visitor{}, node.value);
}

std::string to_json_text(const TomlNode& node) {
    return to_json(node).dump();
}

}  // namespace summand::study
