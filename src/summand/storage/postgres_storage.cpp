// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/postgres_storage.hpp"

#include "summand/storage/postgres.hpp"

#include <thread>

namespace summand::storage {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int turn_lock = 0x53554D02;  // the class of the advisory locks; see postgres_database.cpp
constexpr double clock_seconds = 60.0;
constexpr int most_tries = 200;

double seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
}

}  // namespace

class PostgresTurn final : public Turn {
  public:
    PostgresTurn(PostgresStorage& storage, std::int64_t study) : storage_(storage), study_(study) {}
    ~PostgresTurn() override { storage_.give_back(study_); }

  private:
    PostgresStorage& storage_;
    std::int64_t study_;
};

PostgresStorage::PostgresStorage(std::unique_ptr<PostgresDatabase> database)
    : SqlStorage(std::move(database)), connection_(static_cast<PostgresDatabase&>(*database_)) {}

template <class Call>
auto PostgresStorage::until_done(Call call) {
    const std::lock_guard guard(mutex_);
    for (int tries = 1;; ++tries) {
        try {
            return call();
        } catch (const Passing&) {
            // Nothing has changed: once more, over a new connection if the old one is lost. What never passes is an error.
            if (tries == most_tries) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(std::min(tries, 100)));
        }
    }
}

template <class Call>
auto PostgresStorage::within_turn(std::int64_t study, Call call) {
    return until_done([&] {
        const auto turn = turns_.find(study);
        connection_.expect_session(turn == turns_.end() ? std::nullopt : std::optional(turn->second));
        struct Reset {
            PostgresDatabase& connection;
            ~Reset() { connection.expect_session({}); }
        } reset{connection_};
        return call();
    });
}

double PostgresStorage::now() {
    return until_done([&] {
        if (clock_session_ != connection_.session() || seconds_since(clock_read_) > clock_seconds) {
            Query row = connection_.query("SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)");
            row.next();
            clock_base_ = row.real();
            clock_read_ = Clock::now();
            clock_session_ = connection_.session();
        }
        return clock_base_ + seconds_since(clock_read_);
    });
}

std::unique_ptr<Turn> PostgresStorage::take_turn(std::int64_t study, std::stop_token stop) {
    // Asked for again and again, not waited for: meanwhile the connection serves answers.
    for (int tries = 0; !try_turn(study); ++tries) {
        if (stop.stop_requested()) throw Interrupted();
        std::this_thread::sleep_for(std::chrono::milliseconds(std::min(100, 2 + tries)));
    }
    return std::make_unique<PostgresTurn>(*this, study);
}

bool PostgresStorage::try_turn(std::int64_t study) {
    return until_done([&] {
        if (turns_.count(study) != 0) return false;  // another thread's: the lock would not exclude us
        Query row = connection_.query(
            "SELECT CAST(pg_try_advisory_lock(CAST(? AS INTEGER), CAST(? AS INTEGER)) AS INTEGER)", turn_lock, study);
        row.next();
        if (row.integer() == 0) return false;
        turns_[study] = connection_.session();
        return true;
    });
}

void PostgresStorage::give_back(std::int64_t study) noexcept {
    const std::lock_guard guard(mutex_);
    const int session = turns_[study];
    turns_.erase(study);
    if (!connection_.connected() || session != connection_.session()) return;  // lost already
    try {
        connection_.run("SELECT pg_advisory_unlock(CAST(? AS INTEGER), CAST(? AS INTEGER))", turn_lock, study);
    } catch (const std::exception&) {
        // The connection is lost, and the lock with it.
    }
}

StudyRecord PostgresStorage::create_study(const StudyRecord& study) {
    return until_done([&] { return SqlStorage::create_study(study); });
}
std::vector<StudyRecord> PostgresStorage::studies() {
    return until_done([&] { return SqlStorage::studies(); });
}
void PostgresStorage::update_settings(std::int64_t study, const std::string& settings,
                                      std::optional<std::int64_t> budget) {
    until_done([&] { SqlStorage::update_settings(study, settings, budget); });
}
void PostgresStorage::remove_study(std::int64_t study, double now) {
    within_turn(study, [&] { SqlStorage::remove_study(study, now); });
}
void PostgresStorage::update_options(std::int64_t study, const std::string& options) {
    until_done([&] { SqlStorage::update_options(study, options); });
}
std::int64_t PostgresStorage::begin_ask(std::int64_t study, int count) {
    return within_turn(study, [&] { return SqlStorage::begin_ask(study, count); });
}
std::vector<TrialRecord> PostgresStorage::reserve(std::int64_t study, const Reservation& reservation) {
    return within_turn(study, [&] { return SqlStorage::reserve(study, reservation); });
}
void PostgresStorage::add(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) {
    within_turn(study, [&] { SqlStorage::add(study, trials, now, request); });
}
void PostgresStorage::enqueue(std::int64_t study, const std::vector<NewTrial>& trials, double now,
                              const Request& request) {
    within_turn(study, [&] { SqlStorage::enqueue(study, trials, now, request); });
}
Verdict PostgresStorage::tell(std::int64_t study, const Answer& answer) {
    return until_done([&] { return SqlStorage::tell(study, answer); });
}
Verdict PostgresStorage::correct(std::int64_t study, const Answer& answer) {
    return until_done([&] { return SqlStorage::correct(study, answer); });
}
void PostgresStorage::rerun(std::int64_t study, std::int64_t id, double now) {
    until_done([&] { SqlStorage::rerun(study, id, now); });
}
void PostgresStorage::retry(std::int64_t study, const AttemptRecord& failed, double lease_ends) {
    until_done([&] { SqlStorage::retry(study, failed, lease_ends); });
}
void PostgresStorage::keep_logs(std::int64_t study, const std::vector<AttemptRecord>& running) {
    until_done([&] { SqlStorage::keep_logs(study, running); });
}
void PostgresStorage::abandon(std::int64_t study, std::int64_t id, double now) {
    until_done([&] { SqlStorage::abandon(study, id, now); });
}
void PostgresStorage::renew(std::int64_t study, const std::string& worker, double lease_ends) {
    until_done([&] { SqlStorage::renew(study, worker, lease_ends); });
}
void PostgresStorage::release(std::int64_t study, const std::string& worker, double now) {
    until_done([&] { SqlStorage::release(study, worker, now); });
}
std::optional<std::vector<std::int64_t>> PostgresStorage::reply_to(std::int64_t study, const Request& request) {
    return until_done([&] { return SqlStorage::reply_to(study, request); });
}
std::vector<TrialRecord> PostgresStorage::trials(std::int64_t study) {
    return until_done([&] { return SqlStorage::trials(study); });
}
std::vector<TrialRecord> PostgresStorage::open_trials(std::int64_t study) {
    return until_done([&] { return SqlStorage::open_trials(study); });
}
std::optional<TrialRecord> PostgresStorage::trial(std::int64_t study, std::int64_t id) {
    return until_done([&] { return SqlStorage::trial(study, id); });
}
std::optional<TrialRecord> PostgresStorage::best(std::int64_t study) {
    return until_done([&] { return SqlStorage::best(study); });
}
Counts PostgresStorage::counts(std::int64_t study, double now) {
    return until_done([&] { return SqlStorage::counts(study, now); });
}
std::vector<EventRecord> PostgresStorage::events(std::int64_t study, std::int64_t after_sequence) {
    return until_done([&] { return SqlStorage::events(study, after_sequence); });
}
std::vector<AskRecord> PostgresStorage::asks(std::int64_t study) {
    return until_done([&] { return SqlStorage::asks(study); });
}
std::vector<AttemptRecord> PostgresStorage::attempts(std::int64_t study, std::int64_t trial) {
    return until_done([&] { return SqlStorage::attempts(study, trial); });
}
std::vector<LateAnswer> PostgresStorage::late_answers(std::int64_t study) {
    return until_done([&] { return SqlStorage::late_answers(study); });
}
void PostgresStorage::store_snapshot(std::int64_t study, const Snapshot& snapshot) {
    until_done([&] { SqlStorage::store_snapshot(study, snapshot); });
}
std::optional<Snapshot> PostgresStorage::snapshot(std::int64_t study) {
    return until_done([&] { return SqlStorage::snapshot(study); });
}

}  // namespace summand::storage
