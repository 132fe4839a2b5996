// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/optimizer.hpp"
#include "summand/storage/records.hpp"
#include "summand/study/definition.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace summand {

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

/// A study wherever it is: in a storage of this process (Study), or behind a server (server::RemoteStudy). What both can do,
/// for commands and for run().
class AnyStudy {
  public:
    virtual ~AnyStudy() = default;

    virtual const std::string& name() const = 0;
    virtual const SearchSpace& space() const = 0;
    virtual const Options& options() const = 0;  ///< resolved
    virtual const StudySettings& settings() const = 0;
    virtual int batch_size() const = 0;               ///< of the next ask; options() has that of the beginning
    virtual const std::string& database() const = 0;  ///< where it is, without a password; empty: in memory
    virtual double now() const = 0;  ///< the clock of its storage: the machine's, or the server's; seconds since 1970

    /// Trials to evaluate: waiting and lost ones first, then new ones. Fewer than asked for (or none) when the budget is used up or a
    /// finite space has no other point left; none while it is paused.
    virtual std::vector<Trial> ask(const AskRequest& request = {}) = 0;
    virtual TellResult tell(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) = 0;
    /// The user's own data, outside the budget; all or nothing.
    virtual AddResult add(const std::vector<Evaluation>& data, const std::string& key = {}) = 0;
    /// Points to evaluate before any suggestion, within the budget; all or nothing. Returns their ids.
    virtual std::vector<std::int64_t> enqueue(const std::vector<Point>& points, const std::string& key = {}) = 0;
    /// The answer was wrong: this one counts from now on. False if it is the one that counts already.
    virtual bool correct(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) = 0;
    /// To be evaluated once more: it waits for the next ask. Not for a running trial.
    virtual void rerun(std::int64_t id) = 0;
    virtual void abandon(std::int64_t id) = 0;
    /// The attempt failed; there will be another.
    virtual void retry(const storage::AttemptRecord& failed, double lease_seconds) = 0;
    /// What programs that run have written so far; see storage::Storage::keep_logs.
    virtual void keep_logs(const std::vector<storage::AttemptRecord>& running) = 0;
    virtual void renew(const std::string& worker, double lease_seconds) = 0;  ///< it is alive: extend its leases
    virtual void release(const std::string& worker) = 0;  ///< it stops: what it runs may be issued again at once
    /// While paused, ask gives nothing. Both hold for all processes from the next ask on; a study file that is run again
    /// sets its own budget.
    virtual void set_paused(bool paused) = 0;
    virtual void set_budget(std::optional<std::int64_t> trials) = 0;
    virtual bool paused() const = 0;

    virtual std::vector<Trial> trials() const = 0;  ///< by id
    virtual std::optional<Trial> trial(std::int64_t id) const = 0;
    virtual std::optional<Trial> best() const = 0;  ///< the best value told
    /// The told point that the model expects most of; see Optimizer::recommended. Takes as long as structure().
    virtual std::optional<Recommended> recommended() const = 0;
    virtual storage::Counts counts() const = 0;
    virtual std::vector<storage::AttemptRecord> attempts(std::int64_t trial) const = 0;  ///< with the programs' output
    virtual std::vector<storage::LateAnswer> late_answers(std::int64_t trial) const = 0;
    virtual std::vector<EarlierAnswer> earlier_answers(std::int64_t trial) const = 0;
    /// What has been learned at the latest ask; free if this object has asked, otherwise it has to be rebuilt.
    virtual StructureView structure() const = 0;

  protected:
    AnyStudy() = default;
    AnyStudy(AnyStudy&&) noexcept = default;
    AnyStudy& operator=(AnyStudy&&) noexcept = default;
};

}  // namespace summand
