// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/any_study.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace summand {

namespace storage {
class Storage;
}

/// See storage::Trouble: told in sentences when the server of a database cannot be reached and is tried again.
using Trouble = std::function<void(const std::string& sentence)>;

/// An optimiser whose history lives in a storage, so that it outlasts the process and is shared between processes.
///
/// ask, tell, add and the reading functions may be called from several threads and processes at once. What tell has
/// acknowledged is stored for good; ids are never used twice; no more trials than the budget are ever issued.
class Study final : public AnyStudy {
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
    ~Study() override;

    const std::string& name() const override;
    const SearchSpace& space() const override;
    const Options& options() const override;
    const StudySettings& settings() const override;
    int batch_size() const override;
    const std::string& database() const override;
    double created_at() const;
    double now() const override;

    /// A study that an older program began goes on with the default strategy of this one: ask() refuses until this was called.
    /// Nothing that was told is lost. Does nothing otherwise.
    void accept_new_strategy();
    std::vector<Trial> ask(const AskRequest& request = {}) override;
    TellResult tell(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) override;
    AddResult add(const std::vector<Evaluation>& data, const std::string& key = {}) override;
    std::vector<std::int64_t> enqueue(const std::vector<Point>& points, const std::string& key = {}) override;
    bool correct(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) override;
    void rerun(std::int64_t id) override;
    void abandon(std::int64_t id) override;
    void retry(const storage::AttemptRecord& failed, double lease_seconds) override;
    void keep_logs(const std::vector<storage::AttemptRecord>& running) override;
    void renew(const std::string& worker, double lease_seconds) override;
    void release(const std::string& worker) override;
    void set_paused(bool paused) override;
    void set_budget(std::optional<std::int64_t> trials) override;
    bool paused() const override;
    /// Throws Conflict unless a definition is this study's: parameters, goal and optimiser options.
    void refuse_changes(const StudyDefinition& definition) const;

    std::vector<Trial> trials() const override;
    std::optional<Trial> trial(std::int64_t id) const override;
    std::optional<Trial> best() const override;
    std::optional<Recommended> recommended() const override;
    storage::Counts counts() const override;
    std::vector<storage::AskRecord> asks() const;  ///< when, how long each suggestion took, how many points
    std::vector<storage::AttemptRecord> attempts(std::int64_t trial) const override;
    std::vector<storage::LateAnswer> late_answers(std::int64_t trial) const override;
    std::vector<storage::LateAnswer> late_answers() const;  ///< of all trials
    std::vector<EarlierAnswer> earlier_answers(std::int64_t trial) const override;
    std::vector<Event> history() const;
    /// As stored, those of greater sequence numbers. An ask's appear when it ends, under numbers taken when it began.
    std::vector<storage::EventRecord> events(std::int64_t after_sequence) const;
    /// The optimiser after that history, rebuilt with the help of the stored snapshot: for structure, importance, slices.
    Optimizer optimizer(std::stop_token stop = {}) const;
    StructureView structure() const override;

  private:
    class Impl;
    std::vector<Trial> ask_once(const AskRequest& request);
    std::vector<std::int64_t> enqueue_once(const std::vector<Point>& points, const std::string& key);
    AddResult add_once(const std::vector<Evaluation>& data, const std::string& key);
    explicit Study(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// "host:process:start": who runs a trial. A worker on this machine whose process is gone is dead.
std::string this_worker();
bool worker_is_dead(const std::string& worker);

}  // namespace summand
