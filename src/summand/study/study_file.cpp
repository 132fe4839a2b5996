// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/study/definition.hpp"
#include "summand/study/program.hpp"
#include "summand/study/quantities.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace summand {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return list;
}

/// A value as the user wrote it, more or less.
std::string shown(const toml::node& node) {
    std::ostringstream text;
    if (const auto* string = node.as_string())
        text << '"' << string->get() << '"';
    else if (const auto* integer = node.as_integer())
        text << integer->get();
    else if (const auto* number = node.as_floating_point())
        text << number->get();
    else if (const auto* boolean = node.as_boolean())
        text << (boolean->get() ? "true" : "false");
    else if (node.is_array())
        text << "an array";
    else if (node.is_table())
        text << "a table";
    else
        text << "a date or time";
    return text.str();
}

Json to_json(const toml::node& node) {
    if (const auto* string = node.as_string()) return string->get();
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    Json json;
    if (const auto* array = node.as_array())
        for (const toml::node& item : *array) json.push_back(to_json(item));
    return json;
}

/// Reads a table and gathers mistakes with their lines; a value that is missing or wrong keeps its default.
class Reader {
  public:
    explicit Reader(std::string file) : file_(std::move(file)) {}

    void mistake(const toml::node& at, const std::string& sentence) { mistake(at.source().begin.line, sentence); }
    void mistake(toml::source_index line, const std::string& sentence) {
        mistakes_.emplace_back(line, file_ + ":" + std::to_string(line) + ": " + sentence);
    }
    void missing(const std::string& sentence) { mistake(1, sentence); }

    void allow(const toml::table& table, const std::vector<std::string>& keys, const std::string& where) {
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
            const auto near = nearest_name(name, keys);
            mistake(key.source().begin.line,
                    "unknown key \"" + name + "\"" + where +
                        (near ? "; did you mean \"" + *near + "\"?" : "; allowed are " + joined(keys)));
        }
    }

    /// The table under this key; an empty one if there is none.
    const toml::table& table(const toml::table& parent, const char* key) {
        static const toml::table empty;
        const toml::node* node = parent.get(key);
        if (node == nullptr) return empty;
        if (const auto* found = node->as_table()) return *found;
        mistake(*node, std::string(key) + " is " + shown(*node) + "; a table is needed: [" + key + "]");
        return empty;
    }

    std::optional<std::string> text(const toml::table& table, const char* key) {
        return get<std::string>(table, key, "a text in quotes");
    }
    std::optional<bool> truth(const toml::table& table, const char* key) {
        return get<bool>(table, key, "true or false");
    }

    std::optional<double> number(const toml::table& table, const char* key) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        if (const auto value = node->value<double>(); value && node->is_number()) return value;
        mistake(*node, std::string(key) + " is " + shown(*node) + "; a number is needed");
        return {};
    }

    std::optional<std::int64_t> whole(const toml::table& table, const char* key, std::int64_t least) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        const auto* value = node->as_integer();
        if (value != nullptr && value->get() >= least) return value->get();
        mistake(*node, std::string(key) + " is " + shown(*node) + "; a whole number of at least " +
                           std::to_string(least) + " is needed");
        return {};
    }

    /// A number of the base unit, or a text that `parse` understands.
    template <class T>
    std::optional<T> quantity(const toml::table& table, const char* key, std::optional<T> (*parse)(const std::string&),
                              const char* allowed) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        if (node->is_number())
            if (const double value = *node->value<double>(); value > 0.0) return static_cast<T>(value);
        if (const auto* string = node->as_string())
            if (const auto value = parse(string->get()); value && *value > T{}) return value;
        mistake(*node, std::string(key) + " is " + shown(*node) + "; " + allowed);
        return {};
    }

    template <class Enum>
    Enum word(const toml::table& table, const char* key, const std::vector<std::string>& words, Enum otherwise) {
        const auto given = text(table, key);
        if (!given) return otherwise;
        const auto found = std::find(words.begin(), words.end(), *given);
        if (found != words.end()) return static_cast<Enum>(found - words.begin());
        const auto near = nearest_name(*given, words);
        mistake(*table.get(key), std::string(key) + " is \"" + *given + "\"" +
                                     (near ? "; did you mean \"" + *near + "\"?" : ";") + " Allowed are " +
                                     joined(words));
        return otherwise;
    }

    bool sound() const { return mistakes_.empty(); }

    void throw_mistakes() {
        if (sound()) return;
        std::stable_sort(mistakes_.begin(), mistakes_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::string all;
        for (const auto& [line, sentence] : mistakes_) all += (all.empty() ? "" : "\n") + sentence;
        throw InvalidArgument(all);
    }

  private:
    template <class T>
    std::optional<T> get(const toml::table& table, const char* key, const char* needed) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        if (const auto value = node->value_exact<T>()) return value;
        mistake(*node, std::string(key) + " is " + shown(*node) + "; " + needed + " is needed");
        return {};
    }

    std::string file_;
    std::vector<std::pair<toml::source_index, std::string>> mistakes_;
};

Parameter read_parameter(Reader& reader, const std::string& name, const toml::table& table) {
    const std::vector<std::string> types = {"real", "integer", "choice", "levels"};
    const auto type = reader.word<int>(table, "type", types, table.contains("values") ? 2 : 0);
    const std::string where = " of parameter \"" + name + "\" (" + types[static_cast<std::size_t>(type)] + ")";
    if (type >= 2)
        reader.allow(table,
                     type == 3 ? std::vector<std::string>{"type", "values", "low", "high", "count", "scale"}
                               : std::vector<std::string>{"type", "values"},
                     where);
    else
        reader.allow(table, {"type", "low", "high", "scale"}, where);
    const Scale scale = reader.word<Scale>(table, "scale", {"linear", "log"}, Scale::linear);
    const auto bound = [&](const char* key) {
        const auto value = reader.number(table, key);
        if (!value && !table.contains(key))
            reader.mistake(table, "parameter \"" + name + "\" has no " + key + "; write " + key + " = a number");
        return value.value_or(std::string(key) == "low" ? 0.0 : 1.0);
    };
    if (type == 0) return Real{name, bound("low"), bound("high"), scale};
    if (type == 1) {
        Integer integer{name, 0, 1, scale};
        for (const char* key : {"low", "high"}) {
            if (!table.contains(key)) bound(key);
            const auto value = reader.whole(table, key, std::numeric_limits<std::int64_t>::min());
            if (value) (std::string(key) == "low" ? integer.low : integer.high) = *value;
        }
        return integer;
    }
    if (type == 3 && table.contains("count"))
        return equally_spaced_levels(name, bound("low"), bound("high"),
                                     static_cast<int>(reader.whole(table, "count", 2).value_or(2)), scale);
    Choice choice{name, {}};
    Levels levels{name, {}, scale};
    const toml::array* values = table.get_as<toml::array>("values");
    if (values == nullptr)
        reader.mistake(table, "parameter \"" + name + "\" has no values; write values = [...]");
    else
        for (const toml::node& value : *values) {
            if (type == 2 && value.is_string())
                choice.values.push_back(value.as_string()->get());
            else if (type == 3 && value.is_number())
                levels.values.push_back(*value.value<double>());
            else
                reader.mistake(value, "parameter \"" + name + "\" has the value " + shown(value) + "; " +
                                          (type == 2 ? "a choice takes texts in quotes" : "levels are numbers"));
        }
    if (type == 2) return choice;
    return levels;
}

std::optional<SearchSpace> read_space(Reader& reader, const toml::table& root) {
    const toml::table& table = reader.table(root, "parameters");
    if (table.empty()) {
        reader.missing(
            "there are no parameters; add a table [parameters] with lines such as\n"
            "x = { type = \"real\", low = 0.0, high = 1.0 }");
        return {};
    }
    // toml++ sorts keys by name; the order of the user is that of the lines.
    std::vector<std::pair<toml::source_position, std::string>> order;
    for (const auto& [key, node] : table) order.emplace_back(key.source().begin, std::string(key.str()));
    std::sort(order.begin(), order.end());
    std::vector<Parameter> parameters;
    for (const auto& [position, name] : order) {
        const toml::table* entry = table.get_as<toml::table>(name);
        if (entry == nullptr) {
            reader.mistake(position.line, "parameter \"" + name + "\" is " + shown(*table.get(name)) +
                                              "; write { type = \"real\", low = 0.0, high = 1.0 }");
            continue;
        }
        const bool sound = reader.sound();
        Parameter parameter = Real{};
        try {
            parameter = read_parameter(reader, name, *entry);
        } catch (const InvalidArgument& error) {
            reader.mistake(position.line, error.what());
            continue;
        }
        if (const std::string problem = problem_with(parameter); !problem.empty() && (sound == reader.sound()))
            reader.mistake(position.line, problem);
        parameters.push_back(std::move(parameter));
    }
    if (!reader.sound()) return {};
    try {
        return SearchSpace(std::move(parameters));
    } catch (const InvalidArgument& error) {
        reader.mistake(table, error.what());
        return {};
    }
}

/// Finds out which key of [optimizer] is wrong by reading each on its own, beside those that others depend on.
void blame_keys(Reader& reader, const toml::table& table, const std::vector<std::string>& keys) {
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (std::find(keys.begin(), keys.end(), name) == keys.end()) continue;
        Json alone = Json::object();
        for (const char* other : {"preset", "strategy", "groups", "learner"})
            if (const toml::node* given = table.get(other)) alone[other] = to_json(*given);
        alone[name] = to_json(node);
        try {
            options_from_json(alone.dump());
        } catch (const InvalidArgument& error) {
            reader.mistake(node, error.what());
        }
    }
}

Options read_options(Reader& reader, const toml::table& root, const StudySettings& settings) {
    const toml::table& table = reader.table(root, "optimizer");
    std::vector<std::string> keys = option_keys();
    std::erase(keys, "goal");
    std::erase(keys, "budget");
    reader.allow(table, keys, " in [optimizer]");
    Json all = Json::object();
    for (const auto& [key, node] : table)
        if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) all[std::string(key.str())] = to_json(node);
    if (const auto* goal = root.get_as<std::string>("goal")) all["goal"] = goal->get();
    if (settings.budget_trials) all["budget"] = *settings.budget_trials;
    try {
        return options_from_json(all.dump());
    } catch (const InvalidArgument& error) {
        const bool sound = reader.sound();
        blame_keys(reader, table, keys);
        if (sound && reader.sound()) reader.mistake(table, error.what());
        return {};
    }
}

void read_result(Reader& reader, const toml::table& root, StudySettings& settings) {
    const toml::table& table = reader.table(root, "result");
    reader.allow(table, {"from", "field", "file"}, " in [result]");
    settings.result = reader.word(table, "from", {"stdout", "json", "file"}, ResultMode::stdout_number);
    settings.result_field = reader.text(table, "field").value_or("");
    settings.result_file = reader.text(table, "file").value_or("");
    if (settings.result == ResultMode::stdout_json && settings.result_field.empty())
        reader.mistake(table, "[result] says from = \"json\" but not which field; add field = \"name\"");
    if (settings.result == ResultMode::stdout_number && !settings.result_field.empty())
        reader.mistake(*table.get("field"), "field has a meaning only with from = \"json\" or from = \"file\"");
    if (settings.result != ResultMode::file && !settings.result_file.empty())
        reader.mistake(*table.get("file"), "file has a meaning only with from = \"file\"");
}

void read_budget(Reader& reader, const toml::table& root, StudySettings& settings) {
    const toml::table& table = reader.table(root, "budget");
    reader.allow(table, {"trials", "time", "target"}, " in [budget]");
    settings.budget_trials = reader.whole(table, "trials", 1);
    settings.budget_seconds = reader.quantity<double>(table, "time", study::parse_duration,
                                                      "write seconds, or a text such as \"30m\", \"2h\" or \"1h30m\"");
    settings.target = reader.number(table, "target");
}

void read_run(Reader& reader, const toml::table& root, StudySettings& settings) {
    const toml::table& table = reader.table(root, "run");
    reader.allow(table, {"workers", "asynchronous", "time_limit", "memory_limit", "retries", "lease", "log_limit"},
                 " in [run]");
    const char* durations = "write seconds, or a text such as \"30s\", \"10m\" or \"1h30m\"";
    const char* sizes = "write bytes, or a text such as \"512MB\" or \"2GiB\"";
    if (const auto workers = reader.whole(table, "workers", 1)) settings.workers = static_cast<int>(*workers);
    settings.asynchronous = reader.truth(table, "asynchronous").value_or(false);
    settings.time_limit_seconds = reader.quantity<double>(table, "time_limit", study::parse_duration, durations);
    settings.memory_limit_bytes = reader.quantity<std::int64_t>(table, "memory_limit", study::parse_size, sizes);
    settings.retries = static_cast<int>(reader.whole(table, "retries", 0).value_or(0));
    settings.lease_seconds =
        reader.quantity<double>(table, "lease", study::parse_duration, durations).value_or(settings.lease_seconds);
    settings.log_bytes =
        reader.quantity<std::int64_t>(table, "log_limit", study::parse_size, sizes).value_or(settings.log_bytes);
}

void read_command(Reader& reader, const toml::table& root, StudySettings& settings) {
    const toml::node* node = root.get("command");
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) {
        reader.mistake(*node, "command is " + (array != nullptr ? std::string("empty") : shown(*node)) +
                                  "; write a list: [\"./program\", \"{x}\"]. There is no shell; for one, write "
                                  "[\"sh\", \"-c\", \"...\"]");
        return;
    }
    for (const toml::node& argument : *array) {
        if (const auto* text = argument.as_string())
            settings.command.push_back(text->get());
        else
            reader.mistake(argument, "command contains " + shown(argument) + "; each argument is a text in quotes");
    }
}

fs::path resolved(const fs::path& base, const std::string& path) {
    return (base / path).lexically_normal();
}

}  // namespace

StudyDefinition parse_study(const std::string& text, const fs::path& path) {
    toml::table root;
    try {
        root = toml::parse(text);
    } catch (const toml::parse_error& error) {
        throw InvalidArgument(path.string() + ":" + std::to_string(error.source().begin.line) +
                              ": this is not TOML: " + std::string(error.description()));
    }
    Reader reader(path.string());
    reader.allow(root,
                 {"name", "goal", "command", "database", "directory", "input", "result", "budget", "run", "optimizer",
                  "parameters"},
                 "");
    const fs::path folder = fs::absolute(path).parent_path();
    StudySettings settings;
    const std::string name = reader.text(root, "name").value_or("");
    if (name.empty()) reader.missing("the study has no name; add a line name = \"...\"");
    if (!root.contains("goal"))
        reader.missing("the study has no goal; add a line goal = \"maximize\" or goal = \"minimize\"");
    reader.word(root, "goal", words_of<Goal>(), Goal::minimize);
    settings.directory = resolved(folder, reader.text(root, "directory").value_or("."));
    settings.input = reader.word(root, "input", {"arguments", "stdin", "file", "environment"}, InputMode::arguments);
    read_command(reader, root, settings);
    read_result(reader, root, settings);
    read_budget(reader, root, settings);
    read_run(reader, root, settings);
    const Options options = read_options(reader, root, settings);
    const std::optional<SearchSpace> space = read_space(reader, root);
    if (space)
        for (const std::string& problem : study::problems_with_command(settings, *space))
            reader.mistake(*root.get("command"), problem);
    reader.throw_mistakes();
    const fs::path database = resolved(folder, reader.text(root, "database").value_or(path.stem().string() + ".db"));
    return {name, *space, options, settings, database};
}

StudyDefinition read_study_file(const fs::path& path) {
    std::ifstream file(path);
    if (!file)
        throw InvalidArgument(path.string() +
                              " cannot be read: check the path; `summand init` writes a study file to start from");
    std::ostringstream text;
    text << file.rdbuf();
    return parse_study(text.str(), path);
}

}  // namespace summand
