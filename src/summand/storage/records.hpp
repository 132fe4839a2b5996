// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/goal.hpp"
#include "summand/space/trial.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a storage keeps, as plain values. Times are seconds since 1970 (UTC); texts in JSON are written and read by
// study/json, a storage never looks into them.
namespace summand::storage {

/// A study as it was created. `settings` (the command, budget, limits) and `budget` may change later, the rest may not:
/// the space and the options determine every suggestion.
struct StudyRecord {
    std::int64_t id = 0;
    std::string name = {};
    Goal goal = Goal::minimize;
    std::string space = {};                   ///< JSON
    std::string options = {};                 ///< JSON: the resolved options, with the seed
    std::string settings = {};                ///< JSON
    std::optional<std::int64_t> budget = {};  ///< the most trials ask() may hand out; abandoned ones do not count
    double created_at = 0.0;
};

/// A trial as a row. What a storage never looks into, the point and the further values, is JSON here instead of values and
/// also; `state` is one of running, completed, failed and abandoned: whether a running one waits or is lost says its lease.
struct TrialRecord : Trial {
    std::string parameters = {};  ///< JSON object
    std::string also_json = {};   ///< JSON object; empty: none
    double lease_ends = 0.0;      ///< 0: it waits for a worker

    bool waiting() const { return state == TrialState::running && lease_ends == 0.0; }
    bool lost(double now) const { return state == TrialState::running && lease_ends <= now && !waiting(); }
    TrialState state_at(double now) const {
        return waiting() ? TrialState::waiting : lost(now) ? TrialState::lost : state;
    }
};

/// One attempt at evaluating a trial, with what the program wrote.
struct AttemptRecord {
    std::int64_t trial = 0;
    int attempt = 1;
    std::string worker = {};
    double started_at = 0.0;
    double ended_at = 0.0;
    std::string outcome =
        {};  ///< "completed", the cause of the failure, "running", or "lost": it ran and nobody heard its end
    std::string output = {};  ///< standard output, its middle cut out if it was too long
    std::string error = {};   ///< standard error, likewise
};

/// An answer to a trial that already had one: kept, and changes nothing.
struct LateAnswer {
    std::int64_t trial = 0;
    std::string worker = {};
    double at = 0.0;
    std::optional<double> value = {};
    std::string also = {};
    std::string reason = {};
};

/// One call of ask(): when, how long the suggestion took, and how many trials came of it.
struct AskRecord {
    std::int64_t ask = 0;
    std::int64_t first_sequence = 0;
    double at = 0.0;
    double seconds = 0.0;
    int count = 0;
};

enum class EventKind { asked, told, added, abandoned, reopened };
const char* to_string(EventKind kind);

/// The history of a study in the order that matters to the optimiser. An ask takes its sequence numbers when it starts
/// to compute, so an answer that arrives meanwhile stands behind it: just as the optimiser saw it. Nothing is ever taken
/// away: an answer that is corrected, or withdrawn for another run, stays, followed by `reopened`.
struct EventRecord {
    std::int64_t sequence = 0;
    EventKind kind = EventKind::asked;
    std::int64_t trial = 0;
    double at = 0.0;
    std::int64_t ask = 0;              ///< of asked
    std::string parameters = {};       ///< of asked and added
    std::optional<double> value = {};  ///< of told and added; empty: failed
    std::string also = {};
    std::string reason = {};
};

struct Counts {
    std::int64_t waiting = 0, running = 0, lost = 0, completed = 0, failed = 0, abandoned = 0;
    std::int64_t added = 0;  ///< of all of them: the user's own data
    std::int64_t& of(TrialState state);
    /// What the budget counts.
    std::int64_t issued() const { return waiting + running + lost + completed + failed - added; }
};

struct Snapshot {
    std::int64_t sequence = 0;  ///< of the last event in it
    std::string data = {};
};

}  // namespace summand::storage
