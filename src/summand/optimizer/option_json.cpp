// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/base/nesting.hpp"
#include "summand/optimizer/option_list.hpp"
#include "summand/space/search_space.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace summand {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

struct Writer {
    Json& out;
    template <class T>
    void operator()(const About& about, const T& field) {
        const char* key = about.key;
        if constexpr (IsOptional<T>::value) {
            out[key] = field ? Json(*field) : Json(nullptr);
        } else if constexpr (std::is_enum_v<T>) {
            out[key] = to_string(field);
        } else {
            out[key] = field;
        }
    }
};

struct Names {
    std::vector<std::string> keys = {};
    template <class T>
    void operator()(const About& about, const T&) {
        if (std::find(keys.begin(), keys.end(), about.key) == keys.end()) keys.emplace_back(about.key);
    }
};

/// Reads the keys it is shown and remembers them; every mistake becomes a sentence.
class Reader {
  public:
    explicit Reader(const Json& in) : in_(in) {}

    template <class T>
    void operator()(const About& about, T& field) {
        const char* key = about.key;
        seen_.keys.emplace_back(key);
        const auto found = in_.find(key);
        if (found == in_.end()) return;
        if constexpr (IsOptional<T>::value) {
            if (found->is_null()) {
                field.reset();
                return;
            }
            field.emplace();
            read(key, *found, *field);
        } else {
            read(key, *found, field);
        }
    }
    const std::vector<std::string>& seen() const { return seen_.keys; }
    std::vector<std::string> problems = {};

  private:
    void wrong(const char* key, const Json& value, const char* wanted) {
        problems.push_back(std::string("Options: ") + key + " is " + value.dump() + "; it must be " + wanted);
    }
    template <class T>
    void read(const char* key, const Json& value, T& field) {
        if constexpr (std::is_enum_v<T>) {
            if (!value.is_string()) return wrong(key, value, "a word in quotes");
            try {
                field = from_string<T>(value.get<std::string>(), std::string("Options: ") + key);
            } catch (const InvalidArgument& error) {
                problems.emplace_back(error.what());
            }
        } else if constexpr (std::is_same_v<T, int>) {
            if (!value.is_number_integer() || value.get<double>() < -2147483648.0 || value.get<double>() > 2147483647.0)
                return wrong(key, value, "a whole number");
            field = value.get<int>();
        } else if constexpr (std::is_same_v<T, std::uint64_t>) {
            const bool negative =
                value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
            if (!value.is_number_integer() || negative)
                return wrong(key, value, "a whole number from 0 to 18446744073709551615");
            field = value.get<std::uint64_t>();
        } else if constexpr (std::is_same_v<T, double>) {
            if (!value.is_number()) return wrong(key, value, "a number");
            field = value.get<double>();
        } else {
            const char* wanted = "a list of lists of parameter names, for example [[\"x0\", \"x3\"], [\"x1\"]]";
            if (!value.is_array()) return wrong(key, value, wanted);
            T groups;
            for (const Json& group : value) {
                if (!group.is_array()) return wrong(key, value, wanted);
                groups.emplace_back();
                for (const Json& name : group) {
                    if (!name.is_string()) return wrong(key, value, wanted);
                    groups.back().push_back(name.get<std::string>());
                }
            }
            field = std::move(groups);
        }
    }
    const Json& in_;
    Names seen_;
};

const char* strategy_word(const Strategy& strategy) {
    return std::holds_alternative<PaperStrategy>(strategy) ? "paper" : "default";
}

void read_strategy_word(const Json& in, Options& options, std::vector<std::string>& problems) {
    options.strategy = strategy_of(options.preset);
    const auto found = in.find("strategy");
    if (found == in.end() || *found == strategy_word(*options.strategy)) return;
    if (*found == "paper") {
        options.strategy = PaperStrategy{};
    } else if (*found == "default") {
        options.strategy = DefaultStrategy{};
    } else {
        problems.push_back("Options: strategy is " + found->dump() + "; use \"default\" or \"paper\"");
    }
}

void report_unknown_keys(const Json& in, const Options& options, const std::vector<std::string>& known,
                         std::vector<std::string>& problems) {
    const std::vector<std::string> all = option_keys();
    for (const auto& item : in.items()) {
        if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
        if (std::find(all.begin(), all.end(), item.key()) != all.end()) {
            problems.push_back("Options: " + item.key() + " does not belong to the " +
                               strategy_word(*options.strategy) + " strategy; remove it or choose another preset");
            continue;
        }
        const auto near = nearest_name(item.key(), all);
        problems.push_back("Options: there is no option \"" + item.key() + "\"" +
                           (near ? "; did you mean \"" + *near + "\"?" : "; see docs/optimizer.md for the options"));
    }
}

[[noreturn]] void throw_all(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) text += (text.empty() ? "" : "\n") + problem;
    throw InvalidArgument(text);
}

}  // namespace

std::string options_to_json(const Options& given) {
    Options options = resolved(given);
    Json out = Json::object();
    Writer write{out};
    write(preset_option, options.preset);
    out["strategy"] = strategy_word(*options.strategy);
    visit_common(write, options);
    std::visit([&](auto& strategy) { visit_strategy(write, strategy); }, *options.strategy);
    return out.dump();
}

Options options_from_json(const std::string& text) {
    check_nesting(text, "Options");
    const Json in = Json::parse(text, nullptr, false);
    if (!in.is_object()) throw InvalidArgument("Options: the text is not a JSON object; an empty one is {}");
    Options options;
    Reader read(in);
    read(preset_option, options.preset);
    read_strategy_word(in, options, read.problems);
    visit_common(read, options);
    std::visit([&](auto& strategy) { visit_strategy(read, strategy); }, *options.strategy);
    std::vector<std::string> known = read.seen();
    known.emplace_back("strategy");
    report_unknown_keys(in, options, known, read.problems);
    if (read.problems.empty()) read.problems = options.problems();
    if (!read.problems.empty()) throw_all(read.problems);
    return resolved(options);
}

std::vector<std::string> option_keys() {
    Options options;
    DefaultStrategy standard;
    PaperStrategy paper;
    Names names{{"preset", "strategy"}};
    visit_common(names, options);
    visit_strategy(names, standard);
    visit_strategy(names, paper);
    return names.keys;
}

}  // namespace summand
