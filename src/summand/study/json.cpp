// SPDX-License-Identifier: Apache-2.0
#include "summand/study/json.hpp"

#include "summand/base/error.hpp"
#include "summand/study/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace summand::study {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array input_words = {"arguments", "stdin", "file", "environment"};
constexpr std::array executor_words = {"local", "slurm"};
constexpr std::array result_words = {"stdout", "json", "file"};

template <class Enum, std::size_t N>
Enum from_word(const std::string& word, const std::array<const char*, N>& words) {
    for (std::size_t i = 0; i < N; ++i)
        if (word == words[i]) return static_cast<Enum>(i);
    throw InvalidArgument("settings: the word \"" + word + "\" is unknown; the file was written by another version");
}

Json scale_to_json(Scale scale) {
    return scale == Scale::log ? "log" : "linear";
}

Scale scale_from(const Json& json) {
    return json.value("scale", "linear") == "log" ? Scale::log : Scale::linear;
}

Json to_json(const Parameter& parameter) {
    Json json = {{"name", name_of(parameter)}, {"type", type_name(parameter)}};
    if (const auto* real = std::get_if<Real>(&parameter))
        json.update({{"low", real->low}, {"high", real->high}, {"scale", scale_to_json(real->scale)}});
    else if (const auto* integer = std::get_if<Integer>(&parameter))
        json.update({{"low", integer->low}, {"high", integer->high}, {"scale", scale_to_json(integer->scale)}});
    else if (const auto* choice = std::get_if<Choice>(&parameter))
        json["values"] = choice->values;
    else if (const auto* levels = std::get_if<Levels>(&parameter))
        json.update({{"values", levels->values}, {"scale", scale_to_json(levels->scale)}});
    return json;
}

Parameter parameter_from(const Json& json) {
    const std::string name = json.at("name");
    const std::string type = json.at("type");
    if (type == "real") return Real{name, json.at("low"), json.at("high"), scale_from(json)};
    if (type == "integer") return Integer{name, json.at("low"), json.at("high"), scale_from(json)};
    if (type == "choice") return Choice{name, json.at("values")};
    if (type == "levels") return Levels{name, json.at("values"), scale_from(json)};
    throw InvalidArgument("parameter \"" + name + "\" has the unknown type \"" + type +
                          "\"; allowed are real, integer, choice and levels");
}

bool has_whole_levels(const Parameter& parameter) {
    const auto* levels = std::get_if<Levels>(&parameter);
    return levels != nullptr && std::all_of(levels->values.begin(), levels->values.end(), [](double value) {
               return std::floor(value) == value && std::abs(value) < 9e15;
           });
}

Value value_from(const Parameter& parameter, const Json& json) {
    const std::string& name = name_of(parameter);
    if (json.is_string()) return json.get<std::string>();
    if (std::holds_alternative<Choice>(parameter)) {  // its words may be numbers or truth values
        if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
        if (json.is_number_integer()) return to_text(json.get<std::int64_t>());
        if (json.is_number()) return to_text(json.get<double>());
    }
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (json.is_number()) return json.get<double>();
    throw InvalidArgument("parameter \"" + name + "\" is " + json.dump() + "; a number or a word is needed");
}

/// JSON has no infinities: they would be written as null and could not be read again.
template <class T>
void put(Json& json, const char* key, const std::optional<T>& value) {
    if constexpr (std::is_floating_point_v<T>)
        if (value && !std::isfinite(*value))
            throw InvalidArgument(std::string("the settings of the study: ") + key + " is not a finite number");
    if (value) json[key] = *value;
}

/// What older versions stored as null, because it was infinite or NaN, counts as not given.
template <class T>
void get(const Json& json, const char* key, std::optional<T>& value) {
    if (json.contains(key) && !json.at(key).is_null()) value = json.at(key).get<T>();
}

template <class T>
T get_or(const Json& json, const char* key, T otherwise) {
    std::optional<T> value;
    get(json, key, value);
    return value.value_or(otherwise);
}

Json to_json(const executor::SlurmOptions& slurm) {
    Json json = {{"folder", slurm.folder.string()},
                 {"partition", slurm.partition},
                 {"time", slurm.time},
                 {"memory", slurm.memory},
                 {"gres", slurm.gres},
                 {"account", slurm.account},
                 {"arguments", slurm.arguments},
                 {"prologue", slurm.prologue},
                 {"retries", slurm.retries},
                 {"poll_seconds", slurm.poll_seconds},
                 {"file_delay_seconds", slurm.file_delay_seconds}};
    put(json, "cpus", slurm.cpus);
    return json;
}

executor::SlurmOptions slurm_from(const Json& json) {
    executor::SlurmOptions slurm;
    slurm.folder = json.at("folder").get<std::string>();
    slurm.partition = json.at("partition");
    slurm.time = json.at("time");
    slurm.memory = json.at("memory");
    slurm.gres = json.at("gres");
    slurm.account = json.at("account");
    slurm.arguments = json.at("arguments").get<std::vector<std::string>>();
    slurm.prologue = json.at("prologue");
    slurm.retries = json.at("retries");
    slurm.poll_seconds = json.at("poll_seconds");
    slurm.file_delay_seconds = json.at("file_delay_seconds");
    get(json, "cpus", slurm.cpus);
    return slurm;
}

}  // namespace

void reading(const char* what, const std::function<void()>& read) {
    try {
        read();
    } catch (const Json::exception& error) {
        throw InvalidArgument(std::string(what) + " could not be read as JSON: " + error.what());
    }
}

const char* to_string(InputMode mode) {
    return input_words[static_cast<std::size_t>(mode)];
}
const char* to_string(ExecutorKind kind) {
    return executor_words[static_cast<std::size_t>(kind)];
}
const char* to_string(ResultMode mode) {
    return result_words[static_cast<std::size_t>(mode)];
}

std::string space_to_json(const SearchSpace& space) {
    Json json = Json::array();
    for (const Parameter& parameter : space.parameters()) json.push_back(to_json(parameter));
    return json.dump();
}

SearchSpace space_from_json(const std::string& text) {
    std::vector<Parameter> parameters;
    reading("the search space", [&] {
        for (const Json& json : parsed(text)) parameters.push_back(parameter_from(json));
    });
    return SearchSpace(std::move(parameters));
}

std::string point_to_json(const SearchSpace& space, const Point& point,
                          const std::map<std::string, std::vector<std::string>>& literals) {
    Json json = Json::object();
    for (std::size_t j = 0; j < space.size(); ++j) {
        Json& written = json[name_of(space[j])];
        std::visit([&](const auto& value) { written = value; }, point[j]);
        // Levels such as 16, 32, 64 are whole numbers to the program, though not to the model.
        if (has_whole_levels(space[j])) written = static_cast<std::int64_t>(std::get<double>(point[j]));
        const auto bare = literals.find(name_of(space[j]));
        if (bare != literals.end() && written.is_string() &&
            std::find(bare->second.begin(), bare->second.end(), written.get<std::string>()) != bare->second.end())
            written = Json::parse(written.get<std::string>());
    }
    return json.dump();
}

Point point_from_json(const SearchSpace& space, const std::string& text) {
    Point point;
    reading("the parameters", [&] {
        const Json json = parsed(text);
        for (const std::string& name : space.names()) {
            if (!json.contains(name)) throw InvalidArgument("the parameter \"" + name + "\" is missing in " + text);
            point.push_back(value_from(space[*space.find(name)], json.at(name)));
        }
        for (const auto& [name, value] : json.items()) {
            if (space.find(name)) continue;
            const auto near = nearest_name(name, space.names());
            throw InvalidArgument("there is no parameter \"" + name + "\"" +
                                  (near ? "; did you mean \"" + *near + "\"?" : ""));
        }
    });
    return space.checked(point);
}

std::string also_to_json(const NamedValues& also) {
    if (also.empty()) return {};
    Json json = Json::object();
    for (const auto& [name, value] : also) json[name] = value;
    return json.dump();
}

NamedValues also_from_json(const std::string& text) {
    if (text.empty()) return {};
    NamedValues also;
    reading("the further values of a trial", [&] {
        const Json json = parsed(text);
        for (const auto& [name, value] : json.items()) also.emplace_back(name, value.get<double>());
    });
    return also;
}

std::string settings_to_json(const StudySettings& s) {
    Json json = {{"command", s.command},          {"directory", s.directory},       {"input", to_string(s.input)},
                 {"result", to_string(s.result)}, {"result_field", s.result_field}, {"result_file", s.result_file}};
    if (!s.result_prefix.empty()) json["result_prefix"] = s.result_prefix;
    if (!s.result_pattern.empty()) json["result_pattern"] = s.result_pattern;
    if (!s.result_also.empty()) json["result_also"] = s.result_also;
    if (!s.literals.empty()) json["literals"] = s.literals;
    put(json, "batch_size", s.batch_size);
    if (!s.start.empty()) json["start"] = s.start;
    put(json, "optimum", s.optimum);
    put(json, "budget", s.budget);
    put(json, "stop_after_seconds", s.stop_after_seconds);
    put(json, "target", s.target);
    json["executor"] = to_string(s.executor);
    if (!s.slurm.folder.empty()) json["slurm"] = to_json(s.slurm);
    put(json, "workers", s.workers);
    json["asynchronous"] = s.asynchronous;
    put(json, "time_limit_seconds", s.time_limit_seconds);
    put(json, "memory_limit_bytes", s.memory_limit_bytes);
    put(json, "lease_seconds", std::optional(s.lease_seconds));
    json.update({{"retries", s.retries}, {"give_up_after", s.give_up_after}, {"log_bytes", s.log_bytes}});
    if (s.paused) json["paused"] = true;
    if (s.from_http) json["from_http"] = true;
    return json.dump();
}

StudySettings settings_from_json(const std::string& text) {
    StudySettings s;
    reading("the settings of the study", [&] {
        const Json json = parsed(text);
        s.command = json.at("command").get<std::vector<std::string>>();
        s.directory = json.at("directory").get<std::string>();
        s.input = from_word<InputMode>(json.at("input"), input_words);
        s.result = from_word<ResultMode>(json.at("result"), result_words);
        s.result_field = json.at("result_field");
        s.result_file = json.at("result_file");
        s.result_prefix = json.value("result_prefix", "");
        s.result_pattern = json.value("result_pattern", "");
        s.result_also = json.value("result_also", s.result_also);
        s.literals = json.value("literals", s.literals);
        get(json, "batch_size", s.batch_size);
        s.start = json.value("start", std::vector<std::string>());
        get(json, "optimum", s.optimum);
        get(json, "budget_trials", s.budget);  // the names of version 0.1
        get(json, "budget_seconds", s.stop_after_seconds);
        get(json, "budget", s.budget);
        get(json, "stop_after_seconds", s.stop_after_seconds);
        get(json, "target", s.target);
        s.executor =
            from_word<ExecutorKind>(json.value("executor", "local"), executor_words);  // older studies have none
        if (json.contains("slurm")) s.slurm = slurm_from(json.at("slurm"));
        get(json, "workers", s.workers);
        s.asynchronous = json.at("asynchronous");
        get(json, "time_limit_seconds", s.time_limit_seconds);
        get(json, "memory_limit_bytes", s.memory_limit_bytes);
        s.retries = json.at("retries");
        s.give_up_after = get_or(json, "give_up_after", s.give_up_after);
        s.lease_seconds = get_or(json, "lease_seconds", s.lease_seconds);
        s.log_bytes = json.at("log_bytes");
        s.paused = json.value("paused", false);
        s.from_http = json.value("from_http", false);
    });
    return s;
}

}  // namespace summand::study
