// SPDX-License-Identifier: Apache-2.0
#include "summand/study/trial_filter.hpp"

#include "summand/base/error.hpp"
#include "summand/study/quantities.hpp"

#include <algorithm>

namespace summand::study {

std::vector<std::string> further_names(const std::vector<Trial>& trials) {
    std::vector<std::string> names;
    for (const Trial& trial : trials)
        for (const auto& [name, value] : trial.also)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

std::optional<double> number_of(const NamedValues& also, const std::string& name) {
    for (const auto& [other, value] : also)
        if (other == name) return value;
    return {};
}

std::optional<double> number_of(const Trial& trial, const std::string& name, const SearchSpace& space) {
    if (const auto j = space.find(name)) {
        const Value& value = trial.values[*j];
        if (const auto* real = std::get_if<double>(&value)) return *real;
        if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
        return {};
    }
    if (name == "id") return static_cast<double>(trial.id);
    if (name == "value") return trial.value;
    if (name == "time") return trial.ended_at;
    if (name == "duration" && trial.ended_at) return *trial.ended_at - trial.started_at;
    return number_of(trial.also, name);
}

void check_name(const std::string& where, const std::string& name, const SearchSpace& space,
                const std::vector<Trial>& trials) {
    std::vector<std::string> known = {"id", "value", "time", "duration"};
    for (const std::string& parameter : space.names()) known.push_back(parameter);
    for (const Trial& trial : trials)
        for (const auto& [further, value] : trial.also) known.push_back(further);
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const auto near = nearest_name(name, known);
    throw InvalidArgument(where + "\"" + name + "\" is unknown" +
                          (near ? "; did you mean \"" + *near + "\"?"
                                : "; allowed are id, value, time, duration and the names of parameters and values"));
}

Condition::Condition(const std::string& text, const SearchSpace& space, const std::vector<Trial>& trials) {
    const auto begin = text.find_first_of("<>=!");
    if (begin == std::string::npos || begin == 0)
        throw InvalidArgument("where is \"" + text + "\"; write a comparison: \"value<0.1\" or solver=adam");
    const auto end = text.find_first_not_of("<>=!", begin);
    name_ = text.substr(0, begin);
    operator_ = text.substr(begin, end == std::string::npos ? end : end - begin);
    word_ = end == std::string::npos ? "" : text.substr(end);
    static const std::vector<std::string> operators = {"<", "<=", ">", ">=", "=", "!="};
    if (std::find(operators.begin(), operators.end(), operator_) == operators.end())
        throw InvalidArgument("where is \"" + text + "\"; \"" + operator_ + "\" must be one of < <= > >= = !=");
    check_name("where: ", name_, space, trials);
    const auto j = space.find(name_);
    const bool choice = j && std::holds_alternative<Choice>(space[*j]);
    if (!choice) number_ = parse_number(word_);
    if (choice && operator_ != "=" && operator_ != "!=")
        throw InvalidArgument("where is \"" + text + "\"; a choice has no order, so compare it with = or !=");
    if (!choice && !number_) throw InvalidArgument("where is \"" + text + "\"; \"" + word_ + "\" must be a number");
}

bool Condition::met_by(const Trial& trial, const SearchSpace& space) const {
    if (!number_) return (std::get<std::string>(trial.values[*space.find(name_)]) == word_) == (operator_ == "=");
    const auto value = number_of(trial, name_, space);
    if (!value) return false;
    if (operator_ == "<") return *value < *number_;
    if (operator_ == "<=") return *value <= *number_;
    if (operator_ == ">") return *value > *number_;
    if (operator_ == ">=") return *value >= *number_;
    return (*value == *number_) == (operator_ == "=");
}

std::vector<Trial> select_trials(const SearchSpace& space, std::vector<Trial> trials, const TrialQuery& query) {
    check_name("sort: ", query.sort, space, trials);
    std::vector<Condition> conditions;
    for (const std::string& text : query.conditions) conditions.emplace_back(text, space, trials);
    std::erase_if(trials, [&](const Trial& trial) {
        const bool other_state = !query.states.empty() &&
                                 std::find(query.states.begin(), query.states.end(), trial.state) == query.states.end();
        return other_state || std::any_of(conditions.begin(), conditions.end(),
                                          [&](const Condition& condition) { return !condition.met_by(trial, space); });
    });
    std::stable_sort(trials.begin(), trials.end(), [&](const Trial& a, const Trial& b) {
        const auto x = number_of(a, query.sort, space);
        const auto y = number_of(b, query.sort, space);
        if (!x || !y) return x.has_value() && !y.has_value();
        return query.descending ? *x > *y : *x < *y;
    });
    return trials;
}

}  // namespace summand::study
