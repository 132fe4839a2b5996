// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/postgres_database.hpp"
#include "summand/storage/sql_storage.hpp"

#include <chrono>
#include <set>

namespace summand::storage {

/// The steps of the schema: script n leads from version n to n+1 (schema/postgres/*.sql).
const std::vector<const char*>& postgres_migrations();

/// Brings the schema to version scripts.size(), each step in a transaction of its own together with the version number.
/// Throws StorageError if it is newer, or if it is not there and may not be made.
void migrate(PostgresDatabase& database, const std::vector<const char*>& scripts, OpenMode mode);

/// SqlStorage over a network: each call is repeated until it has got through. A turn is an advisory lock of the session,
/// so it ends with the connection; what needs it then throws TurnLost.
class PostgresStorage final : public SqlStorage {
  public:
    explicit PostgresStorage(std::unique_ptr<PostgresDatabase> database);

    double now() override;  ///< the server's clock, read once a minute
    std::unique_ptr<Turn> take_turn(std::int64_t study, std::stop_token stop) override;

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

  private:
    friend class PostgresTurn;
    template <class Call>
    auto until_done(Call call);
    /// The same within a turn, which must not have been lost.
    template <class Call>
    auto within_turn(std::int64_t study, Call call);
    bool try_turn(std::int64_t study);
    void give_back(std::int64_t study) noexcept;

    PostgresDatabase& connection_;       ///< the same as database_
    std::map<std::int64_t, int> turns_;  ///< studies whose turn is ours, and the session that holds it
    double clock_base_ = 0.0;            ///< the server's time at clock_read_
    std::chrono::steady_clock::time_point clock_read_ = {};
    int clock_session_ = 0;
};

}  // namespace summand::storage
