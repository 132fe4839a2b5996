// SPDX-License-Identifier: Apache-2.0
#include "summand/space/trial.hpp"

#include "summand/base/error.hpp"

namespace summand {
namespace {

[[noreturn]] void throw_wrong_type(std::string_view name, const char* wanted, const Value& value) {
    throw InvalidArgument("Trial: parameter \"" + std::string(name) + "\" is not " + wanted + "; its value is " +
                          to_text(value));
}

}  // namespace

const char* to_string(TrialState state) {
    switch (state) {
        case TrialState::waiting:
            return "waiting";
        case TrialState::running:
            return "running";
        case TrialState::lost:
            return "lost";
        case TrialState::completed:
            return "completed";
        case TrialState::failed:
            return "failed";
        case TrialState::abandoned:
            return "abandoned";
    }
    return "";
}

const std::vector<TrialState>& trial_states() {
    static const std::vector<TrialState> states = {TrialState::waiting,   TrialState::running, TrialState::lost,
                                                   TrialState::completed, TrialState::failed,  TrialState::abandoned};
    return states;
}

TrialState trial_state_from(std::string_view word, std::string_view what) {
    std::string known;
    for (const TrialState state : trial_states()) {
        if (word == to_string(state)) return state;
        known += (known.empty() ? "" : ", ") + std::string(to_string(state));
    }
    throw InvalidArgument(std::string(what) + ": there is no state \"" + std::string(word) + "\"; allowed: " + known);
}

bool is_open(TrialState state) {
    return state == TrialState::waiting || state == TrialState::running || state == TrialState::lost;
}

const Value& Trial::at(std::string_view name) const {
    const auto j = space ? space->find(name) : std::nullopt;
    if (j) return values[*j];
    const auto near = space ? nearest_name(name, space->names()) : std::nullopt;
    throw InvalidArgument("Trial: there is no parameter \"" + std::string(name) + "\"" +
                          (near ? "; did you mean \"" + *near + "\"?" : "; use a name from the search space"));
}

double Trial::real(std::string_view name) const {
    const Value& found = at(name);
    if (const auto* number = std::get_if<double>(&found)) return *number;
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return static_cast<double>(*whole);
    throw_wrong_type(name, "a number", found);
}

std::int64_t Trial::integer(std::string_view name) const {
    const Value& found = at(name);
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return *whole;
    throw_wrong_type(name, "an integer", found);
}

const std::string& Trial::choice(std::string_view name) const {
    const Value& found = at(name);
    if (const auto* word = std::get_if<std::string>(&found)) return *word;
    throw_wrong_type(name, "a choice", found);
}

}  // namespace summand
