// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/storage/rules.hpp"
#include "summand/storage/sql_storage.hpp"

#include <sstream>

namespace summand::storage {

namespace {

const std::string trial_columns =
    "id, state, parameters, added, ask, attempt, worker, asked_at, started_at, lease_ends, ended_at, value, also, "
    "reason, late";

TrialState state_from(const std::string& word) {
    for (const TrialState state : trial_states())
        if (word == to_string(state)) return state;
    throw StorageError("a trial has the unknown state \"" + word + "\"; the file was changed by another program");
}

EventKind kind_from(const std::string& word) {
    for (const EventKind kind :
         {EventKind::asked, EventKind::told, EventKind::added, EventKind::abandoned, EventKind::reopened})
        if (word == to_string(kind)) return kind;
    throw StorageError("the history holds the unknown event \"" + word + "\"; the file was changed by another program");
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
    trial.also_json = row.text();
    trial.reason = row.text();
    trial.late = row.integer() != 0;
    return trial;
}

}  // namespace

std::vector<StudyRecord> SqlStorage::studies() {
    const std::lock_guard guard(mutex_);
    std::vector<StudyRecord> found;
    Query row =
        database_->query("SELECT id, name, goal, space, options, settings, budget, created_at FROM study ORDER BY id");
    while (row.next()) {
        StudyRecord& study = found.emplace_back();
        study.id = row.integer();
        study.name = row.text();
        study.goal = row.text() == "maximize" ? Goal::maximize : Goal::minimize;
        study.space = row.text();
        study.options = row.text();
        study.settings = row.text();
        study.budget = row.optional_integer();
        study.created_at = row.real();
    }
    return found;
}

std::optional<std::vector<std::int64_t>> SqlStorage::reply_to(std::int64_t study, const Request& request) {
    const std::lock_guard guard(mutex_);
    return find_request(study, request);
}

std::vector<TrialRecord> SqlStorage::trials(std::int64_t study) {
    return trials_where(study, "SELECT " + trial_columns + " FROM trial WHERE study = ? ORDER BY id");
}

std::vector<TrialRecord> SqlStorage::open_trials(std::int64_t study) {
    return trials_where(study,
                        "SELECT " + trial_columns + " FROM trial WHERE study = ? AND state = 'running' ORDER BY id");
}

std::optional<TrialRecord> SqlStorage::trial(std::int64_t study, std::int64_t id) {
    const std::lock_guard guard(mutex_);
    return find_trial(study, id);
}

std::optional<TrialRecord> SqlStorage::best(std::int64_t study) {
    const std::lock_guard guard(mutex_);
    Query goal = database_->query("SELECT goal FROM study WHERE id = ?", study);
    const std::string order = goal.next() && goal.text() == "maximize" ? "DESC" : "ASC";
    Query row = database_->query("SELECT " + trial_columns +
                                     " FROM trial WHERE study = ? AND state = 'completed' ORDER BY value " + order +
                                     ", id LIMIT 1",
                                 study);
    return row.next() ? std::optional(read_trial(row)) : std::nullopt;
}

Counts SqlStorage::counts(std::int64_t study, double now) {
    const std::lock_guard guard(mutex_);
    Query row = database_->query(
        "SELECT state, count(*), CAST(sum(added) AS BIGINT), sum(CASE WHEN lease_ends = 0 THEN 1 ELSE 0 END), "
        "sum(CASE WHEN lease_ends <> 0 AND lease_ends <= ? THEN 1 ELSE 0 END) FROM trial WHERE study = ? GROUP BY "
        "state",
        now, study);
    Counts counts;
    while (row.next()) {
        const TrialState state = state_from(row.text());
        const std::int64_t count = row.integer();
        counts.added += row.integer();
        const std::int64_t waiting = row.integer(), lost = row.integer();
        counts.of(state) = count;
        if (state == TrialState::running)
            counts.running -= waiting + lost, counts.waiting = waiting, counts.lost = lost;
    }
    return counts;
}

std::vector<EventRecord> SqlStorage::events(std::int64_t study, std::int64_t after_sequence) {
    const std::lock_guard guard(mutex_);
    Query row = database_->query(
        "SELECT e.sequence, e.kind, e.trial, e.at, t.ask, t.parameters, e.value, e.also, e.reason FROM event e "
        "JOIN trial t ON t.study = e.study AND t.id = e.trial WHERE e.study = ? AND e.sequence > ? ORDER BY "
        "e.sequence",
        study, after_sequence);
    std::vector<EventRecord> found;
    while (row.next()) {
        const std::int64_t sequence = row.integer();
        const EventKind kind = kind_from(row.text());
        TrialRecord then;  // what of it the event tells
        then.id = row.integer();
        const double at = row.real();
        then.ask = row.integer();
        then.parameters = row.text();
        then.value = row.optional_real();
        then.also_json = row.text();
        then.reason = row.text();
        found.push_back(event_of(kind, then, sequence, at));
    }
    return found;
}

std::vector<AskRecord> SqlStorage::asks(std::int64_t study) {
    const std::lock_guard guard(mutex_);
    Query row =
        database_->query("SELECT ask, first_sequence, at, seconds, count FROM ask WHERE study = ? ORDER BY ask", study);
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

std::vector<AttemptRecord> SqlStorage::attempts(std::int64_t study, std::int64_t trial) {
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

std::vector<LateAnswer> SqlStorage::late_answers(std::int64_t study) {
    const std::lock_guard guard(mutex_);
    Query row = database_->query(
        "SELECT trial, worker, at, value, also, reason FROM late_answer WHERE study = ? ORDER BY rowid", study);
    std::vector<LateAnswer> found;
    while (row.next()) {
        LateAnswer& answer = found.emplace_back();
        answer.trial = row.integer();
        answer.worker = row.text();
        answer.at = row.real();
        answer.value = row.optional_real();
        answer.also = row.text();
        answer.reason = row.text();
    }
    return found;
}

std::optional<Snapshot> SqlStorage::snapshot(std::int64_t study) {
    const std::lock_guard guard(mutex_);
    Query row = database_->query("SELECT sequence, data FROM snapshot WHERE study = ?", study);
    if (!row.next()) return {};
    Snapshot found;
    found.sequence = row.integer();
    found.data = row.text();
    return found;
}

std::optional<std::vector<std::int64_t>> SqlStorage::find_request(std::int64_t study, const Request& request) {
    if (request.key.empty()) return {};
    Query row = database_->query("SELECT content, trials FROM request WHERE study = ? AND key = ?", study, request.key);
    if (!row.next()) return {};
    if (const std::string before = row.text(); before != request.content) throw Conflict(key_in_use(request, before));
    std::istringstream list(row.text());
    std::vector<std::int64_t> ids;
    for (std::int64_t id = 0; list >> id;) ids.push_back(id);
    return ids;
}

std::optional<TrialRecord> SqlStorage::find_trial(std::int64_t study, std::int64_t id) {
    Query row = database_->query("SELECT " + trial_columns + " FROM trial WHERE study = ? AND id = ?", study, id);
    return row.next() ? std::optional(read_trial(row)) : std::nullopt;
}

std::vector<TrialRecord> SqlStorage::trials_where(std::int64_t study, const std::string& sql) {
    const std::lock_guard guard(mutex_);
    Query row = database_->query(sql, study);
    std::vector<TrialRecord> found;
    while (row.next()) found.push_back(read_trial(row));
    return found;
}

}  // namespace summand::storage
