// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

#include <string>

// Rules and sentences that every storage shares.
namespace summand::storage {

/// What becomes of an answer. The first one counts, whoever gives it: the point has been evaluated. Later ones are kept
/// as late; so is a failure reported by a worker whose trial has been given to another. The same answer once more, to a
/// trial that was issued once, is a repetition.
Verdict judge(const TrialRecord& trial, const Answer& answer);

/// Whether the answer, being accepted, came after the lease of its worker had ended.
bool answered_late(const TrialRecord& trial, const Answer& answer);

bool same_answer(const TrialRecord& trial, const Answer& answer);

/// What asking for, answering, adding, abandoning or reopening the trial, as it is now, leaves in the history.
EventRecord event_of(EventKind kind, const TrialRecord& trial, std::int64_t sequence, double at);

std::string study_exists(const std::string& name);
std::string key_in_use(const Request& now, const std::string& content_before);
std::string no_such_study();
std::string no_such_trial(std::int64_t id);
std::string id_in_use(std::int64_t id);
bool runs_it(const TrialRecord& trial, const std::string& worker);
std::string cannot_retry(const TrialRecord& trial, const std::string& worker);
std::string cannot_abandon(const TrialRecord& trial);
std::string cannot_correct(const TrialRecord& trial);
std::string cannot_rerun(const TrialRecord& trial);
std::string budget_exceeded(std::int64_t budget, std::int64_t issued, std::int64_t more);

}  // namespace summand::storage
