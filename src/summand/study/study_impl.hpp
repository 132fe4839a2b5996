// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"
#include "summand/study/study.hpp"

#include <mutex>

namespace summand {

/// A study in its storage, and the optimiser that follows its history.
class Study::Impl {
  public:
    Impl(std::unique_ptr<storage::Storage> opened, storage::StudyRecord stored, std::string where);
    ~Impl();

    /// Throws StorageError if another version of the program wrote them: it would suggest other points. Reading goes on.
    void refuse_unknown_options() const;
    /// Throws InvalidArgument if the study was begun with a strategy that is gone: whoever runs it must accept the new one.
    void refuse_old_strategy() const;
    void refuse_changes(const StudyDefinition& definition) const;  ///< throws InvalidArgument
    void bring_up_to_date(const StudyDefinition& definition);      ///< settings, budget and threads

    /// The record as it is now: another process may have changed its settings. Throws NotFound if it has been deleted.
    storage::StudyRecord stored() const;
    /// Changes the stored settings, which another process may have changed since this one opened the study.
    void change_settings(const std::function<void(StudySettings&, std::optional<std::int64_t>&)>& change);

    double now() const { return storage->now(); }
    Trial view(const storage::TrialRecord& row) const;
    std::vector<Trial> views(const std::vector<storage::TrialRecord>& trials) const;

    /// Ids of waiting and lost trials, at most `count`. Workers of this machine that have died lose theirs at once.
    std::vector<std::int64_t> trials_to_issue(int count);
    std::int64_t next_id();  ///< within a turn
    /// The study file's [[start]]: each point once, as far as the budget goes. Within a turn.
    void enqueue_start();
    /// How many new trials may still be issued, at most `count`.
    int within_budget(int count);
    /// New trials for a reservation. If this throws, the optimiser has seen what a replay would not: forget it.
    void suggest(int count, storage::Reservation& reservation, const std::stop_token& stop);
    void keep_snapshot();
    /// A copy of the optimiser that knows all answers; empty if there is none, or if others have asked or added since.
    std::optional<Optimizer> with_what_came_since() const;

    std::unique_ptr<storage::Storage> storage;
    storage::StudyRecord record;
    std::string database;                             ///< where it is, for sentences
    std::shared_ptr<const SearchSpace> shared_space;  ///< with every trial
    const SearchSpace& space;
    std::string options_problem;  ///< why the stored options cannot be used; empty: they can
    StoredOptions begun_with;
    Options options;
    StudySettings settings;

    std::mutex asking;                   ///< guards what follows
    bool start_enqueued = false;         ///< all of settings.start
    std::optional<Optimizer> optimizer;  ///< made when first needed
    std::int64_t last_seen = 0;          ///< sequence number of the last event it knows
    std::int64_t snapshot_sequence = -1;
    double snapshot_at = 0.0;

  private:
    /// Brings the optimiser to the state after all events before `sequence`: the next ask must follow at once.
    void synchronize(std::int64_t sequence, const std::stop_token& stop);
};

}  // namespace summand
