// SPDX-License-Identifier: Apache-2.0
#include "summand/study/parameter_table.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <limits>

namespace summand::study {

namespace {

constexpr std::int64_t most_levels = 10'000;  // each is stored and compared one by one

enum class Type { real, integer, choice, levels, truth };
const std::vector<std::string> type_words = {"real", "integer", "choice", "levels", "bool"};
const std::vector<std::string> truth_words = {"false", "true"};

constexpr double log_ratio = 1000.0;  // positive bounds this far apart are meant as orders of magnitude

/// A number or truth value as the word of a choice.
std::optional<std::string> literal(const TomlNode& item) {
    if (const auto* truth = item.as<bool>()) return truth_words[*truth ? 1 : 0];
    if (const auto* whole = item.as<std::int64_t>()) return to_text(*whole);
    if (const auto* number = item.as<double>()) return to_text(*number);
    return {};
}

/// What a table without `type` describes: values that are all numbers are levels, all truth values a bool, others a choice;
/// bounds that are both whole numbers an integer.
Type type_by_what_is_written(const TomlNode& table) {
    if (const TomlNode* values = table.find("values")) {
        const auto* items = values->as<TomlNode::Array>();
        const auto all = [&](auto is) {
            return items != nullptr && !items->empty() && std::all_of(items->begin(), items->end(), is);
        };
        return all([](const TomlNode& item) { return item.number().has_value(); }) ? Type::levels : Type::choice;
    }
    if (table.find("count") != nullptr) return Type::levels;
    const TomlNode *low = table.find("low"), *high = table.find("high");
    const bool whole =
        low != nullptr && high != nullptr && low->as<std::int64_t>() != nullptr && high->as<std::int64_t>() != nullptr;
    return whole ? Type::integer : Type::real;
}

/// Without `type` and `scale`: logarithmic if the numbers are positive and span three orders of magnitude.
Scale scale_by_what_is_written(const TomlNode& table) {
    std::optional<double> low, high;
    if (const TomlNode* node = table.find("low")) low = node->number();
    if (const TomlNode* node = table.find("high")) high = node->number();
    if (const TomlNode* values = table.find("values"))
        if (const auto* items = values->as<TomlNode::Array>(); items != nullptr && !items->empty()) {
            low = items->front().number();
            high = items->back().number();
        }
    return low && high && *low > 0.0 && *high >= log_ratio * *low ? Scale::log : Scale::linear;
}

/// One entry of [parameters].
class ParameterReader {
  public:
    ParameterReader(TableReader& reader, const std::string& name, const TomlNode& table)
        : reader_(reader), name_(name), table_(table) {
        const bool typed = table.find("type") != nullptr;
        type_ = reader.word(table, "type", type_words, typed ? Type::real : type_by_what_is_written(table));
        reader.allow(table, keys(),
                     " of parameter \"" + name + "\" (" + type_words[static_cast<std::size_t>(type_)] + ")");
        scale_ =
            reader.word(table, "scale", {"linear", "log"}, typed ? Scale::linear : scale_by_what_is_written(table));
    }

    Parameter read() {
        switch (type_) {
            case Type::real:
                return Real{name_, bound("low", 0.0), bound("high", 1.0), scale_};
            case Type::integer:
                return Integer{name_, whole_bound("low", 0), whole_bound("high", 1), scale_};
            case Type::choice:
                return Choice{name_, words()};
            case Type::truth:
                return Choice{name_, truth_words};
            case Type::levels:
                break;
        }
        const bool spaced = table_.find("low") || table_.find("high") || table_.find("count");
        if (spaced && table_.find("values") != nullptr)
            reader_.mistake(table_,
                            "parameter \"" + name_ +
                                "\" has values and also low, high or count; give the values, or the other three");
        if (!spaced || table_.find("values") != nullptr) return Levels{name_, numbers(), scale_};
        const auto count = given("count") ? reader_.whole(table_, "count", 2).value_or(2) : 2;
        if (count > most_levels) {
            reader_.mistake(*table_.find("count"),
                            "parameter \"" + name_ + "\" has " + std::to_string(count) + " levels; at most " +
                                std::to_string(most_levels) +
                                " are allowed (beyond that, a real or integer parameter does as well)");
            return Levels{name_, {0.0, 1.0}, scale_};
        }
        return equally_spaced_levels(name_, bound("low", 0.0), bound("high", 1.0), static_cast<int>(count), scale_);
    }

  private:
    std::vector<std::string> keys() const {
        if (type_ == Type::choice) return {"type", "values"};
        if (type_ == Type::truth) return {"type"};
        if (type_ == Type::levels) return {"type", "values", "low", "high", "count", "scale"};
        return {"type", "low", "high", "scale"};
    }

    bool given(const char* key) {
        if (table_.find(key) != nullptr) return true;
        reader_.mistake(table_, "parameter \"" + name_ + "\" has no " + key + "; write " + key + " = a number");
        return false;
    }
    double bound(const char* key, double otherwise) {
        return given(key) ? reader_.number(table_, key).value_or(otherwise) : otherwise;
    }
    std::int64_t whole_bound(const char* key, std::int64_t otherwise) {
        constexpr auto least = std::numeric_limits<std::int64_t>::min();
        return given(key) ? reader_.whole(table_, key, least).value_or(otherwise) : otherwise;
    }

    const TomlNode::Array& values() {
        static const TomlNode::Array none;
        const TomlNode* node = table_.find("values");
        const auto* items = node != nullptr ? node->as<TomlNode::Array>() : nullptr;
        if (items == nullptr)
            reader_.mistake(table_, "parameter \"" + name_ + "\" has no values; write values = [...]");
        return items != nullptr ? *items : none;
    }
    void wrong_value(const TomlNode& item, const char* allowed) {
        reader_.mistake(item, "parameter \"" + name_ + "\" has the value " + shown(item) + "; " + allowed);
    }
    std::vector<std::string> words() {
        std::vector<std::string> found;
        for (const TomlNode& item : values())
            if (const auto* word = item.as<std::string>())
                found.push_back(*word);
            else if (const auto bare = literal(item))
                found.push_back(*bare);
            else
                wrong_value(item, "a choice takes texts in quotes, numbers, true and false");
        return found;
    }
    std::vector<double> numbers() {
        std::vector<double> found;
        for (const TomlNode& item : values())
            if (const auto number = item.number())
                found.push_back(*number);
            else
                wrong_value(item, "levels are numbers");
        return found;
    }

    TableReader& reader_;
    const std::string& name_;
    const TomlNode& table_;
    Type type_ = Type::real;
    Scale scale_ = Scale::linear;
};

/// Empty if it has mistakes.
std::optional<Parameter> read_parameter(TableReader& reader, const std::string& name, const TomlNode& node) {
    if (node.as<TomlNode::Table>() == nullptr) {
        reader.mistake(node.key_line, "parameter \"" + name + "\" is " + shown(node) +
                                          "; write { type = \"real\", low = 0.0, high = 1.0 }");
        return {};
    }
    const bool sound = reader.sound();
    try {
        const Parameter parameter = ParameterReader(reader, name, node).read();
        if (const std::string problem = problem_with(parameter); !problem.empty() && sound == reader.sound())
            reader.mistake(node.key_line, problem);
        return parameter;
    } catch (const InvalidArgument& error) {
        reader.mistake(node.key_line, error.what());
        return {};
    }
}

}  // namespace

std::optional<SearchSpace> read_space(TableReader& reader, const TomlNode& root) {
    const TomlNode& table = reader.table(root, "parameters");
    const auto& entries = *table.as<TomlNode::Table>();
    if (entries.empty()) {
        reader.missing(
            "there are no parameters; add a table [parameters] with lines such as\n"
            "x = { type = \"real\", low = 0.0, high = 1.0 }");
        return {};
    }
    std::vector<Parameter> parameters;
    for (const auto& [name, node] : entries)
        if (auto parameter = read_parameter(reader, name, node)) parameters.push_back(std::move(*parameter));
    if (!reader.sound()) return {};
    try {
        return SearchSpace(std::move(parameters));
    } catch (const InvalidArgument& error) {
        reader.mistake(table, error.what());
        return {};
    }
}

std::map<std::string, std::vector<std::string>> literals_of(const TomlNode& root, const SearchSpace& space) {
    std::map<std::string, std::vector<std::string>> literals;
    const TomlNode* table = root.find("parameters");
    for (const Parameter& parameter : space.parameters()) {
        const TomlNode* node = table != nullptr ? table->find(name_of(parameter)) : nullptr;
        if (node == nullptr || !std::holds_alternative<Choice>(parameter)) continue;
        const TomlNode* values = node->find("values");
        std::vector<std::string> bare;
        if (values == nullptr) bare = truth_words;
        if (values != nullptr)
            for (const TomlNode& item : *values->as<TomlNode::Array>())
                if (const auto word = literal(item)) bare.push_back(*word);
        if (!bare.empty()) literals[name_of(parameter)] = bare;
    }
    return literals;
}

}  // namespace summand::study
