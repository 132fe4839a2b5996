// SPDX-License-Identifier: Apache-2.0
#include "summand/study/study_impl.hpp"

#include "summand/base/error.hpp"
#include "summand/study/history.hpp"
#include "summand/study/json.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace summand {

using storage::StudyRecord;

namespace {

/// The stored options; of those that this program does not know, only the goal, and the problem in words.
StoredOptions options_of(const StudyRecord& record, std::string& problem) {
    try {
        return options_from_store(record.options);
    } catch (const InvalidArgument& error) {
        problem = error.what();
        return {.options = {.goal = record.goal}};
    }
}

}  // namespace

Study::Impl::Impl(std::unique_ptr<storage::Storage> opened, StudyRecord given, std::string where)
    : storage(std::move(opened)),
      record(std::move(given)),
      database(std::move(where)),
      shared_space(std::make_shared<const SearchSpace>(study::space_from_json(record.space))),
      space(*shared_space),
      begun_with(options_of(record, options_problem)),
      options(begun_with.options),
      settings(study::settings_from_json(record.settings)) {}

Study::Impl::~Impl() {
    try {
        if (optimizer) keep_snapshot();
    } catch (const Error&) {
        // Only a cache: whoever opens the study next computes it again.
    }
}

void Study::Impl::refuse_unknown_options() const {
    if (options_problem.empty()) return;
    throw StorageError(
        "study \"" + record.name + "\" in " + database +
        " was made by another version of Summand with options that this one does not know, so it cannot "
        "suggest what that one would (" +
        options_problem +
        "). Go on with that version; or start a new study here and bring in the trials: `summand export " + database +
        " -o trials.csv`, then `summand add NEW.toml trials.csv`");
}

void Study::Impl::refuse_old_strategy() const {
    if (begun_with.strategy_version == default_strategy_version) return;
    std::string gone;
    for (const std::string& option : begun_with.no_longer_known) gone += (gone.empty() ? "" : ", ") + option;
    throw InvalidArgument("study \"" + record.name + "\"" + (database.empty() ? "" : " in " + database) +
                          " was begun with version " + std::to_string(begun_with.strategy_version) +
                          " of the default strategy; this program has version " +
                          std::to_string(default_strategy_version) + ", which would choose other points from now on" +
                          (gone.empty() ? "" : " and has no option for what was set then (" + gone + ")") +
                          ". Nothing that was told is lost. To go on with it, give --accept-new-strategy once; or go "
                          "on with the program that "
                          "began the study");
}

Trial Study::Impl::view(const storage::TrialRecord& row) const {
    Trial trial = row;  // all but its row's own columns
    trial.state = row.state_at(now());
    trial.values = study::point_from_json(space, row.parameters);
    trial.space = shared_space;
    trial.also = study::also_from_json(row.also_json);
    return trial;
}

std::vector<Trial> Study::Impl::views(const std::vector<storage::TrialRecord>& trials) const {
    std::vector<Trial> found;
    for (const auto& trial : trials) found.push_back(view(trial));
    return found;
}

std::vector<std::int64_t> Study::Impl::trials_to_issue(int count) {
    std::set<std::string> judged;
    for (const auto& trial : storage->open_trials(record.id))
        if (!trial.waiting() && !trial.lost(now()) && judged.insert(trial.worker).second &&
            worker_is_dead(trial.worker))
            storage->release(record.id, trial.worker, now());
    std::vector<std::int64_t> found;
    for (const auto& trial : storage->open_trials(record.id))
        if ((trial.waiting() || trial.lost(now())) && static_cast<int>(found.size()) < count) found.push_back(trial.id);
    return found;
}

std::int64_t Study::Impl::next_id() {
    std::int64_t next = 1;
    for (const auto& trial : storage->trials(record.id)) next = std::max(next, trial.id + 1);
    return next;
}

void Study::Impl::enqueue_start() {
    if (start_enqueued) return;
    for (const std::string& point : settings.start) {
        const storage::Request once{"start " + point, "start"};
        if (storage->reply_to(record.id, once)) continue;
        if (within_budget(1) == 0) return;
        storage->enqueue(record.id, {{.id = next_id(), .parameters = point}}, now(), once);
    }
    start_enqueued = true;
}

StudyRecord Study::Impl::stored() const {
    for (const StudyRecord& fresh : storage->studies())
        if (fresh.id == record.id) return fresh;
    throw NotFound("study \"" + record.name + "\"" + (database.empty() ? "" : " in " + database) +
                   " has been deleted; nothing was changed");
}

void Study::Impl::change_settings(const std::function<void(StudySettings&, std::optional<std::int64_t>&)>& change) {
    StudyRecord fresh = stored();
    StudySettings changed = study::settings_from_json(fresh.settings);
    change(changed, fresh.budget);
    storage->update_settings(record.id, study::settings_to_json(changed), fresh.budget);
}

int Study::Impl::within_budget(int count) {
    const std::optional<std::int64_t> budget = stored().budget;  // another process may have changed it
    if (!budget) return count;
    const std::int64_t left = *budget - storage->counts(record.id, now()).issued();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, count));
}

namespace {

/// Somebody else has asked, added or enqueued: only the whole history, in its order, leads to the state that follows.
bool holds_new_trials(const std::vector<storage::EventRecord>& events) {
    return std::any_of(events.begin(), events.end(), [](const auto& event) {
        return event.kind == storage::EventKind::asked || event.kind == storage::EventKind::added;
    });
}

void apply_answers(const std::vector<Event>& events, Optimizer& optimizer) {
    for (const Event& event : events) {
        if (const auto* told = std::get_if<Told>(&event)) optimizer.tell(told->id, told->outcome);
        if (const auto* abandoned = std::get_if<Abandoned>(&event)) optimizer.abandon(abandoned->id);
        if (const auto* reopened = std::get_if<Reopened>(&event)) optimizer.reopen(reopened->id);
    }
}

}  // namespace

std::optional<Optimizer> Study::Impl::with_what_came_since() const {
    if (!optimizer) return {};
    const std::vector<storage::EventRecord> fresh = storage->events(record.id, last_seen);
    if (holds_new_trials(fresh)) return {};
    Optimizer now = *optimizer;
    apply_answers(study::history_from(space, fresh), now);
    return now;
}

void Study::Impl::synchronize(std::int64_t sequence, const std::stop_token& stop) {
    std::vector<storage::EventRecord> fresh = storage->events(record.id, optimizer ? last_seen : 0);
    std::erase_if(fresh, [&](const auto& event) { return event.sequence >= sequence; });
    if (optimizer && holds_new_trials(fresh)) {
        optimizer.reset();
        synchronize(sequence, stop);
        return;
    }
    const std::vector<Event> events = study::history_from(space, fresh);
    if (!optimizer) {
        const auto snapshot = storage->snapshot(record.id);
        optimizer.emplace(space, options, events, snapshot ? snapshot->data : "", stop);
        snapshot_at = 0.0;
    } else {
        apply_answers(events, *optimizer);
    }
    if (!fresh.empty()) last_seen = std::max(last_seen, fresh.back().sequence);
}

void Study::Impl::suggest(int count, storage::Reservation& reservation, const std::stop_token& stop) {
    refuse_unknown_options();
    refuse_old_strategy();
    reservation.first_sequence = storage->begin_ask(record.id, count);
    synchronize(reservation.first_sequence, stop);
    const auto start = std::chrono::steady_clock::now();
    std::vector<Trial> trials;
    try {
        trials = optimizer->ask(count, stop);
    } catch (const SpaceExhausted&) {
        optimizer.reset();
        return;
    }
    reservation.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const Trial& trial : trials)
        reservation.trials.push_back({trial.id, study::point_to_json(space, trial.values), {}, {}});
    reservation.ask = std::get<Asked>(optimizer->history().back()).ask;
    last_seen = reservation.first_sequence + count - 1;
}

void Study::Impl::keep_snapshot() {
    if (snapshot_sequence == last_seen) return;
    storage->store_snapshot(record.id, {last_seen, optimizer->snapshot()});
    snapshot_sequence = last_seen;
    snapshot_at = now();
}

}  // namespace summand
