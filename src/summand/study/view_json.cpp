// SPDX-License-Identifier: Apache-2.0
#include "summand/study/view_json.hpp"

#include "summand/base/nesting.hpp"
#include "summand/study/json.hpp"
#include "summand/study/json_text.hpp"

#include <nlohmann/json.hpp>

namespace summand::study {

using Json = nlohmann::ordered_json;

namespace {

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

std::optional<double> number_from(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

}  // namespace

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parsed(const std::string& text) {
    check_nesting(text, "JSON");
    return Json::parse(text);
}

std::string trial_to_json(const SearchSpace& space, const Literals& literals, const Trial& trial) {
    return dumped({{"id", trial.id},
                   {"state", to_string(trial.state)},
                   {"parameters", Json::parse(point_to_json(space, trial.values, literals))},
                   {"value", number_or_null(trial.value)},
                   {"also", trial.also.empty() ? Json::object() : Json::parse(also_to_json(trial.also))},
                   {"reason", trial.reason},
                   {"added", trial.added},
                   {"ask", trial.ask},
                   {"attempt", trial.attempt},
                   {"worker", trial.worker},
                   {"asked_at", trial.asked_at},
                   {"started_at", trial.started_at},
                   {"ended_at", number_or_null(trial.ended_at)},
                   {"late", trial.late}});
}

Trial trial_from_json(const SearchSpace& space, const std::string& text) {
    Trial trial;
    reading("a trial", [&] {
        const Json json = parsed(text);
        trial.id = json.at("id");
        trial.state = trial_state_from(json.at("state").get<std::string>(), "a trial");
        trial.values = point_from_json(space, json.at("parameters").dump());
        trial.value = number_from(json.at("value"));
        trial.also = also_from_json(json.at("also").dump());
        trial.reason = json.at("reason");
        trial.added = json.at("added");
        trial.ask = json.at("ask");
        trial.attempt = json.at("attempt");
        trial.worker = json.at("worker");
        trial.asked_at = json.at("asked_at");
        trial.started_at = json.at("started_at");
        trial.ended_at = number_from(json.at("ended_at"));
        trial.late = json.at("late");
    });
    return trial;
}

std::string structure_to_json(const StructureView& structure) {
    Json models = Json::array(), structures = Json::array();
    for (const WeightedModel& model : structure.models)
        models.push_back({{"name", model.name}, {"weight", model.weight}});
    for (const WeightedStructure& one : structure.structures)
        structures.push_back({{"groups", one.groups}, {"weight", one.weight}});
    return dumped({{"names", structure.names},
                   {"found", structure.found},
                   {"groups", structure.groups},
                   {"pair_probability", structure.pair_probability},
                   {"verdict", structure.verdict},
                   {"short", in_short(structure)},
                   {"sentences", in_sentences(structure)},
                   {"log_likelihood", structure.log_likelihood},
                   {"structures", structures},
                   {"models", models}});
}

StructureView structure_from_json(const std::string& text) {
    StructureView view;
    reading("a structure", [&] {
        const Json json = parsed(text);
        view.names = json.at("names").get<std::vector<std::string>>();
        view.found = json.at("found");
        view.groups = json.at("groups").get<std::vector<std::vector<std::string>>>();
        view.pair_probability = json.at("pair_probability").get<std::vector<std::vector<double>>>();
        view.verdict = json.at("verdict");
        view.log_likelihood = number_from(json.at("log_likelihood")).value_or(0.0);
        for (const Json& one : json.at("structures"))
            view.structures.push_back(
                {one.at("groups").get<std::vector<std::vector<std::string>>>(), one.at("weight")});
        for (const Json& model : json.at("models")) view.models.push_back({model.at("name"), model.at("weight")});
    });
    return view;
}

std::string recommended_to_json(const SearchSpace& space, const Literals& literals, const Recommended& recommended) {
    return dumped({{"id", recommended.id},
                   {"value", recommended.value},
                   {"mean", recommended.mean},
                   {"stddev", recommended.stddev},
                   {"noise_stddev", recommended.noise_stddev},
                   {"noisy", recommended.noisy},
                   {"best_doubted", recommended.best_doubted},
                   {"parameters", Json::parse(point_to_json(space, recommended.values, literals))}});
}

}  // namespace summand::study
