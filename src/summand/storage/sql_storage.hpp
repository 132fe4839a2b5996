// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/sql_database.hpp"
#include "summand/storage/storage.hpp"

#include <mutex>

namespace summand::storage {

/// The tables of schema/*.sql as a Storage, but for the turns, which each database gives in its own way. What changes them is in sql_write.cpp, what reads them in sql_read.cpp.
class SqlStorage : public Storage {
  public:
    explicit SqlStorage(std::unique_ptr<Database> database) : database_(std::move(database)) {}

    StudyRecord create_study(const StudyRecord& study) override;
    std::vector<StudyRecord> studies() override;
    void update_options(std::int64_t study, const std::string& options) override;
    void update_settings(std::int64_t study, const std::string& settings, std::optional<std::int64_t> budget) override;
    void remove_study(std::int64_t study, double now) override;
    std::int64_t begin_ask(std::int64_t study, int count) override;
    std::vector<TrialRecord> reserve(std::int64_t study, const Reservation& reservation) override;
    void add(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) override;
    void enqueue(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) override;
    Verdict tell(std::int64_t study, const Answer& answer) override;
    Verdict correct(std::int64_t study, const Answer& answer) override;
    void rerun(std::int64_t study, std::int64_t id, double now) override;
    void retry(std::int64_t study, const AttemptRecord& failed, double lease_ends) override;
    void keep_logs(std::int64_t study, const std::vector<AttemptRecord>& running) override;
    void abandon(std::int64_t study, std::int64_t id, double now) override;
    void renew(std::int64_t study, const std::string& worker, double lease_ends) override;
    void release(std::int64_t study, const std::string& worker, double now) override;
    std::optional<std::vector<std::int64_t>> reply_to(std::int64_t study, const Request& request) override;
    std::vector<TrialRecord> trials(std::int64_t study) override;
    std::vector<TrialRecord> open_trials(std::int64_t study) override;
    std::optional<TrialRecord> trial(std::int64_t study, std::int64_t id) override;
    std::optional<TrialRecord> best(std::int64_t study) override;
    Counts counts(std::int64_t study, double now) override;
    std::vector<EventRecord> events(std::int64_t study, std::int64_t after_sequence) override;
    std::vector<AskRecord> asks(std::int64_t study) override;
    std::vector<AttemptRecord> attempts(std::int64_t study, std::int64_t trial) override;
    std::vector<LateAnswer> late_answers(std::int64_t study) override;
    void store_snapshot(std::int64_t study, const Snapshot& snapshot) override;
    std::optional<Snapshot> snapshot(std::int64_t study) override;

    /// Copies a study with all that belongs to it; all or nothing. Returns how many rows. Throws InvalidArgument if the
    /// target has one of that name.
    std::int64_t copy_to(SqlStorage& target, const StudyRecord& study);

  protected:
    std::recursive_mutex mutex_;  ///< one connection, one statement at a time; recursive: a call may be repeated whole
    std::unique_ptr<Database> database_;

  private:
    std::vector<TrialRecord> trials_where(std::int64_t study, const std::string& sql);
    void set_leases(std::int64_t study, const std::string& worker, double lease_ends);
    std::int64_t next_study_id();
    // To be called with the mutex held; those that change something, inside a transaction.
    std::int64_t take_sequence(std::int64_t study, int count);
    void insert_event(std::int64_t study, const EventRecord& event);
    void append_event(std::int64_t study, const EventRecord& event);
    void refuse_known_id(std::int64_t study, std::int64_t id);
    void check_budget(std::int64_t study, std::int64_t more);
    bool reissue(std::int64_t study, std::int64_t id, const Reservation& reservation);
    void insert_asked(std::int64_t study, const NewTrial& trial, const Reservation& reservation);
    void insert_ask(std::int64_t study, const Reservation& reservation);
    void insert_attempt(std::int64_t study, const AttemptRecord& attempt);
    void insert_request(std::int64_t study, const Request& request, const std::vector<std::int64_t>& ids);
    std::optional<std::vector<std::int64_t>> find_request(std::int64_t study, const Request& request);
    std::optional<TrialRecord> find_trial(std::int64_t study, std::int64_t id);
};

}  // namespace summand::storage
