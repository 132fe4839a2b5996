// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/search_space.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace summand {

/// What has become of a trial. The same words in C++, JSON, SQL, over HTTP, in Python and on the command line.
enum class TrialState {
    waiting,    ///< for a worker: enqueued, or to be run again
    running,    ///< asked for, no answer yet
    lost,       ///< its lease has ended without an answer: it will be issued again under the same id
    completed,  ///< has a value
    failed,     ///< was evaluated without giving a value
    abandoned   ///< its answer is not wanted any more
};
const char* to_string(TrialState state);
/// All of them, in order.
const std::vector<TrialState>& trial_states();
/// Throws InvalidArgument with the words that are known. `what` names where it was given.
TrialState trial_state_from(std::string_view word, std::string_view what);
/// Whether an answer may still come: waiting, running or lost.
bool is_open(TrialState state);

/// What was measured besides the value, in the order it was told.
using NamedValues = std::vector<std::pair<std::string, double>>;

/// A point and what has become of it. What an optimiser asks for has an id, values and a space; the rest is known to studies.
struct Trial {
    std::int64_t id = 0;  ///< from 1 up, never used twice
    TrialState state = TrialState::running;
    Point values = {};  ///< in the order of the space
    std::shared_ptr<const SearchSpace> space = {};

    std::optional<double> value = {};  ///< of a completed one
    std::string reason = {};           ///< of a failed one
    NamedValues also = {};             ///< what was measured besides the value
    bool added = false;                ///< the user's own data: nobody asked for it
    std::int64_t ask = 0;              ///< which call of ask() it came from, from 0; -1: the user's choice (enqueued)
    int attempt = 1;          ///< how often it has been issued or retried; of a waiting one: the attempt to come
    std::string worker = {};  ///< who has it, or had it last
    double asked_at = 0.0;    ///< seconds since 1970 (UTC), as all times
    double started_at = 0.0;  ///< start of the latest attempt
    std::optional<double> ended_at = {};
    bool late = false;  ///< the answer that counts came after the lease had ended

    // The value of the parameter with this name; throw InvalidArgument if there is none or it has another type.
    double real(std::string_view name) const;  ///< Real or Levels; an Integer's value too
    std::int64_t integer(std::string_view name) const;
    const std::string& choice(std::string_view name) const;
    const Value& at(std::string_view name) const;
};

}  // namespace summand
