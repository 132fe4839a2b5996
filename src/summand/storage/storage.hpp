// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/error.hpp"
#include "summand/storage/records.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace summand::storage {

enum class OpenMode { existing, create_if_missing };

/// Told in a sentence when a server cannot be reached, when it can again, and (with an empty text) whenever it is tried
/// once more. May throw to give up.
using Trouble = std::function<void(const std::string& sentence)>;

/// The turn ended with the connection that held it, and somebody else may have had it since. Nothing has changed: take it
/// again and start anew.
class TurnLost : public StorageError {
  public:
    using StorageError::StorageError;
};

/// The exclusive right to add trials to one study, among all threads and processes; given back when destroyed, also by
/// the death of its process. Answers do not need it.
class Turn {
  public:
    virtual ~Turn() = default;
};

/// Makes an ask, a tell, an add or an enqueue repeatable: sent again, it changes nothing. A key belongs to one request: with
/// other content it is refused, because one of the two would be lost.
struct Request {
    std::string key = {};      ///< empty: not to be remembered
    std::string content = {};  ///< what was asked for, in words: "tell 5 7.25"
};

/// A trial to be stored by reserve(), enqueue() or add().
struct NewTrial {
    std::int64_t id = 0;
    std::string parameters = {};
    std::optional<double> value = {};  ///< of add(): its value, or empty with a reason
    std::string reason = {};
    std::string also = {};
};

/// Everything an ask leaves behind, stored at once or not at all.
struct Reservation {
    std::int64_t first_sequence = 0;  ///< from begin_ask()
    std::int64_t ask = 0;             ///< the optimiser's number of this ask
    std::vector<NewTrial> trials = {};
    std::vector<std::int64_t> reissued = {};  ///< waiting or lost trials; those answered meanwhile are left out
    std::string worker = {};
    double now = 0.0;
    double lease_ends = 0.0;
    double seconds = 0.0;  ///< spent on the suggestion
    Request request = {};
};

/// An answer to a trial: a value, or the reason why there is none.
struct Answer {
    std::int64_t trial = 0;
    std::optional<double> value = {};
    std::string also = {};  ///< JSON object: further values by name
    std::string reason = {};
    std::string worker = {};
    std::optional<int> attempt = {};  ///< which attempt it belongs to, if the worker knows
    double now = 0.0;
    Request request = {};
    std::optional<AttemptRecord> log = {};
};

enum class Verdict {
    accepted,
    repeated,     ///< this very answer was here already; nothing changed
    kept_as_late  ///< the trial had another answer already; this one is kept beside it
};

/// Where studies live. One contract suite (tests/storage) runs on every implementation.
///
/// Each call is a transaction: when it returns, what it stored survives the death of any process (and, in a file, a power
/// failure); when it throws, nothing has changed. Safe to use from several threads, and a file from several processes.
/// Throws StorageError if the world is at fault and InvalidArgument if the caller is. Callers bring `now`.
class Storage {
  public:
    virtual ~Storage() = default;

    /// The clock that leases are measured by, seconds since 1970: this machine's, or that of the server all share.
    virtual double now();

    virtual StudyRecord create_study(const StudyRecord& study) = 0;  ///< returns it with its id; the name must be new
    virtual std::vector<StudyRecord> studies() = 0;                  ///< in order of creation
    std::optional<StudyRecord> find_study(const std::string& name);
    virtual void update_settings(std::int64_t study, const std::string& settings,
                                 std::optional<std::int64_t> budget) = 0;
    virtual void update_options(std::int64_t study, const std::string& options) = 0;

    /// Waits until no one else has the turn; throws Interrupted when asked to stop.
    virtual std::unique_ptr<Turn> take_turn(std::int64_t study, std::stop_token stop = {}) = 0;

    // Within a turn.
    /// Deletes the study and all that belongs to it. Its id is never used again: a process that has it open finds nothing.
    virtual void remove_study(std::int64_t study, double now) = 0;
    /// Sets aside `count` sequence numbers and returns the first of them.
    virtual std::int64_t begin_ask(std::int64_t study, int count) = 0;
    /// Returns the trials handed out, reissued ones first. Throws InvalidArgument if the budget would be exceeded or an
    /// id is not new.
    virtual std::vector<TrialRecord> reserve(std::int64_t study, const Reservation& reservation) = 0;
    virtual void add(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) = 0;
    /// Points of the user's choice: they wait to be handed out by reserve(), as `reissued`. Asked for from now on, by ask
    /// -1. Throws as reserve() does.
    virtual void enqueue(std::int64_t study, const std::vector<NewTrial>& trials, double now,
                         const Request& request) = 0;

    virtual Verdict tell(std::int64_t study, const Answer& answer) = 0;
    /// Another answer takes the place of the one that counts, which stays in the history; the same one is `repeated`.
    /// Throws InvalidArgument unless the trial is completed or failed.
    virtual Verdict correct(std::int64_t study, const Answer& answer) = 0;
    /// The trial waits to be evaluated once more; its answer, if it had one, no longer counts and stays in the history.
    /// Throws InvalidArgument if it is running, or was abandoned and the budget has no place for it any more.
    virtual void rerun(std::int64_t study, std::int64_t trial, double now) = 0;
    /// The attempt failed and is to be made once more: keeps its log, counts up `attempt`, extends the lease.
    /// Throws Conflict if the trial is no longer this worker's; the log is kept all the same.
    virtual void retry(std::int64_t study, const AttemptRecord& failed, double lease_ends) = 0;
    /// What programs that run have written so far (outcome "running", ended_at: when), each in place of what was kept of it
    /// before. The log that comes with the answer takes its place. Passed over unless the trial is this worker's.
    virtual void keep_logs(std::int64_t study, const std::vector<AttemptRecord>& running) = 0;
    virtual void abandon(std::int64_t study, std::int64_t trial, double now) = 0;
    virtual void renew(std::int64_t study, const std::string& worker, double lease_ends) = 0;  ///< all it runs
    virtual void release(std::int64_t study, const std::string& worker, double now) = 0;       ///< all it runs is lost

    /// The ids of the trials that this request led to, if it was made before. Throws InvalidArgument, as reserve, add and
    /// tell do, if its key was used with other content.
    virtual std::optional<std::vector<std::int64_t>> reply_to(std::int64_t study, const Request& request) = 0;

    virtual std::vector<TrialRecord> trials(std::int64_t study) = 0;       ///< by id
    virtual std::vector<TrialRecord> open_trials(std::int64_t study) = 0;  ///< waiting, running or lost, by id
    virtual std::optional<TrialRecord> trial(std::int64_t study, std::int64_t id) = 0;
    virtual std::optional<TrialRecord> best(std::int64_t study) = 0;  ///< of the completed ones; ties: lowest id
    virtual Counts counts(std::int64_t study, double now) = 0;
    virtual std::vector<EventRecord> events(std::int64_t study, std::int64_t after_sequence) = 0;
    virtual std::vector<AskRecord> asks(std::int64_t study) = 0;
    virtual std::vector<AttemptRecord> attempts(std::int64_t study, std::int64_t trial) = 0;
    virtual std::vector<LateAnswer> late_answers(std::int64_t study) = 0;

    virtual void store_snapshot(std::int64_t study, const Snapshot& snapshot) = 0;  ///< replaces the one before
    virtual std::optional<Snapshot> snapshot(std::int64_t study) = 0;
};

}  // namespace summand::storage
