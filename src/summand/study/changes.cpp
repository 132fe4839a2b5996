// SPDX-License-Identifier: Apache-2.0
#include "summand/study/changes.hpp"

#include "summand/study/json.hpp"

#include <nlohmann/json.hpp>

namespace summand::study {

using Json = nlohmann::ordered_json;

namespace {

std::string shown(const Json& value) {
    const std::string text = value.dump();
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

/// Of two objects; keys that only one of them has count as well.
std::vector<std::string> changed_keys(const Json& before, const Json& now) {
    std::vector<std::string> found;
    for (const auto& [key, value] : before.items()) {
        if (!now.contains(key))
            found.push_back(key + " was " + shown(value) + " and is not given now");
        else if (now.at(key) != value)
            found.push_back(key + " was " + shown(value) + " and is " + shown(now.at(key)) + " now");
    }
    for (const auto& [key, value] : now.items())
        if (!before.contains(key)) found.push_back(key + " was not given and is " + shown(value) + " now");
    return found;
}

Json by_name(const SearchSpace& space) {
    Json named = Json::object();
    for (Json& parameter : Json::parse(space_to_json(space))) {
        const std::string name = parameter.at("name");
        parameter.erase("name");
        named[name] = parameter;
    }
    return named;
}

}  // namespace

std::vector<std::string> changes(const SearchSpace& before, const SearchSpace& now) {
    std::vector<std::string> found;
    const Json old_ones = by_name(before), new_ones = by_name(now);
    for (const auto& [name, parameter] : old_ones.items()) {
        if (!new_ones.contains(name)) found.push_back("parameter " + name + " is gone");
        if (!new_ones.contains(name)) continue;
        for (const std::string& change : changed_keys(parameter, new_ones.at(name)))
            found.push_back("parameter " + name + ": " + change);
    }
    for (const std::string& name : now.names())
        if (!old_ones.contains(name)) found.push_back("parameter " + name + " is new");
    if (found.empty() && before != now) found.push_back("the parameters stand in another order");
    return found;
}

std::vector<std::string> changes(const Options& before, const Options& now) {
    return changed_keys(Json::parse(options_to_json(before)), Json::parse(options_to_json(now)));
}

}  // namespace summand::study
