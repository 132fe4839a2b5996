// SPDX-License-Identifier: Apache-2.0
#include "summand/study/study.hpp"

#include "summand/base/error.hpp"
#include "summand/study/history.hpp"
#include "summand/study/json.hpp"
#include "summand/study/request.hpp"
#include "summand/study/study_impl.hpp"

#include <algorithm>
#include <cmath>

namespace summand {

namespace {
constexpr double snapshot_interval_seconds = 20.0;

/// `verb`: what the caller does with it, "tell" or "correct".
storage::Answer answer_of(const std::string& verb, std::int64_t id, const Outcome& outcome, const TellRequest& request,
                          double now) {
    storage::Answer answer;
    answer.trial = id;
    if (const auto* value = std::get_if<double>(&outcome)) {
        if (!std::isfinite(*value))
            throw InvalidArgument(verb + ": the value of trial " + std::to_string(id) +
                                  " is not a finite number; tell it as failed instead");
        answer.value = *value;
    } else {
        answer.reason = std::get<Failed>(outcome).reason;
    }
    for (const auto& [name, value] : request.also)
        if (!std::isfinite(value))
            throw InvalidArgument(verb + ": \"" + name + "\" of trial " + std::to_string(id) +
                                  " is not a finite number; leave it out");
    answer.also = study::also_to_json(request.also);
    answer.worker = request.worker;
    answer.attempt = request.attempt;
    answer.request = study::request_of(verb, request.key, answer);
    answer.log = request.log;
    answer.now = now;
    return answer;
}
}  // namespace

Study::Study(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

const std::string& Study::name() const {
    return impl_->record.name;
}
const SearchSpace& Study::space() const {
    return impl_->space;
}
const Options& Study::options() const {
    return impl_->options;
}
const StudySettings& Study::settings() const {
    return impl_->settings;
}
int Study::batch_size() const {
    return impl_->settings.batch_size.value_or(impl_->options.batch_size);
}
const std::string& Study::database() const {
    return impl_->database;
}
double Study::created_at() const {
    return impl_->record.created_at;
}
double Study::now() const {
    return impl_->now();
}

namespace {

/// Until a turn lasts: one that is lost with its connection has changed nothing, but somebody else may have asked since.
template <class Body>
auto until_a_turn_lasts(Body body) {
    for (;;) {
        try {
            return body();
        } catch (const storage::TurnLost&) {
        }
    }
}

}  // namespace

std::vector<Trial> Study::ask(const AskRequest& request) {
    return until_a_turn_lasts([&] { return ask_once(request); });
}

AddResult Study::add(const std::vector<Evaluation>& data, const std::string& key) {
    return until_a_turn_lasts([&] { return add_once(data, key); });
}

std::vector<std::int64_t> Study::enqueue(const std::vector<Point>& points, const std::string& key) {
    return until_a_turn_lasts([&] { return enqueue_once(points, key); });
}

std::vector<Trial> Study::ask_once(const AskRequest& request) {
    Impl& impl = *impl_;
    if (request.count < 0)
        throw InvalidArgument("ask: count is " + std::to_string(request.count) + "; at least 1 is needed");
    const std::lock_guard guard(impl.asking);
    const auto turn = impl.storage->take_turn(impl.record.id, request.stop);
    if (const auto ids = impl.storage->reply_to(impl.record.id, study::request_of(request))) {
        std::vector<Trial> same;
        for (const std::int64_t id : *ids) same.push_back(*trial(id));
        return same;
    }
    if (paused()) return {};
    const int count = request.count == 0 ? batch_size() : request.count;
    impl.enqueue_start();
    storage::Reservation reservation;
    reservation.reissued = impl.trials_to_issue(count);
    const int fresh = impl.within_budget(count - static_cast<int>(reservation.reissued.size()));
    try {
        if (fresh > 0) impl.suggest(fresh, reservation, request.stop);
        reservation.worker = request.worker;
        reservation.now = impl.now();
        reservation.lease_ends = reservation.now + request.lease_seconds.value_or(impl.settings.lease_seconds);
        reservation.request = study::request_of(request);
        std::vector<storage::TrialRecord> issued;
        if (!reservation.trials.empty() || !reservation.reissued.empty())
            issued = impl.storage->reserve(impl.record.id, reservation);
        if (impl.optimizer && impl.now() - impl.snapshot_at > snapshot_interval_seconds) impl.keep_snapshot();
        return impl.views(issued);
    } catch (...) {
        impl.optimizer.reset();
        throw;
    }
}

TellResult Study::tell(std::int64_t id, const Outcome& outcome, const TellRequest& request) {
    switch (impl_->storage->tell(impl_->record.id, answer_of("tell", id, outcome, request, now()))) {
        case storage::Verdict::accepted:
            return TellResult::accepted;
        case storage::Verdict::repeated:
            return TellResult::repeated;
        case storage::Verdict::kept_as_late:
            return TellResult::kept_as_late;
    }
    return TellResult::accepted;
}

AddResult Study::add_once(const std::vector<Evaluation>& data, const std::string& key) {
    Impl& impl = *impl_;
    const auto turn = impl.storage->take_turn(impl.record.id);
    std::int64_t next = impl.next_id();
    std::vector<storage::NewTrial> trials;
    std::vector<std::int64_t> ids;
    for (const auto& [point, outcome, also] : data) {
        storage::NewTrial trial{
            next++, study::point_to_json(impl.space, impl.space.checked(point)), {}, {}, study::also_to_json(also)};
        if (const auto* value = std::get_if<double>(&outcome)) {
            if (!std::isfinite(*value))
                throw InvalidArgument("add: a value is not a finite number; add it as failed instead");
            trial.value = *value;
        } else {
            trial.reason = std::get<Failed>(outcome).reason;
        }
        ids.push_back(trial.id);
        trials.push_back(std::move(trial));
    }
    const storage::Request request = study::request_of("add", key, trials);
    if (const auto before = impl.storage->reply_to(impl.record.id, request)) return {*before, true};
    impl.storage->add(impl.record.id, trials, impl.now(), request);
    return {ids, false};
}

std::vector<std::int64_t> Study::enqueue_once(const std::vector<Point>& points, const std::string& key) {
    Impl& impl = *impl_;
    const auto turn = impl.storage->take_turn(impl.record.id);
    std::int64_t next = impl.next_id();
    std::vector<storage::NewTrial> trials;
    std::vector<std::int64_t> ids;
    for (const Point& point : points) {
        ids.push_back(next);
        trials.push_back({.id = next++, .parameters = study::point_to_json(impl.space, impl.space.checked(point))});
    }
    const storage::Request request = study::request_of("enqueue", key, trials);
    if (const auto before = impl.storage->reply_to(impl.record.id, request)) return *before;
    impl.storage->enqueue(impl.record.id, trials, now(), request);
    return ids;
}

bool Study::correct(std::int64_t id, const Outcome& outcome, const TellRequest& request) {
    return impl_->storage->correct(impl_->record.id, answer_of("correct", id, outcome, request, now())) ==
           storage::Verdict::accepted;
}

void Study::rerun(std::int64_t id) {
    impl_->storage->rerun(impl_->record.id, id, now());
}

void Study::abandon(std::int64_t id) {
    impl_->storage->abandon(impl_->record.id, id, impl_->now());
}

void Study::retry(const storage::AttemptRecord& failed, double lease_seconds) {
    impl_->storage->retry(impl_->record.id, failed, impl_->now() + lease_seconds);
}

void Study::keep_logs(const std::vector<storage::AttemptRecord>& running) {
    impl_->storage->keep_logs(impl_->record.id, running);
}

void Study::renew(const std::string& worker, double lease_seconds) {
    impl_->storage->renew(impl_->record.id, worker, impl_->now() + lease_seconds);
}

void Study::release(const std::string& worker) {
    impl_->storage->release(impl_->record.id, worker, impl_->now());
}

void Study::set_paused(bool paused) {
    impl_->change_settings([&](StudySettings& settings, std::optional<std::int64_t>&) { settings.paused = paused; });
}

void Study::set_budget(std::optional<std::int64_t> trials) {
    if (trials && *trials < 1)
        throw InvalidArgument("the budget is " + std::to_string(*trials) + " trials; at least 1 is needed");
    impl_->change_settings(
        [&](StudySettings& settings, std::optional<std::int64_t>& budget) { settings.budget = budget = trials; });
}

bool Study::paused() const {
    return study::settings_from_json(impl_->stored().settings).paused;
}

void Study::refuse_changes(const StudyDefinition& definition) const {
    impl_->refuse_changes(definition);
}

std::vector<Trial> Study::trials() const {
    return impl_->views(impl_->storage->trials(impl_->record.id));
}

std::optional<Trial> Study::trial(std::int64_t id) const {
    const auto found = impl_->storage->trial(impl_->record.id, id);
    return found ? std::optional(impl_->view(*found)) : std::nullopt;
}

std::optional<Trial> Study::best() const {
    const auto found = impl_->storage->best(impl_->record.id);
    return found ? std::optional(impl_->view(*found)) : std::nullopt;
}

storage::Counts Study::counts() const {
    return impl_->storage->counts(impl_->record.id, impl_->now());
}

std::vector<storage::AskRecord> Study::asks() const {
    return impl_->storage->asks(impl_->record.id);
}

std::vector<storage::AttemptRecord> Study::attempts(std::int64_t trial) const {
    return impl_->storage->attempts(impl_->record.id, trial);
}

std::vector<storage::LateAnswer> Study::late_answers() const {
    return impl_->storage->late_answers(impl_->record.id);
}

std::vector<storage::LateAnswer> Study::late_answers(std::int64_t trial) const {
    std::vector<storage::LateAnswer> answers = late_answers();
    std::erase_if(answers, [&](const storage::LateAnswer& answer) { return answer.trial != trial; });
    return answers;
}

std::vector<EarlierAnswer> Study::earlier_answers(std::int64_t trial) const {
    std::vector<EarlierAnswer> earlier;
    std::optional<EarlierAnswer> latest;
    for (const auto& event : impl_->storage->events(impl_->record.id, 0)) {
        if (event.trial != trial) continue;
        if (event.kind == storage::EventKind::told || event.kind == storage::EventKind::added)
            latest = EarlierAnswer{event.at, event.value, event.reason};
        if (event.kind == storage::EventKind::reopened && latest) earlier.push_back(*std::exchange(latest, {}));
    }
    return earlier;
}

void Study::accept_new_strategy() {
    impl_->refuse_unknown_options();
    if (impl_->begun_with.strategy_version == default_strategy_version) return;
    const std::lock_guard guard(impl_->asking);
    impl_->record.options = options_to_store(impl_->options);
    impl_->storage->update_options(impl_->record.id, impl_->record.options);
    impl_->begun_with = {.options = impl_->options};
    impl_->optimizer.reset();
}

std::vector<Event> Study::history() const {
    return study::history_from(impl_->space, impl_->storage->events(impl_->record.id, 0));
}

std::vector<storage::EventRecord> Study::events(std::int64_t after_sequence) const {
    return impl_->storage->events(impl_->record.id, after_sequence);
}

Optimizer Study::optimizer(std::stop_token stop) const {
    impl_->refuse_unknown_options();
    const auto snapshot = impl_->storage->snapshot(impl_->record.id);
    return Optimizer(impl_->space, impl_->options, history(), snapshot ? snapshot->data : "", std::move(stop));
}

std::optional<Recommended> Study::recommended() const {
    const std::lock_guard guard(impl_->asking);
    if (const auto now = impl_->with_what_came_since()) return now->recommended();
    return optimizer().recommended();
}

StructureView Study::structure() const {
    const std::lock_guard guard(impl_->asking);
    return impl_->optimizer ? impl_->optimizer->structure() : optimizer().structure();
}

}  // namespace summand
