// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/rules.hpp"

namespace summand::storage {

Verdict judge(const TrialRecord& trial, const Answer& answer) {
    const bool superseded = answer.attempt && *answer.attempt < trial.attempt;
    if (trial.state == TrialState::running)
        return superseded && !answer.value ? Verdict::kept_as_late : Verdict::accepted;
    return same_answer(trial, answer) && trial.state != TrialState::abandoned && trial.attempt == 1
               ? Verdict::repeated
               : Verdict::kept_as_late;
}

bool same_answer(const TrialRecord& trial, const Answer& answer) {
    return trial.value == answer.value && trial.also_json == answer.also && trial.reason == answer.reason;
}

bool answered_late(const TrialRecord& trial, const Answer& answer) {
    return (!trial.waiting() && trial.lease_ends <= answer.now) || (answer.attempt && *answer.attempt < trial.attempt);
}

EventRecord event_of(EventKind kind, const TrialRecord& trial, std::int64_t sequence, double at) {
    EventRecord event{.sequence = sequence, .kind = kind, .trial = trial.id, .at = at};
    if (kind == EventKind::asked) event.ask = trial.ask;
    if (kind == EventKind::asked || kind == EventKind::added) event.parameters = trial.parameters;
    if (kind == EventKind::told || kind == EventKind::added) {
        event.value = trial.value;
        event.also = trial.also_json;
        event.reason = trial.reason;
    }
    return event;
}

std::string study_exists(const std::string& name) {
    return "create study: there is already a study named \"" + name + "\"; open it, or choose another name";
}

std::string key_in_use(const Request& now, const std::string& content_before) {
    return "the key \"" + now.key + "\" was used before for another request (then: " +
           (content_before.empty() ? "one of an older version" : content_before) + "; now: " + now.content +
           "); a key belongs to one request: repeat it as it was, or give this one a key of its own. Nothing was "
           "changed";
}

std::string no_such_study() {
    return "the study has been deleted, or never was in this database; `summand status` names those there are";
}

std::string no_such_trial(std::int64_t id) {
    return "there is no trial " + std::to_string(id) + " in this study; `summand trials` lists them";
}

std::string id_in_use(std::int64_t id) {
    return "trial " + std::to_string(id) + " exists already; trials must be added within a turn, with new ids";
}

bool runs_it(const TrialRecord& trial, const std::string& worker) {
    return trial.state == TrialState::running && trial.worker == worker;
}

std::string cannot_retry(const TrialRecord& trial, const std::string& worker) {
    return "trial " + std::to_string(trial.id) + " is " +
           (trial.state != TrialState::running ? to_string(trial.state)
            : trial.worker.empty()             ? "nobody's"
                                               : "worker \"" + trial.worker + "\"'s") +
           " by now; worker \"" + worker + "\" makes no further attempt at it";
}

std::string cannot_abandon(const TrialRecord& trial) {
    return "trial " + std::to_string(trial.id) + " is " + to_string(trial.state) +
           "; only a running trial can be abandoned";
}

std::string cannot_correct(const TrialRecord& trial) {
    return "trial " + std::to_string(trial.id) + " is " + to_string(trial.state) +
           "; only an answer can be corrected: `summand tell` gives one, `summand rerun` takes up an abandoned trial";
}

std::string cannot_rerun(const TrialRecord& trial) {
    return "trial " + std::to_string(trial.id) +
           " is running or waits to be; only one that was answered or abandoned can be run again";
}

std::string budget_exceeded(std::int64_t budget, std::int64_t issued, std::int64_t more) {
    return "the budget is " + std::to_string(budget) + " trials and " + std::to_string(issued) + " have been issued; " +
           std::to_string(more) + " more would exceed it";
}

}  // namespace summand::storage
