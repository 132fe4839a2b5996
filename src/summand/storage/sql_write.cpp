// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/storage/rules.hpp"
#include "summand/storage/sql_storage.hpp"

#include <algorithm>
#include <sstream>

namespace summand::storage {

namespace {

const char* state_after(const Answer& answer) {
    return answer.value ? "completed" : "failed";
}

EventRecord told(const Answer& answer) {
    return {.kind = EventKind::told,
            .trial = answer.trial,
            .at = answer.now,
            .value = answer.value,
            .also = answer.also,
            .reason = answer.reason};
}

}  // namespace

StudyRecord SqlStorage::create_study(const StudyRecord& study) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_);
    {
        Query same = database_->query("SELECT 1 FROM study WHERE name = ?", study.name);
        if (same.next()) throw Conflict(study_exists(study.name));
    }
    StudyRecord created = study;
    created.id = next_study_id();
    database_->run(
        "INSERT INTO study (id, name, goal, space, options, settings, budget, created_at) VALUES "
        "(?,?,?,?,?,?,?,?)",
        created.id, study.name, study.goal == Goal::maximize ? "maximize" : "minimize", study.space, study.options,
        study.settings, study.budget, study.created_at);
    transaction.commit();
    return created;
}

std::int64_t SqlStorage::next_study_id() {
    Query row = database_->query(
        "SELECT max(id) FROM (SELECT coalesce(max(id), 0) AS id FROM study UNION ALL "
        "SELECT coalesce(max(id), 0) FROM removed_study) AS used");
    row.next();
    return row.integer() + 1;
}

void SqlStorage::remove_study(std::int64_t study, double now) {
    const std::lock_guard guard(mutex_);
    const std::vector<Table> tables = database_->tables();
    Transaction transaction(*database_, study);
    Query removed = database_->query(
        "INSERT INTO removed_study (id, name, removed_at) SELECT id, name, ? FROM study WHERE id = ? RETURNING id", now,
        study);
    if (!removed.next()) throw NotFound(no_such_study());
    removed.run();
    for (const Table& table : tables)
        if (std::find(table.columns.begin(), table.columns.end(), "study") != table.columns.end())
            database_->run("DELETE FROM " + table.name + " WHERE study = ?", study);
    database_->run("DELETE FROM study WHERE id = ?", study);
    transaction.commit();
}

void SqlStorage::update_settings(std::int64_t study, const std::string& settings, std::optional<std::int64_t> budget) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    database_->run("UPDATE study SET settings = ?, budget = ? WHERE id = ?", settings, budget, study);
    transaction.commit();
}

void SqlStorage::update_options(std::int64_t study, const std::string& options) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    database_->run("UPDATE study SET options = ? WHERE id = ?", options, study);
    transaction.commit();
}

std::int64_t SqlStorage::begin_ask(std::int64_t study, int count) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    const std::int64_t first = take_sequence(study, count);
    transaction.commit();
    return first;
}

std::vector<TrialRecord> SqlStorage::reserve(std::int64_t study, const Reservation& reservation) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    check_budget(study, static_cast<std::int64_t>(reservation.trials.size()));
    (void)find_request(study, reservation.request);  // refuses a key that was used otherwise
    std::vector<std::int64_t> ids;
    for (const std::int64_t id : reservation.reissued)
        if (reissue(study, id, reservation)) ids.push_back(id);
    std::int64_t sequence = reservation.first_sequence;
    for (const NewTrial& trial : reservation.trials) {
        insert_asked(study, trial, reservation);
        insert_event(study,
                     {.sequence = sequence++, .kind = EventKind::asked, .trial = trial.id, .at = reservation.now});
        ids.push_back(trial.id);
    }
    if (!reservation.trials.empty()) insert_ask(study, reservation);
    insert_request(study, reservation.request, ids);
    std::vector<TrialRecord> handed_out;
    for (const std::int64_t id : ids) handed_out.push_back(*find_trial(study, id));
    transaction.commit();
    return handed_out;
}

void SqlStorage::add(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    (void)find_request(study, request);  // refuses a key that was used otherwise
    std::vector<std::int64_t> ids;
    for (const NewTrial& trial : trials) {
        refuse_known_id(study, trial.id);
        database_->run(
            "INSERT INTO trial (study, id, state, parameters, added, asked_at, started_at, ended_at, value, also, "
            "reason) "
            "VALUES (?,?,?,?,1,?,?,?,?,?,?)",
            study, trial.id, trial.value ? "completed" : "failed", trial.parameters, now, now, now, trial.value,
            trial.also, trial.reason);
        append_event(study, {.kind = EventKind::added,
                             .trial = trial.id,
                             .at = now,
                             .value = trial.value,
                             .also = trial.also,
                             .reason = trial.reason});
        ids.push_back(trial.id);
    }
    insert_request(study, request, ids);
    transaction.commit();
}

void SqlStorage::enqueue(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    (void)find_request(study, request);  // refuses a key that was used otherwise
    check_budget(study, static_cast<std::int64_t>(trials.size()));
    Reservation nobody;  // never leased: it waits
    nobody.ask = -1;
    nobody.now = now;
    std::vector<std::int64_t> ids;
    for (const NewTrial& trial : trials) {
        insert_asked(study, trial, nobody);
        append_event(study, {.kind = EventKind::asked, .trial = trial.id, .at = now});
        ids.push_back(trial.id);
    }
    insert_request(study, request, ids);
    transaction.commit();
}

Verdict SqlStorage::tell(std::int64_t study, const Answer& answer) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    if (find_request(study, answer.request)) {
        transaction.commit();  // nothing; but the answer that is there is on disk when this returns
        return Verdict::repeated;
    }
    const std::optional<TrialRecord> trial = find_trial(study, answer.trial);
    if (!trial) throw NotFound(no_such_trial(answer.trial));
    const Verdict verdict = judge(*trial, answer);
    insert_request(study, answer.request, {answer.trial});
    if (verdict == Verdict::accepted) {
        database_->run(
            "UPDATE trial SET state = ?, value = ?, also = ?, reason = ?, ended_at = ?, late = ? WHERE study = ? AND "
            "id = ?",
            state_after(answer), answer.value, answer.also, answer.reason, answer.now, answered_late(*trial, answer),
            study, answer.trial);
        append_event(study, told(answer));
    } else if (verdict == Verdict::kept_as_late) {
        database_->run("INSERT INTO late_answer (study, trial, worker, at, value, also, reason) VALUES (?,?,?,?,?,?,?)",
                       study, answer.trial, answer.worker, answer.now, answer.value, answer.also, answer.reason);
    }
    if (answer.log && verdict != Verdict::repeated) insert_attempt(study, *answer.log);
    transaction.commit();
    return verdict;
}

Verdict SqlStorage::correct(std::int64_t study, const Answer& answer) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    if (find_request(study, answer.request)) {
        transaction.commit();  // nothing; but the answer that is there is on disk when this returns
        return Verdict::repeated;
    }
    const std::optional<TrialRecord> trial = find_trial(study, answer.trial);
    if (!trial) throw NotFound(no_such_trial(answer.trial));
    if (trial->state != TrialState::completed && trial->state != TrialState::failed)
        throw Conflict(cannot_correct(*trial));
    insert_request(study, answer.request, {answer.trial});
    const bool same = same_answer(*trial, answer);
    if (!same) {
        append_event(study, {.kind = EventKind::reopened, .trial = answer.trial, .at = answer.now});
        database_->run("UPDATE trial SET state = ?, value = ?, also = ?, reason = ? WHERE study = ? AND id = ?",
                       state_after(answer), answer.value, answer.also, answer.reason, study, answer.trial);
        append_event(study, told(answer));
    }
    transaction.commit();
    return same ? Verdict::repeated : Verdict::accepted;
}

void SqlStorage::rerun(std::int64_t study, std::int64_t id, double now) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    const std::optional<TrialRecord> trial = find_trial(study, id);
    if (!trial) throw NotFound(no_such_trial(id));
    if (trial->state == TrialState::running) throw Conflict(cannot_rerun(*trial));
    if (trial->state == TrialState::abandoned && !trial->added) check_budget(study, 1);
    append_event(study, {.kind = EventKind::reopened, .trial = id, .at = now});
    database_->run(
        "UPDATE trial SET state = 'running', attempt = attempt + 1, worker = '', lease_ends = 0, late = 0, "
        "ended_at = NULL, value = NULL, also = '', reason = '' WHERE study = ? AND id = ?",
        study, id);
    transaction.commit();
}

void SqlStorage::retry(std::int64_t study, const AttemptRecord& failed, double lease_ends) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    const std::optional<TrialRecord> trial = find_trial(study, failed.trial);
    if (!trial) throw NotFound(no_such_trial(failed.trial));
    insert_attempt(study, failed);
    const bool held = runs_it(*trial, failed.worker);
    if (held)
        database_->run(
            "UPDATE trial SET attempt = attempt + 1, started_at = ?, lease_ends = ? WHERE study = ? AND id = ?",
            failed.ended_at, lease_ends, study, failed.trial);
    transaction.commit();
    if (!held) throw Conflict(cannot_retry(*trial, failed.worker));
}

void SqlStorage::keep_logs(std::int64_t study, const std::vector<AttemptRecord>& running) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    for (const AttemptRecord& log : running) {
        const std::optional<TrialRecord> trial = find_trial(study, log.trial);
        if (trial && runs_it(*trial, log.worker)) insert_attempt(study, log);
    }
    transaction.commit();
}

void SqlStorage::abandon(std::int64_t study, std::int64_t id, double now) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    const std::optional<TrialRecord> trial = find_trial(study, id);
    if (!trial) throw NotFound(no_such_trial(id));
    if (trial->state == TrialState::abandoned) return;
    if (trial->state != TrialState::running) throw Conflict(cannot_abandon(*trial));
    database_->run("UPDATE trial SET state = 'abandoned', ended_at = ? WHERE study = ? AND id = ?", now, study, id);
    append_event(study, {.kind = EventKind::abandoned, .trial = id, .at = now});
    transaction.commit();
}

void SqlStorage::renew(std::int64_t study, const std::string& worker, double lease_ends) {
    set_leases(study, worker, lease_ends);
}

void SqlStorage::release(std::int64_t study, const std::string& worker, double now) {
    set_leases(study, worker, now);
}

void SqlStorage::store_snapshot(std::int64_t study, const Snapshot& snapshot) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    database_->run(
        "INSERT INTO snapshot (study, sequence, data) VALUES (?,?,?) "
        "ON CONFLICT (study) DO UPDATE SET sequence = excluded.sequence, data = excluded.data",
        study, snapshot.sequence, Blob{snapshot.data});
    transaction.commit();
}

std::int64_t SqlStorage::take_sequence(std::int64_t study, int count) {
    Query row = database_->query(
        "UPDATE study SET next_sequence = next_sequence + ? WHERE id = ? RETURNING next_sequence", count, study);
    if (!row.next()) throw NotFound(no_such_study());
    return row.integer() - count;
}

// What a trial was asked with stays in its own row; an answer may change, so each is kept in the history too.

void SqlStorage::insert_event(std::int64_t study, const EventRecord& event) {
    database_->run("INSERT INTO event (study, sequence, kind, trial, at, value, also, reason) VALUES (?,?,?,?,?,?,?,?)",
                   study, event.sequence, to_string(event.kind), event.trial, event.at, event.value, event.also,
                   event.reason);
}

/// With the next sequence number, which nobody has to know.
void SqlStorage::append_event(std::int64_t study, const EventRecord& event) {
    database_->run("UPDATE study SET next_sequence = next_sequence + 1 WHERE id = ?", study);
    database_->run(
        "INSERT INTO event (study, sequence, kind, trial, at, value, also, reason) "
        "VALUES (?,(SELECT next_sequence - 1 FROM study WHERE id = ?),?,?,?,?,?,?)",
        study, study, to_string(event.kind), event.trial, event.at, event.value, event.also, event.reason);
}

void SqlStorage::refuse_known_id(std::int64_t study, std::int64_t id) {
    if (find_trial(study, id)) throw InvalidArgument(id_in_use(id));
}

void SqlStorage::check_budget(std::int64_t study, std::int64_t more) {
    Query row = database_->query(
        "SELECT budget, (SELECT count(*) FROM trial WHERE study = s.id AND state <> 'abandoned' "
        "AND added = 0) FROM study s WHERE id = ?",
        study);
    row.next();
    const std::optional<std::int64_t> budget = row.optional_integer();
    const std::int64_t issued = row.integer();
    // A budget that was lowered later stops what is new, not what is issued again.
    if (budget && more > 0 && issued + more > *budget) throw Conflict(budget_exceeded(*budget, issued, more));
}

bool SqlStorage::reissue(std::int64_t study, std::int64_t id, const Reservation& reservation) {
    Query changed = database_->query(
        "UPDATE trial SET attempt = attempt + CASE WHEN lease_ends = 0 THEN 0 ELSE 1 END, worker = ?, started_at = ?, "
        "lease_ends = ? WHERE study = ? AND id = ? AND state = 'running' AND lease_ends <= ? RETURNING id",
        reservation.worker, reservation.now, reservation.lease_ends, study, id, reservation.now);
    const bool found = changed.next();
    changed.run();
    return found;
}

void SqlStorage::insert_asked(std::int64_t study, const NewTrial& trial, const Reservation& reservation) {
    refuse_known_id(study, trial.id);
    database_->run(
        "INSERT INTO trial (study, id, state, parameters, ask, worker, asked_at, started_at, lease_ends) "
        "VALUES (?,?,'running',?,?,?,?,?,?)",
        study, trial.id, trial.parameters, reservation.ask, reservation.worker, reservation.now, reservation.now,
        reservation.lease_ends);
}

void SqlStorage::insert_ask(std::int64_t study, const Reservation& reservation) {
    database_->run("INSERT INTO ask (study, ask, first_sequence, at, seconds, count) VALUES (?,?,?,?,?,?)", study,
                   reservation.ask, reservation.first_sequence, reservation.now, reservation.seconds,
                   static_cast<std::int64_t>(reservation.trials.size()));
}

void SqlStorage::insert_attempt(std::int64_t study, const AttemptRecord& attempt) {
    // What was kept while it ran; of a worker that was never heard of again, it is all there is.
    database_->run("DELETE FROM attempt WHERE study = ? AND trial = ? AND outcome = 'running' AND worker = ?", study,
                   attempt.trial, attempt.worker);
    database_->run("UPDATE attempt SET outcome = 'lost' WHERE study = ? AND trial = ? AND outcome = 'running'", study,
                   attempt.trial);
    database_->run(
        "INSERT INTO attempt (study, trial, attempt, worker, started_at, ended_at, outcome, output, error) "
        "VALUES (?,?,?,?,?,?,?,?,?)",
        study, attempt.trial, attempt.attempt, attempt.worker, attempt.started_at, attempt.ended_at, attempt.outcome,
        Blob{attempt.output}, Blob{attempt.error});
}

void SqlStorage::insert_request(std::int64_t study, const Request& request, const std::vector<std::int64_t>& ids) {
    if (request.key.empty()) return;
    std::ostringstream list;
    for (const std::int64_t id : ids) list << id << ' ';
    database_->run("INSERT INTO request (study, key, content, trials) VALUES (?,?,?,?)", study, request.key,
                   request.content, list.str());
}

void SqlStorage::set_leases(std::int64_t study, const std::string& worker, double lease_ends) {
    const std::lock_guard guard(mutex_);
    Transaction transaction(*database_, study);
    database_->run(
        "UPDATE trial SET lease_ends = ? WHERE study = ? AND state = 'running' AND lease_ends <> 0 AND worker = ?",
        lease_ends, study, worker);
    transaction.commit();
}

}  // namespace summand::storage
