// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/storage/open_storage.hpp"
#include "summand/study/definition.hpp"
#include "summand/study/json.hpp"
#include "summand/study/parameter_table.hpp"
#include "summand/study/program.hpp"
#include "summand/study/result_text.hpp"
#include "summand/study/table_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace summand {

namespace fs = std::filesystem;
using study::TableReader;
using study::TomlNode;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_counted = 1'000'000'000;  // trials, workers, retries ...

fs::path resolved(const fs::path& base, const std::string& path) {
    return (base / path).lexically_normal();
}

Json to_json(const TomlNode& node) {
    return Json::parse(study::to_json_text(node));
}

/// Finds out which key of [optimizer] is wrong by reading each on its own, beside those that others depend on.
void blame_keys(TableReader& reader, const TomlNode& table, const std::vector<std::string>& keys) {
    for (const auto& [name, node] : *table.as<TomlNode::Table>()) {
        if (std::find(keys.begin(), keys.end(), name) == keys.end()) continue;
        Json alone = Json::object();
        for (const char* other : {"preset", "strategy", "groups", "learner"})
            if (const TomlNode* given = table.find(other)) alone[other] = to_json(*given);
        alone[name] = to_json(node);
        try {
            options_from_json(alone.dump());
        } catch (const InvalidArgument& error) {
            reader.mistake(node, error.what());
        }
    }
}

Options read_options(TableReader& reader, const TomlNode& root, const StudySettings& settings) {
    const TomlNode& table = reader.table(root, "optimizer");
    std::vector<std::string> keys = option_keys();
    std::erase(keys, "goal");
    std::erase(keys, "budget");
    reader.allow(table, keys, " in [optimizer]");
    Json all = Json::object();
    for (const auto& [key, node] : *table.as<TomlNode::Table>())
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) all[key] = to_json(node);
    if (const TomlNode* goal = root.find("goal"); goal != nullptr && goal->as<std::string>() != nullptr)
        all["goal"] = to_json(*goal);
    if (settings.budget) all["budget"] = *settings.budget;
    try {
        return options_from_json(all.dump());
    } catch (const InvalidArgument& error) {
        const bool sound = reader.sound();
        blame_keys(reader, table, keys);
        if (sound && reader.sound()) reader.mistake(table, error.what());
        return {};
    }
}

void check_pattern(TableReader& reader, const TomlNode& node, const std::string& key, const std::string& pattern) {
    if (const std::string problem = study::problem_with_pattern(pattern); !problem.empty())
        reader.mistake(node, key + " is no regular expression that can be used: " + problem);
}

/// prefix, pattern, and the further values, which are found in the same way as the first.
void read_words(TableReader& reader, const TomlNode& table, StudySettings& settings) {
    settings.result_prefix = reader.text(table, "prefix").value_or("");
    settings.result_pattern = reader.text(table, "pattern").value_or("");
    const bool worded = !settings.result_prefix.empty() || !settings.result_pattern.empty();
    const bool one =
        settings.result_field.empty() + settings.result_prefix.empty() + settings.result_pattern.empty() >= 2;
    if (!one)
        reader.mistake(table, "[result] has more than one of field, prefix and pattern; one of them finds the value");
    if (worded && settings.result == ResultMode::stdout_json)
        reader.mistake(table, "prefix and pattern look into text; with from = \"json\" name the field");
    if (!settings.result_pattern.empty())
        check_pattern(reader, *table.find("pattern"), "pattern", settings.result_pattern);
    for (const auto& [name, node] : *reader.table(table, "also").as<TomlNode::Table>()) {
        const auto* key = node.as<std::string>();
        if (key == nullptr || key->empty() || (!worded && settings.result_field.empty())) {
            reader.mistake(
                node,
                "also: " + name + " is " + shown(node) + "; write also = { " + name +
                    " = \"...\" } with a field, prefix or pattern, of the same kind as the one that finds the value");
            continue;
        }
        if (!settings.result_pattern.empty()) check_pattern(reader, node, name, *key);
        settings.result_also.emplace_back(name, *key);
    }
}

void read_result(TableReader& reader, const TomlNode& root, StudySettings& settings) {
    const TomlNode& table = reader.table(root, "result");
    reader.allow(table, {"from", "field", "prefix", "pattern", "also", "file"}, " in [result]");
    settings.result = reader.word(table, "from", {"stdout", "json", "file"}, ResultMode::stdout_number);
    settings.result_field = reader.text(table, "field").value_or("");
    settings.result_file = reader.text(table, "file").value_or("");
    read_words(reader, table, settings);
    if (settings.result == ResultMode::stdout_json && settings.result_field.empty())
        reader.mistake(table, "[result] says from = \"json\" but not which field; add field = \"name\"");
    if (settings.result == ResultMode::stdout_number && !settings.result_field.empty())
        reader.mistake(*table.find("field"), "field has a meaning only with from = \"json\" or from = \"file\"");
    if (const std::string problem = study::problem_with_path("file", settings.result_file); !problem.empty())
        reader.mistake(*table.find("file"), problem);
    if (settings.result != ResultMode::file && !settings.result_file.empty())
        reader.mistake(*table.find("file"), "file has a meaning only with from = \"file\"");
}

/// budget = 200: a number of trials.
void read_budget(TableReader& reader, const TomlNode& root, StudySettings& settings) {
    const TomlNode* node = root.find("budget");
    if (node == nullptr || node->as<TomlNode::Table>() == nullptr) {
        settings.budget = reader.whole(root, "budget", 1, most_counted);
        return;
    }
    // Study files of version 0.1 have a table.
    reader.allow(*node, {"trials", "time", "target"}, " in [budget]");
    settings.budget = reader.whole(*node, "trials", 1, most_counted);
    settings.stop_after_seconds = reader.duration(*node, "time");
    settings.target = reader.number(*node, "target");
}

std::vector<std::string> read_texts(TableReader& reader, const TomlNode& table, const std::string& key) {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    std::vector<std::string> texts;
    if (const auto* array = node->as<TomlNode::Array>())
        for (const TomlNode& entry : *array)
            if (const auto* text = entry.as<std::string>()) texts.push_back(*text);
    if (node->as<TomlNode::Array>() == nullptr || texts.size() != node->as<TomlNode::Array>()->size())
        reader.mistake(*node, key + " is " + shown(*node) + "; write a list of texts: [\"--qos=long\", \"--nice\"]");
    return texts;
}

void read_slurm(TableReader& reader, const TomlNode& run, const fs::path& path, StudySettings& settings) {
    const TomlNode& table = reader.table(run, "slurm");
    reader.allow(table,
                 {"partition", "time", "cpus", "memory", "gres", "account", "arguments", "prologue", "folder",
                  "retries", "poll", "file_delay"},
                 " in [run.slurm]");
    executor::SlurmOptions& slurm = settings.slurm;
    slurm.partition = reader.text(table, "partition").value_or("");
    slurm.time = reader.text(table, "time").value_or("");
    slurm.memory = reader.text(table, "memory").value_or("");
    slurm.gres = reader.text(table, "gres").value_or("");
    slurm.account = reader.text(table, "account").value_or("");
    if (const auto cpus = reader.whole(table, "cpus", 1, most_counted)) slurm.cpus = static_cast<int>(*cpus);
    slurm.arguments = read_texts(reader, table, "arguments");
    slurm.prologue = reader.text(table, "prologue").value_or("");
    slurm.folder = resolved(fs::absolute(path).parent_path(),
                            reader.text(table, "folder").value_or(path.stem().string() + ".slurm"));
    slurm.retries = static_cast<int>(reader.whole(table, "retries", 0, most_counted).value_or(slurm.retries));
    slurm.poll_seconds = reader.duration(table, "poll").value_or(slurm.poll_seconds);
    slurm.file_delay_seconds = reader.duration(table, "file_delay").value_or(slurm.file_delay_seconds);
}

void read_run(TableReader& reader, const TomlNode& root, const fs::path& path, StudySettings& settings) {
    const TomlNode& table = reader.table(root, "run");
    settings.executor = reader.word(table, "executor", {"local", "slurm"}, ExecutorKind::local);
    read_slurm(reader, table, path, settings);
    reader.allow(table,
                 {"executor", "slurm", "stop_after", "target", "workers", "asynchronous", "time_limit", "memory_limit",
                  "retries", "give_up_after", "lease", "log_limit"},
                 " in [run]");
    if (const auto seconds = reader.duration(table, "stop_after")) settings.stop_after_seconds = seconds;
    if (const auto target = reader.number(table, "target")) settings.target = target;
    if (const auto workers = reader.whole(table, "workers", 1, most_counted))
        settings.workers = static_cast<int>(*workers);
    settings.asynchronous = reader.truth(table, "asynchronous").value_or(false);
    settings.time_limit_seconds = reader.duration(table, "time_limit");
    settings.memory_limit_bytes = reader.size(table, "memory_limit");
    settings.retries = static_cast<int>(reader.whole(table, "retries", 0, most_counted).value_or(0));
    settings.give_up_after =
        static_cast<int>(reader.whole(table, "give_up_after", 0, most_counted).value_or(settings.give_up_after));
    settings.lease_seconds = reader.duration(table, "lease").value_or(settings.lease_seconds);
    settings.log_bytes = reader.size(table, "log_limit").value_or(settings.log_bytes);
}

void read_command(TableReader& reader, const TomlNode& root, StudySettings& settings) {
    const TomlNode* node = root.find("command");
    if (node == nullptr) return;
    const auto* array = node->as<TomlNode::Array>();
    if (array == nullptr || array->empty()) {
        reader.mistake(*node, "command is " + (array != nullptr ? std::string("empty") : shown(*node)) +
                                  "; write a list: [\"./program\", \"{x}\"]. There is no shell; for one, write "
                                  "[\"sh\", \"-c\", \"...\"]");
        return;
    }
    for (const TomlNode& argument : *array) {
        if (const auto* text = argument.as<std::string>())
            settings.command.push_back(*text);
        else
            reader.mistake(argument, "command contains " + shown(argument) + "; each argument is a text in quotes");
    }
}

/// [[start]]: points to begin with, a table of every parameter's value each.
void read_start(TableReader& reader, const TomlNode& root, const SearchSpace& space, StudySettings& settings) {
    const TomlNode* node = root.find("start");
    if (node == nullptr) return;
    const auto* points = node->as<TomlNode::Array>();
    if (points == nullptr) {
        reader.mistake(*node, "start is " + shown(*node) + "; write [[start]] and below it a value for each parameter");
        return;
    }
    for (const TomlNode& point : *points) {
        try {
            const Point values = study::point_from_json(space, study::to_json_text(point));
            settings.start.push_back(study::point_to_json(space, values));
        } catch (const InvalidArgument& error) {
            reader.mistake(point, "start: " + std::string(error.what()));
        }
    }
}

/// No key takes an infinity or NaN, and JSON could not keep one.
void refuse_non_finite(TableReader& reader, const std::string& key, const TomlNode& node) {
    if (const auto* number = node.as<double>(); number != nullptr && !std::isfinite(*number))
        reader.mistake(node,
                       key + " is " + shown(node) + "; a finite number is needed (to set no limit, leave it out)");
    if (const auto* items = node.as<TomlNode::Array>())
        for (const TomlNode& item : *items) refuse_non_finite(reader, key, item);
    if (const auto* members = node.as<TomlNode::Table>())
        for (const auto& [name, member] : *members) refuse_non_finite(reader, name, member);
}

/// The study file's own folder may have braces in its name; only what the user wrote has placeholders.
std::string read_directory(TableReader& reader, const TomlNode& root, const fs::path& folder) {
    const std::string given = reader.text(root, "directory").value_or(".");
    if (const std::string problem = study::problem_with_path("directory", given); !problem.empty())
        reader.mistake(*root.find("directory"), problem);
    return resolved(study::with_braces_doubled(folder.string()), given).string();
}

StudyDefinition read_study(const TomlNode& root, const fs::path& path) {
    TableReader reader(path.string());
    refuse_non_finite(reader, "", root);
    reader.throw_mistakes();
    reader.allow(root,
                 {"name", "goal", "optimum", "command", "database", "directory", "input", "result", "budget", "run",
                  "optimizer", "parameters", "start"},
                 "");
    const fs::path folder = fs::absolute(path).parent_path();
    StudySettings settings;
    const std::string name = reader.text(root, "name").value_or("");
    if (name.empty()) reader.missing("the study has no name; add a line name = \"...\"");
    if (root.find("goal") == nullptr)
        reader.missing("the study has no goal; add a line goal = \"maximize\" or goal = \"minimize\"");
    reader.word(root, "goal", words_of<Goal>(), Goal::minimize);
    settings.optimum = reader.number(root, "optimum");
    settings.directory = read_directory(reader, root, folder);
    settings.input = reader.word(root, "input", {"arguments", "stdin", "file", "environment"}, InputMode::arguments);
    read_command(reader, root, settings);
    read_result(reader, root, settings);
    read_budget(reader, root, settings);
    read_run(reader, root, path, settings);
    const Options options = read_options(reader, root, settings);
    const std::optional<SearchSpace> space = study::read_space(reader, root);
    if (space) settings.literals = study::literals_of(root, *space);
    if (space) read_start(reader, root, *space, settings);
    reader.throw_mistakes();
    for (const std::string& problem : study::problems_with_command(settings, *space))
        reader.mistake(*root.find("command"), problem);
    reader.throw_mistakes();
    for (const std::string& problem : study::problems_with_names(settings, *space))
        reader.mistake(*root.find("parameters"), problem);
    reader.throw_mistakes();
    const char* preset = std::getenv("SUMMAND_DATABASE");
    const std::string elsewhere = preset != nullptr && *preset != '\0' ? preset : path.stem().string() + ".db";
    std::string database = reader.text(root, "database").value_or(elsewhere);
    if (!storage::is_postgres(database)) database = resolved(folder, database);
    return {name, *space, options, settings, database};
}

}  // namespace

StudyDefinition parse_study(const std::string& text, const fs::path& path) {
    return read_study(study::parse_toml(text, path.string()), path);
}

StudyDefinition parse_http_study(const std::string& text, StudyFormat format) {
    constexpr std::size_t longest_name = 200, most_parameters = 1000, longest_pattern = 500;
    const std::string file = "study";
    const TomlNode root =
        format == StudyFormat::toml ? study::parse_toml(text, file) : study::toml_from_json(text, file);
    TableReader reader(file);
    const std::string reason = " names a place on the server's machine; leave it out";
    for (const char* key : {"database", "directory"})
        if (const TomlNode* node = root.find(key)) reader.mistake(*node, key + reason);
    if (const TomlNode* run = root.find("run"))
        for (const char* key : {"executor", "slurm"})
            if (const TomlNode* node = run->find(key)) reader.mistake(*node, std::string("[run] ") + key + reason);
    if (const TomlNode* result = root.find("result"))
        if (const TomlNode* node = result->find("pattern"))
            if (const auto* pattern = node->as<std::string>(); pattern != nullptr && pattern->size() > longest_pattern)
                reader.mistake(*node, "pattern is longer than 500 bytes; write a shorter one");
    reader.throw_mistakes();
    StudyDefinition definition = read_study(root, file);
    if (definition.name.size() > longest_name) reader.mistake(1, "the name is longer than 200 bytes");
    if (definition.space.size() > most_parameters) reader.mistake(1, "there are more than 1000 parameters");
    reader.throw_mistakes();
    definition.settings.directory = ".";  // the worker's
    definition.settings.slurm = {};
    definition.settings.from_http = true;
    definition.database.clear();
    return definition;
}

StudyDefinition read_study_file(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        throw InvalidArgument(path.string() + " is a directory; give the study file in it, for example " +
                              (path / "study.toml").string());
    std::ifstream file(path);
    if (!file)
        throw InvalidArgument(path.string() +
                              " cannot be read: check the path; `summand init` writes a study file to start from");
    std::ostringstream text;
    text << file.rdbuf();
    return parse_study(text.str(), path);
}

}  // namespace summand
