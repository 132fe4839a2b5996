// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sqlite.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/rules.hpp"
#include "summand/storage/sqlite_database.hpp"
#include "summand/storage/sqlite_file.hpp"

#include <mutex>
#include <sstream>

namespace summand::storage {

namespace {

const std::string trial_columns =
    "id, state, parameters, added, ask, attempt, worker, asked_at, started_at, lease_ends, ended_at, value, reason, "
    "late";

TrialState state_from(const std::string& word) {
    for (const TrialState state :
         {TrialState::running, TrialState::completed, TrialState::failed, TrialState::abandoned})
        if (word == to_string(state)) return state;
    throw StorageError("a trial has the unknown state \"" + word + "\"; the file was changed by another program");
}

EventKind kind_from(const std::string& word) {
    if (word == "asked") return EventKind::asked;
    if (word == "told") return EventKind::told;
    return word == "added" ? EventKind::added : EventKind::dropped;
}

TrialRecord read_trial(Query& row) {
    TrialRecord trial;
    trial.id = row.integer();
    trial.state = state_from(row.text());
    trial.parameters = row.text();
    trial.added = row.integer() != 0;
    trial.ask = row.integer();
    trial.attempt = static_cast<int>(row.integer());
    trial.worker = row.text();
    trial.asked_at = row.real();
    trial.started_at = row.real();
    trial.lease_ends = row.real();
    trial.ended_at = row.optional_real();
    trial.value = row.optional_real();
    trial.reason = row.text();
    trial.late = row.integer() != 0;
    return trial;
}

class SqliteStorage final : public Storage {
  public:
    SqliteStorage(std::filesystem::path path, std::unique_ptr<Database> database)
        : path_(std::move(path)), database_(std::move(database)) {}

    StudyRecord create_study(const StudyRecord& study) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        {
            Query same = database_->query("SELECT 1 FROM study WHERE name = ?", study.name);
            if (same.next()) throw InvalidArgument(study_exists(study.name));
        }
        database_->run(
            "INSERT INTO study (name, maximize, space, options, settings, budget, created_at) VALUES "
            "(?,?,?,?,?,?,?)",
            study.name, study.maximize, study.space, study.options, study.settings, study.budget, study.created_at);
        StudyRecord created = study;
        created.id = database_->integer("SELECT last_insert_rowid()");
        transaction.commit();
        return created;
    }

    std::vector<StudyRecord> studies() override {
        const std::lock_guard guard(mutex_);
        std::vector<StudyRecord> found;
        Query row = database_->query(
            "SELECT id, name, maximize, space, options, settings, budget, created_at FROM study ORDER BY id");
        while (row.next()) {
            StudyRecord& study = found.emplace_back();
            study.id = row.integer();
            study.name = row.text();
            study.maximize = row.integer() != 0;
            study.space = row.text();
            study.options = row.text();
            study.settings = row.text();
            study.budget = row.optional_integer();
            study.created_at = row.real();
        }
        return found;
    }

    void update_settings(std::int64_t study, const std::string& settings, std::optional<std::int64_t> budget) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        database_->run("UPDATE study SET settings = ?, budget = ? WHERE id = ?", settings, budget, study);
        transaction.commit();
    }

    std::unique_ptr<Turn> take_turn(std::int64_t study, std::stop_token stop) override {
        return lock_turn(path_, study, stop);
    }

    std::int64_t begin_ask(std::int64_t study, int count) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        const std::int64_t first = take_sequence(study, count);
        transaction.commit();
        return first;
    }

    std::vector<TrialRecord> reserve(std::int64_t study, const Reservation& reservation) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        check_budget(study, static_cast<std::int64_t>(reservation.trials.size()));
        std::vector<std::int64_t> ids;
        for (const std::int64_t id : reservation.reissued)
            if (reissue(study, id, reservation)) ids.push_back(id);
        std::int64_t sequence = reservation.first_sequence;
        for (const NewTrial& trial : reservation.trials) {
            insert_asked(study, trial, reservation);
            insert_event(study, sequence++, "asked", trial.id);
            ids.push_back(trial.id);
        }
        if (!reservation.trials.empty()) insert_ask(study, reservation);
        insert_request(study, reservation.request_key, ids);
        std::vector<TrialRecord> handed_out;
        for (const std::int64_t id : ids) handed_out.push_back(*find_trial(study, id));
        transaction.commit();
        return handed_out;
    }

    void add(std::int64_t study, const std::vector<NewTrial>& trials, double now,
             const std::string& request_key) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        std::int64_t sequence = take_sequence(study, static_cast<int>(trials.size()));
        std::vector<std::int64_t> ids;
        for (const NewTrial& trial : trials) {
            refuse_known_id(study, trial.id);
            database_->run(
                "INSERT INTO trial (study, id, state, parameters, added, asked_at, started_at, ended_at, value, "
                "reason) "
                "VALUES (?,?,?,?,1,?,?,?,?,?)",
                study, trial.id, trial.value ? "completed" : "failed", trial.parameters, now, now, now, trial.value,
                trial.reason);
            insert_event(study, sequence++, "added", trial.id);
            ids.push_back(trial.id);
        }
        insert_request(study, request_key, ids);
        transaction.commit();
    }

    Verdict tell(std::int64_t study, const Answer& answer) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        if (!answer.request_key.empty() && find_request(study, answer.request_key)) return Verdict::repeated;
        const std::optional<TrialRecord> trial = find_trial(study, answer.trial);
        if (!trial) throw InvalidArgument(no_such_trial(answer.trial));
        const Verdict verdict = judge(*trial, answer);
        if (verdict == Verdict::repeated) return verdict;
        if (verdict == Verdict::accepted) {
            database_->run(
                "UPDATE trial SET state = ?, value = ?, reason = ?, ended_at = ?, late = ? WHERE study = ? AND id "
                "= ?",
                answer.value ? "completed" : "failed", answer.value, answer.reason, answer.now,
                answered_late(*trial, answer), study, answer.trial);
            insert_event(study, take_sequence(study, 1), "told", answer.trial);
        } else {
            database_->run("INSERT INTO late_answer (study, trial, worker, at, value, reason) VALUES (?,?,?,?,?,?)",
                           study, answer.trial, answer.worker, answer.now, answer.value, answer.reason);
        }
        if (answer.log) insert_attempt(study, *answer.log);
        insert_request(study, answer.request_key, {answer.trial});
        transaction.commit();
        return verdict;
    }

    void retry(std::int64_t study, const AttemptRecord& failed, double lease_ends) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        insert_attempt(study, failed);
        database_->run(
            "UPDATE trial SET attempt = attempt + 1, started_at = ?, lease_ends = ? "
            "WHERE study = ? AND id = ? AND state = 'running'",
            failed.ended_at, lease_ends, study, failed.trial);
        transaction.commit();
    }

    void abandon(std::int64_t study, std::int64_t id, double now) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        const std::optional<TrialRecord> trial = find_trial(study, id);
        if (!trial) throw InvalidArgument(no_such_trial(id));
        if (trial->state == TrialState::abandoned) return;
        if (trial->state != TrialState::running) throw InvalidArgument(cannot_abandon(*trial));
        database_->run("UPDATE trial SET state = 'abandoned', ended_at = ? WHERE study = ? AND id = ?", now, study, id);
        insert_event(study, take_sequence(study, 1), "dropped", id);
        transaction.commit();
    }

    void renew(std::int64_t study, const std::string& worker, double lease_ends) override {
        set_leases(study, worker, lease_ends);
    }

    void release(std::int64_t study, const std::string& worker, double now) override { set_leases(study, worker, now); }

    std::optional<std::vector<std::int64_t>> reply_to(std::int64_t study, const std::string& request_key) override {
        const std::lock_guard guard(mutex_);
        return find_request(study, request_key);
    }

    std::vector<TrialRecord> trials(std::int64_t study) override {
        return trials_where(study, "SELECT " + trial_columns + " FROM trial WHERE study = ? ORDER BY id");
    }

    std::vector<TrialRecord> open_trials(std::int64_t study) override {
        return trials_where(
            study, "SELECT " + trial_columns + " FROM trial WHERE study = ? AND state = 'running' ORDER BY id");
    }

    std::optional<TrialRecord> trial(std::int64_t study, std::int64_t id) override {
        const std::lock_guard guard(mutex_);
        return find_trial(study, id);
    }

    std::optional<TrialRecord> best(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        Query maximize = database_->query("SELECT maximize FROM study WHERE id = ?", study);
        const std::string order = maximize.next() && maximize.integer() != 0 ? "DESC" : "ASC";
        Query row = database_->query("SELECT " + trial_columns +
                                         " FROM trial WHERE study = ? AND state = 'completed' ORDER BY value " + order +
                                         ", id LIMIT 1",
                                     study);
        return row.next() ? std::optional(read_trial(row)) : std::nullopt;
    }

    Counts counts(std::int64_t study, double now) override {
        const std::lock_guard guard(mutex_);
        Query row = database_->query(
            "SELECT state, count(*), sum(added), sum(lease_ends <= ?) FROM trial WHERE study = ? GROUP BY state", now,
            study);
        Counts counts;
        while (row.next()) {
            const TrialState state = state_from(row.text());
            const std::int64_t count = row.integer();
            counts.added += row.integer();
            const std::int64_t ended = row.integer();
            switch (state) {
                case TrialState::running:
                    counts.running = count - ended, counts.lost = ended;
                    break;
                case TrialState::completed:
                    counts.completed = count;
                    break;
                case TrialState::failed:
                    counts.failed = count;
                    break;
                case TrialState::abandoned:
                    counts.abandoned = count;
                    break;
            }
        }
        return counts;
    }

    std::vector<EventRecord> events(std::int64_t study, std::int64_t after_sequence) override {
        const std::lock_guard guard(mutex_);
        Query row = database_->query(
            "SELECT e.sequence, e.kind, e.trial, t.ask, t.parameters, t.value, t.reason FROM event e "
            "JOIN trial t ON t.study = e.study AND t.id = e.trial WHERE e.study = ? AND e.sequence > ? ORDER BY "
            "e.sequence",
            study, after_sequence);
        std::vector<EventRecord> found;
        while (row.next()) {
            EventRecord event;
            event.sequence = row.integer();
            event.kind = kind_from(row.text());
            event.trial = row.integer();
            event.ask = row.integer();
            event.parameters = row.text();
            event.value = row.optional_real();
            event.reason = row.text();
            found.push_back(only_what_happened(std::move(event)));
        }
        return found;
    }

    std::vector<AskRecord> asks(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        Query row = database_->query(
            "SELECT ask, first_sequence, at, seconds, count FROM ask WHERE study = ? ORDER BY ask", study);
        std::vector<AskRecord> found;
        while (row.next()) {
            AskRecord& ask = found.emplace_back();
            ask.ask = row.integer();
            ask.first_sequence = row.integer();
            ask.at = row.real();
            ask.seconds = row.real();
            ask.count = static_cast<int>(row.integer());
        }
        return found;
    }

    std::vector<AttemptRecord> attempts(std::int64_t study, std::int64_t trial) override {
        const std::lock_guard guard(mutex_);
        Query row = database_->query(
            "SELECT attempt, worker, started_at, ended_at, outcome, output, error FROM attempt "
            "WHERE study = ? AND trial = ? ORDER BY rowid",
            study, trial);
        std::vector<AttemptRecord> found;
        while (row.next()) {
            AttemptRecord& attempt = found.emplace_back();
            attempt.trial = trial;
            attempt.attempt = static_cast<int>(row.integer());
            attempt.worker = row.text();
            attempt.started_at = row.real();
            attempt.ended_at = row.real();
            attempt.outcome = row.text();
            attempt.output = row.text();
            attempt.error = row.text();
        }
        return found;
    }

    std::vector<LateAnswer> late_answers(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        Query row = database_->query(
            "SELECT trial, worker, at, value, reason FROM late_answer WHERE study = ? ORDER BY rowid", study);
        std::vector<LateAnswer> found;
        while (row.next()) {
            LateAnswer& answer = found.emplace_back();
            answer.trial = row.integer();
            answer.worker = row.text();
            answer.at = row.real();
            answer.value = row.optional_real();
            answer.reason = row.text();
        }
        return found;
    }

    void store_snapshot(std::int64_t study, const Snapshot& snapshot) override {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        database_->run("INSERT OR REPLACE INTO snapshot (study, sequence, data) VALUES (?,?,?)", study,
                       snapshot.sequence, Blob{snapshot.data});
        transaction.commit();
    }

    std::optional<Snapshot> snapshot(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        Query row = database_->query("SELECT sequence, data FROM snapshot WHERE study = ?", study);
        if (!row.next()) return {};
        Snapshot found;
        found.sequence = row.integer();
        found.data = row.text();
        return found;
    }

  private:
    // The rest runs inside a transaction of one of the functions above.

    std::int64_t take_sequence(std::int64_t study, int count) {
        database_->run("UPDATE study SET next_sequence = next_sequence + ? WHERE id = ?", count, study);
        Query row = database_->query("SELECT next_sequence - ? FROM study WHERE id = ?", count, study);
        row.next();
        return row.integer();
    }

    void insert_event(std::int64_t study, std::int64_t sequence, const char* kind, std::int64_t trial) {
        database_->run("INSERT INTO event (study, sequence, kind, trial) VALUES (?,?,?,?)", study, sequence, kind,
                       trial);
    }

    void refuse_known_id(std::int64_t study, std::int64_t id) {
        if (find_trial(study, id)) throw InvalidArgument(id_in_use(id));
    }

    void check_budget(std::int64_t study, std::int64_t more) {
        Query row = database_->query(
            "SELECT budget, (SELECT count(*) FROM trial WHERE study = s.id AND state <> 'abandoned' "
            "AND added = 0) FROM study s WHERE id = ?",
            study);
        row.next();
        const std::optional<std::int64_t> budget = row.optional_integer();
        const std::int64_t issued = row.integer();
        if (budget && issued + more > *budget) throw InvalidArgument(budget_exceeded(*budget, issued, more));
    }

    bool reissue(std::int64_t study, std::int64_t id, const Reservation& reservation) {
        database_->run(
            "UPDATE trial SET attempt = attempt + 1, worker = ?, started_at = ?, lease_ends = ? "
            "WHERE study = ? AND id = ? AND state = 'running' AND lease_ends <= ?",
            reservation.worker, reservation.now, reservation.lease_ends, study, id, reservation.now);
        return database_->changes() == 1;
    }

    void insert_asked(std::int64_t study, const NewTrial& trial, const Reservation& reservation) {
        refuse_known_id(study, trial.id);
        database_->run(
            "INSERT INTO trial (study, id, state, parameters, ask, worker, asked_at, started_at, lease_ends) "
            "VALUES (?,?,'running',?,?,?,?,?,?)",
            study, trial.id, trial.parameters, reservation.ask, reservation.worker, reservation.now, reservation.now,
            reservation.lease_ends);
    }

    void insert_ask(std::int64_t study, const Reservation& reservation) {
        database_->run("INSERT INTO ask (study, ask, first_sequence, at, seconds, count) VALUES (?,?,?,?,?,?)", study,
                       reservation.ask, reservation.first_sequence, reservation.now, reservation.seconds,
                       static_cast<std::int64_t>(reservation.trials.size()));
    }

    void insert_attempt(std::int64_t study, const AttemptRecord& attempt) {
        database_->run(
            "INSERT INTO attempt (study, trial, attempt, worker, started_at, ended_at, outcome, output, error) "
            "VALUES (?,?,?,?,?,?,?,?,?)",
            study, attempt.trial, attempt.attempt, attempt.worker, attempt.started_at, attempt.ended_at,
            attempt.outcome, Blob{attempt.output}, Blob{attempt.error});
    }

    void insert_request(std::int64_t study, const std::string& key, const std::vector<std::int64_t>& ids) {
        if (key.empty()) return;
        std::ostringstream list;
        for (const std::int64_t id : ids) list << id << ' ';
        database_->run("INSERT INTO request (study, key, trials) VALUES (?,?,?)", study, key, list.str());
    }

    std::optional<std::vector<std::int64_t>> find_request(std::int64_t study, const std::string& key) {
        Query row = database_->query("SELECT trials FROM request WHERE study = ? AND key = ?", study, key);
        if (!row.next()) return {};
        std::istringstream list(row.text());
        std::vector<std::int64_t> ids;
        for (std::int64_t id = 0; list >> id;) ids.push_back(id);
        return ids;
    }

    std::optional<TrialRecord> find_trial(std::int64_t study, std::int64_t id) {
        Query row = database_->query("SELECT " + trial_columns + " FROM trial WHERE study = ? AND id = ?", study, id);
        return row.next() ? std::optional(read_trial(row)) : std::nullopt;
    }

    std::vector<TrialRecord> trials_where(std::int64_t study, const std::string& sql) {
        const std::lock_guard guard(mutex_);
        Query row = database_->query(sql, study);
        std::vector<TrialRecord> found;
        while (row.next()) found.push_back(read_trial(row));
        return found;
    }

    void set_leases(std::int64_t study, const std::string& worker, double lease_ends) {
        const std::lock_guard guard(mutex_);
        Transaction transaction(*database_);
        database_->run("UPDATE trial SET lease_ends = ? WHERE study = ? AND state = 'running' AND worker = ?",
                       lease_ends, study, worker);
        transaction.commit();
    }

    std::filesystem::path path_;
    std::mutex mutex_;
    std::unique_ptr<Database> database_;
};

}  // namespace

std::unique_ptr<Storage> open_sqlite(const std::filesystem::path& path, OpenMode mode) {
    if (mode == OpenMode::create_if_missing && !std::filesystem::exists(path)) create_file(path);
    auto database = open_file(path);
    // Through a link or not, the file that orders the asks must be the same one.
    return std::make_unique<SqliteStorage>(std::filesystem::canonical(path), std::move(database));
}

}  // namespace summand::storage
