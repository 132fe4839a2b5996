// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/base/nesting.hpp"
#include "summand/optimizer/options.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace summand {
namespace {

using Json = nlohmann::ordered_json;

/// Version 1 stored all of its numbers, whoever had set them. These were not set by the user.
const Json& version_1_values() {
    static const Json values = {
        {"max_group_size", 5},       {"relearn_growth", 1.3},    {"fit_points", 400},       {"score_decay", 0.8},
        {"score_temperature", 5.0},  {"weight_floor", 0.03},     {"smooth_share", 0.3},     {"blind_below", 0.75},
        {"blind_share", 0.8},        {"draw_share", 0.6},        {"draw_groups", 7.0},      {"sure_draw_groups", 4.5},
        {"temper_from", 0.3},        {"explore_at", 16.0},       {"explore_share", 0.15},   {"finish_share", 0.33},
        {"sure_finish_share", 0.05}, {"idle_share", 0.4},        {"region_start", 0.8},     {"region_longest", 1.6},
        {"region_shortest", 0.0078}, {"whole_cube_below", 0.15}, {"whole_cube_share", 0.4}, {"design_threshold", 20.0}};
    return values;
}

/// Takes away what version 1 filled in.
void forget_version_1_values(Json& in) {
    for (const auto& [key, value] : version_1_values().items())
        if (const auto found = in.find(key); found != in.end() && *found == value) in.erase(found);
}

/// Takes away what the user set and is no option any more.
void take_former_options(Json& in, std::vector<std::string>& no_longer_known) {
    const std::vector<std::string> known = option_keys();
    std::vector<std::string> former = {"trend_share"};  // of version 2
    for (const auto& [key, value] : version_1_values().items()) former.push_back(key);
    for (const std::string& key : former) {
        const auto found = in.find(key);
        if (found == in.end() || std::find(known.begin(), known.end(), key) != known.end()) continue;
        no_longer_known.push_back(key + " = " + found->dump());
        in.erase(found);
    }
}

}  // namespace

std::string options_to_store(const Options& given) {
    const Options options = resolved(given);
    const Json all = Json::parse(options_to_json(options));
    const Json usual = Json::parse(options_to_json({.preset = options.preset}));
    Json out = {{"preset", all.at("preset")}};
    if (all.at("strategy") == "default") out["strategy_version"] = default_strategy_version;
    for (const auto& [key, value] : all.items())
        if (!usual.contains(key) || usual.at(key) != value) out[key] = value;
    return out.dump();
}

StoredOptions options_from_store(const std::string& text) {
    check_nesting(text, "Options");
    Json in = Json::parse(text, nullptr, false);
    if (!in.is_object()) throw InvalidArgument("Options: what was stored is not a JSON object");
    StoredOptions stored;
    const Json word = in.value("strategy", Json(nullptr));
    const bool is_paper = word == "paper" || (word.is_null() && in.value("preset", Json("default")) != "default");
    if (!is_paper) {
        const auto version = in.find("strategy_version");
        stored.strategy_version = version != in.end() && version->is_number_integer() ? version->get<int>() : 1;
        if (stored.strategy_version > default_strategy_version)
            throw InvalidArgument("Options: the study was begun with version " +
                                  std::to_string(stored.strategy_version) +
                                  " of the default strategy; this program knows versions up to " +
                                  std::to_string(default_strategy_version));
        if (stored.strategy_version == 1) forget_version_1_values(in);
        if (stored.strategy_version < default_strategy_version) take_former_options(in, stored.no_longer_known);
    }
    in.erase("strategy_version");
    stored.options = options_from_json(in.dump());
    return stored;
}

}  // namespace summand
