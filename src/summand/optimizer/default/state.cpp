// SPDX-License-Identifier: Apache-2.0
// The default's state as a snapshot keeps it.
#include "summand/base/error.hpp"
#include "summand/optimizer/default/planner.hpp"
#include "summand/optimizer/state_json.hpp"

#include <nlohmann/json.hpp>

namespace summand::optimizer {
namespace {

using Json = nlohmann::json;

Json to_json(const HedgedModel& model) {
    return {{"partition", optimizer::to_json(model.partition)},
            {"kernel", static_cast<int>(model.family)},
            {"warp", model.warp},
            {"chosen_from", model.chosen_from},
            {"hyperparameters", optimizer::to_json(model.hyperparameters)},
            {"score", {model.score.log_density, model.score.squared_errors, model.score.count}}};
}

void read(const Json& json, HedgedModel& model) {
    const Json& score = json.at("score");
    model.partition = partition_from(json.at("partition"));
    model.family = static_cast<KernelFamily>(json.at("kernel").get<int>());
    model.warp = json.at("warp");
    model.chosen_from = json.at("chosen_from");
    model.hyperparameters = hyperparameters_from(json.at("hyperparameters"));
    model.score = {.log_density = score.at(0), .squared_errors = score.at(1), .count = score.at(2)};
}

Json to_json(const TrustRegion& region) {
    return {region.length, region.successes, region.failures, region.round_evaluations, region.round_improved};
}

TrustRegion region_from(const Json& json) {
    return {.length = json.at(0),
            .successes = json.at(1),
            .failures = json.at(2),
            .round_evaluations = json.at(3),
            .round_improved = json.at(4)};
}

Json to_json(const Groups& groups) {
    return {{"structure", optimizer::to_json(groups.structure)},
            {"designed", groups.designed},
            {"learned_from", groups.learned_from},
            {"work_spent", groups.work_spent}};
}

Groups groups_from(const Json& json) {
    return {.structure = learned_from(json.at("structure")),
            .designed = json.at("designed"),
            .learned_from = json.at("learned_from"),
            .work_spent = json.at("work_spent")};
}

}  // namespace

std::string DefaultPlanner::save() const {
    Json models = Json::array();
    for (const HedgedModel& model : models_) models.push_back(to_json(model));
    const Json state = {{"groups", to_json(groups_)},
                        {"models", models},
                        {"region", to_json(region_)},
                        {"doubted", doubts_.orders},
                        {"last_order", last_order_},
                        {"best", best_},
                        {"unit", unit_}};
    return state.dump();
}

void DefaultPlanner::load(const std::string& text) {
    try {
        const Json state = Json::parse(text);
        DefaultPlanner loaded(strategy_);
        loaded.groups_ = groups_from(state.at("groups"));
        const Json& models = state.at("models");
        if (!models.empty()) loaded.models_ = fresh_models(partition_from(models.at(0).at("partition")).dimension());
        for (std::size_t m = 0; m < loaded.models_.size(); ++m) read(models.at(m), loaded.models_[m]);
        loaded.region_ = region_from(state.at("region"));
        loaded.doubts_.orders = state.at("doubted").get<std::vector<std::int64_t>>();
        loaded.last_order_ = state.at("last_order");
        loaded.best_ = state.at("best");
        loaded.unit_ = state.at("unit");
        *this = std::move(loaded);
    } catch (const Json::exception& error) {
        throw InvalidArgument(std::string("snapshot: the planner's state cannot be read: ") + error.what());
    }
}

}  // namespace summand::optimizer
