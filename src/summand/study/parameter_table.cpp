// SPDX-License-Identifier: Apache-2.0
#include "summand/study/parameter_table.hpp"

#include "summand/base/error.hpp"

#include <limits>

namespace summand::study {

namespace {

constexpr std::int64_t most_levels = 10'000;  // each is stored and compared one by one

enum class Type { real, integer, choice, levels };
const std::vector<std::string> type_words = {"real", "integer", "choice", "levels"};

/// One entry of [parameters].
class ParameterReader {
  public:
    ParameterReader(TableReader& reader, const std::string& name, const TomlNode& table)
        : reader_(reader), name_(name), table_(table) {
        type_ = reader.word(table, "type", type_words, table.find("values") != nullptr ? Type::choice : Type::real);
        reader.allow(table, keys(),
                     " of parameter \"" + name + "\" (" + type_words[static_cast<std::size_t>(type_)] + ")");
        scale_ = reader.word(table, "scale", {"linear", "log"}, Scale::linear);
    }

    Parameter read() {
        switch (type_) {
            case Type::real:
                return Real{name_, bound("low", 0.0), bound("high", 1.0), scale_};
            case Type::integer:
                return Integer{name_, whole_bound("low", 0), whole_bound("high", 1), scale_};
            case Type::choice:
                return Choice{name_, words()};
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
            else
                wrong_value(item, "a choice takes texts in quotes");
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

}  // namespace summand::study
