// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/optimizer.hpp"
#include "summand/storage/records.hpp"
#include "summand/study/definition.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace summand {

namespace storage {
class Storage;
}

/// See storage::Trouble: told in sentences when the server of a database cannot be reached and is tried again.
using Trouble = std::function<void(const std::string& sentence)>;

/// A trial as the storage knows it.
struct StudyTrial {
    std::int64_t id = 0;
    /// "waiting" (for a worker), "running", "lost" (its lease has ended), "completed", "failed", "abandoned"
    std::string state = {};
    Point values = {};
    bool added = false;    ///< the user's own data
    std::int64_t ask = 0;  ///< which call of ask() it came from, from 0; -1: enqueued
    int attempt = 1;
    std::string worker = {};
    double asked_at = 0.0;  ///< seconds since 1970, as all times
    double started_at = 0.0;
    std::optional<double> ended_at = {};
    std::optional<double> value = {};
    std::string reason = {};  ///< of a failure
    bool late = false;        ///< answered after its lease had ended
    NamedValues also = {};    ///< what was measured besides the value
};

/// An answer that counted until it was corrected, or withdrawn for another run.
struct EarlierAnswer {
    double at = 0.0;
    std::optional<double> value = {};
    std::string reason = {};
};

/// A point that was evaluated elsewhere.
struct Evaluation {
    Point values = {};
    Outcome outcome = {};
    NamedValues also = {};
};

enum class TellResult {
    accepted,
    repeated,     ///< the same answer was there already
    kept_as_late  ///< the trial had another answer: this one is kept beside it and changes nothing
};

struct AddResult {
    std::vector<std::int64_t> ids = {};
    bool repeated = false;  ///< the same request was made before: nothing has changed
};

struct AskRequest {
    int count = 0;                             ///< 0: the batch size
    std::string worker = {};                   ///< who evaluates them; empty: this process
    std::optional<double> lease_seconds = {};  ///< empty: the study's
    std::string key = {};  ///< the same request with the same key again gives the same trials; another one is refused
    std::stop_token stop = {};
};

struct TellRequest {
    std::string worker = {};
    std::optional<int> attempt = {};
    std::string key = {};  ///< the same answer with the same key again changes nothing; another one is refused
    std::optional<storage::AttemptRecord> log = {};
    NamedValues also = {};
};

/// An optimiser whose history lives in a storage, so that it outlasts the process and is shared between processes.
///
/// ask, tell, add and the reading functions may be called from several threads and processes at once. What tell has
/// acknowledged is stored for good; ids are never used twice; no more trials than the budget are ever issued.
class Study {
  public:
    /// Opens the study in a database (a file, or postgresql://...); `name` is needed only if there are several. One with options of another version of
    /// this program can be read; ask and optimizer() throw StorageError.
    static Study open(const std::string& database, const std::string& name = {}, const Trouble& trouble = {});
    /// Opens the study of this name in definition.database, making both if need be. Settings are brought up to date; a
    /// space or options that differ from the stored ones throw InvalidArgument.
    static Study open_or_create(const StudyDefinition& definition, const Trouble& trouble = {});
    static Study in_memory(const StudyDefinition& definition);
    /// The same in a storage of the caller's: of another kind, or one that a test watches.
    static Study in(std::unique_ptr<storage::Storage> storage, const StudyDefinition& definition);
    /// A study file or a database, told apart by content.
    static Study open_path(const std::string& path, const std::string& name = {}, const Trouble& trouble = {});

    Study(Study&&) noexcept;
    Study& operator=(Study&&) noexcept;
    ~Study();

    const std::string& name() const;
    const SearchSpace& space() const;
    const Options& options() const;  ///< resolved
    const StudySettings& settings() const;
    int batch_size() const;               ///< of the next ask; options() has that of the beginning
    const std::string& database() const;  ///< where it is, without a password; empty: in memory
    double created_at() const;
    double now() const;  ///< the clock of its storage: the machine's, or the server's; seconds since 1970

    /// Trials to evaluate: waiting and lost ones first, then new ones. Fewer than asked for (or none) when the budget is used up or a
    /// finite space has no other point left; none while it is paused.
    std::vector<StudyTrial> ask(const AskRequest& request = {});
    TellResult tell(std::int64_t id, const Outcome& outcome, const TellRequest& request = {});
    /// The user's own data, outside the budget; all or nothing.
    AddResult add(const std::vector<Evaluation>& data, const std::string& key = {});
    /// Points to evaluate before any suggestion, within the budget; all or nothing. Returns their ids.
    std::vector<std::int64_t> enqueue(const std::vector<Point>& points, const std::string& key = {});
    /// The answer was wrong: this one counts from now on. False if it is the one that counts already.
    bool correct(std::int64_t id, const Outcome& outcome, const TellRequest& request = {});
    /// To be evaluated once more: it waits for the next ask. Not for a running trial.
    void rerun(std::int64_t id);
    void abandon(std::int64_t id);
    void retry(const storage::AttemptRecord& failed,
               double lease_seconds);                             ///< the attempt failed; there will be another
    void renew(const std::string& worker, double lease_seconds);  ///< it is alive: extend the leases of what it runs
    void release(const std::string& worker);  ///< it stops: what it runs may be issued again at once

    /// While paused, ask gives nothing. Both hold for all processes from the next ask on; a study file that is run again
    /// sets its own budget.
    void set_paused(bool paused);
    void set_budget(std::optional<std::int64_t> trials);
    bool paused() const;
    /// Throws Conflict unless a definition is this study's: parameters, goal and optimiser options.
    void refuse_changes(const StudyDefinition& definition) const;

    std::vector<StudyTrial> trials() const;  ///< by id
    std::optional<StudyTrial> trial(std::int64_t id) const;
    std::optional<StudyTrial> best() const;  ///< the best value told
    /// The told point that the model expects most of; see Optimizer::recommended. Takes as long as structure().
    std::optional<Recommended> recommended() const;
    storage::Counts counts() const;
    std::vector<storage::AskRecord> asks() const;  ///< when, how long each suggestion took, how many points
    std::vector<storage::AttemptRecord> attempts(std::int64_t trial) const;  ///< with the programs' output
    std::vector<storage::LateAnswer> late_answers() const;
    std::vector<EarlierAnswer> earlier_answers(std::int64_t trial) const;
    std::vector<Event> history() const;
    /// As stored, those of greater sequence numbers. An ask's appear when it ends, under numbers taken when it began.
    std::vector<storage::EventRecord> events(std::int64_t after_sequence) const;
    /// The optimiser after that history, rebuilt with the help of the stored snapshot: for structure, importance, slices.
    Optimizer optimizer(std::stop_token stop = {}) const;
    /// What has been learned at the latest ask; free if this object has asked, otherwise from optimizer().
    StructureView structure() const;

  private:
    class Impl;
    std::vector<StudyTrial> ask_once(const AskRequest& request);
    std::vector<std::int64_t> enqueue_once(const std::vector<Point>& points, const std::string& key);
    AddResult add_once(const std::vector<Evaluation>& data, const std::string& key);
    explicit Study(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// "host:process:start": who runs a trial. A worker on this machine whose process is gone is dead.
std::string this_worker();
bool worker_is_dead(const std::string& worker);

}  // namespace summand
