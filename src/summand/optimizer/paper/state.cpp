// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/optimizer/paper/planner.hpp"
#include "summand/optimizer/state_json.hpp"

#include <nlohmann/json.hpp>

// What a snapshot keeps of the paper's strategy.
namespace summand::optimizer {

std::string PaperPlanner::save() const {
    nlohmann::json structures = nlohmann::json::array();
    for (const Structure& s : structures_)
        structures.push_back({{"partition", to_json(s.partition)},
                              {"hyperparameters", to_json(s.hyperparameters)},
                              {"weight", s.weight}});
    nlohmann::json state = {{"round", round_},
                            {"learned_at", learned_at_},
                            {"work_spent", work_spent_},
                            {"unit", unit_},
                            {"structures", structures}};
    if (learned_) state["learned"] = to_json(*learned_);
    return state.dump();
}

void PaperPlanner::load(const std::string& text) {
    try {
        const nlohmann::json state = nlohmann::json::parse(text);
        PaperPlanner loaded(strategy_);
        loaded.round_ = state.at("round");
        loaded.learned_at_ = state.at("learned_at");
        loaded.work_spent_ = state.at("work_spent");
        loaded.unit_ = state.at("unit");
        for (const nlohmann::json& s : state.at("structures"))
            loaded.structures_.push_back({.partition = partition_from(s.at("partition")),
                                          .hyperparameters = hyperparameters_from(s.at("hyperparameters")),
                                          .weight = s.at("weight")});
        if (state.contains("learned")) loaded.learned_ = learned_from(state.at("learned"));
        *this = std::move(loaded);
    } catch (const nlohmann::json::exception& error) {
        throw InvalidArgument(std::string("snapshot: the planner's state cannot be read: ") + error.what());
    }
}

}  // namespace summand::optimizer
