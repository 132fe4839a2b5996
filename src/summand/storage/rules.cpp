// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/rules.hpp"

namespace summand::storage {

Verdict judge(const TrialRecord& trial, const Answer& answer) {
    const bool superseded = answer.attempt && *answer.attempt < trial.attempt;
    if (trial.state == TrialState::running)
        return superseded && !answer.value ? Verdict::kept_as_late : Verdict::accepted;
    const bool same = trial.value == answer.value && trial.reason == answer.reason;
    return same && trial.state != TrialState::abandoned && trial.attempt == 1 ? Verdict::repeated
                                                                              : Verdict::kept_as_late;
}

bool answered_late(const TrialRecord& trial, const Answer& answer) {
    return trial.lease_ends <= answer.now || (answer.attempt && *answer.attempt < trial.attempt);
}

EventRecord only_what_happened(EventRecord event) {
    if (event.kind == EventKind::asked || event.kind == EventKind::dropped) {
        event.value = {};
        event.reason.clear();
    }
    if (event.kind != EventKind::asked) event.ask = 0;
    if (event.kind == EventKind::told || event.kind == EventKind::dropped) event.parameters.clear();
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

std::string no_such_trial(std::int64_t id) {
    return "there is no trial " + std::to_string(id) + " in this study; `summand trials` lists them";
}

std::string id_in_use(std::int64_t id) {
    return "trial " + std::to_string(id) + " exists already; trials must be added within a turn, with new ids";
}

std::string cannot_abandon(const TrialRecord& trial) {
    return "trial " + std::to_string(trial.id) + " is " + to_string(trial.state) +
           "; only a running trial can be abandoned";
}

std::string budget_exceeded(std::int64_t budget, std::int64_t issued, std::int64_t more) {
    return "the budget is " + std::to_string(budget) + " trials and " + std::to_string(issued) + " have been issued; " +
           std::to_string(more) + " more would exceed it";
}

}  // namespace summand::storage
