// SPDX-License-Identifier: Apache-2.0
#include "summand/study/study.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/memory.hpp"
#include "summand/storage/sqlite.hpp"
#include "summand/study/history.hpp"
#include "summand/study/json.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>

namespace summand {

using storage::Storage;
using storage::StudyRecord;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

constexpr double snapshot_interval_seconds = 20.0;

std::string names_of(const std::vector<StudyRecord>& studies) {
    std::string list;
    for (const StudyRecord& study : studies) list += (list.empty() ? "\"" : ", \"") + study.name + "\"";
    return list;
}

StudyRecord record_of(const StudyDefinition& definition) {
    StudyRecord record;
    record.name = definition.name;
    record.maximize = definition.options.goal == Goal::maximize;
    record.space = study::space_to_json(definition.space);
    record.options = options_to_json(definition.options);
    record.settings = study::settings_to_json(definition.settings);
    record.budget = definition.settings.budget_trials;
    record.created_at = now();
    return record;
}

/// The space and the options determine every suggestion, so they may not change; the number of threads and the size of
/// the budget may (the budget the optimiser planned with stays as it was).
void refuse_changes(const StudyRecord& stored, const StudyDefinition& definition) {
    const std::string where = "study \"" + stored.name + "\" in " + definition.database.string();
    const std::string advice = "; to try something else, change the name or the database in the study file";
    if (study::space_from_json(stored.space) != definition.space)
        throw InvalidArgument(where + " was created with other parameters" + advice);
    Options before = options_from_json(stored.options);
    Options after = resolved(definition.options);
    if (before.goal != after.goal)
        throw InvalidArgument(where + " was created with the goal " + to_string(before.goal) + advice);
    before.threads = after.threads = {};
    before.budget = after.budget = {};
    if (before == after) return;
    throw InvalidArgument(where + " was created with other optimiser options (then " + options_to_json(before) +
                          ", now " + options_to_json(after) + ")" + advice);
}

}  // namespace

class Study::Impl {
  public:
    Impl(std::unique_ptr<Storage> opened, StudyRecord stored, std::filesystem::path path)
        : storage(std::move(opened)),
          record(std::move(stored)),
          database(std::move(path)),
          space(study::space_from_json(record.space)),
          options(options_from_json(record.options)),
          settings(study::settings_from_json(record.settings)) {}

    ~Impl() {
        try {
            if (optimizer) keep_snapshot();
        } catch (const Error&) {
            // Only a cache: whoever opens the study next computes it again.
        }
    }

    StudyTrial view(const storage::TrialRecord& trial) const {
        const char* state = trial.lost(now()) ? "lost" : storage::to_string(trial.state);
        return {trial.id,       state,          study::point_from_json(space, trial.parameters),
                trial.added,    trial.ask,      trial.attempt,
                trial.worker,   trial.asked_at, trial.started_at,
                trial.ended_at, trial.value,    trial.reason,
                trial.late};
    }

    std::vector<StudyTrial> views(const std::vector<storage::TrialRecord>& trials) const {
        std::vector<StudyTrial> found;
        for (const auto& trial : trials) found.push_back(view(trial));
        return found;
    }

    /// Ids of trials that may be issued again, at most `count`. Workers of this machine that have died lose theirs at once.
    std::vector<std::int64_t> lost_trials(int count) {
        std::set<std::string> judged;
        for (const auto& trial : storage->open_trials(record.id))
            if (!trial.lost(now()) && judged.insert(trial.worker).second && worker_is_dead(trial.worker))
                storage->release(record.id, trial.worker, now());
        std::vector<std::int64_t> lost;
        for (const auto& trial : storage->open_trials(record.id))
            if (trial.lost(now()) && static_cast<int>(lost.size()) < count) lost.push_back(trial.id);
        return lost;
    }

    /// How many new trials may still be issued, at most `count`.
    int within_budget(int count) {
        for (const StudyRecord& fresh : storage->studies())
            if (fresh.id == record.id) record.budget = fresh.budget;  // another process may have raised it
        if (!record.budget) return count;
        const std::int64_t left = *record.budget - storage->counts(record.id, now()).issued();
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, count));
    }

    /// Brings the optimiser to the state after all events before `sequence`: the next ask must follow at once.
    void synchronize(std::int64_t sequence) {
        std::vector<storage::EventRecord> fresh = storage->events(record.id, optimizer ? last_seen : 0);
        std::erase_if(fresh, [&](const auto& event) { return event.sequence >= sequence; });
        const bool foreign = std::any_of(fresh.begin(), fresh.end(), [](const auto& event) {
            return event.kind == storage::EventKind::asked || event.kind == storage::EventKind::added;
        });
        if (optimizer && foreign) {  // another process has asked or added: start from the whole history
            optimizer.reset();
            synchronize(sequence);
            return;
        }
        const std::vector<Event> events = study::history_from(space, fresh);
        if (!optimizer) {
            const auto snapshot = storage->snapshot(record.id);
            optimizer.emplace(space, options, events, snapshot ? snapshot->data : "");
            snapshot_at = 0.0;
        } else {
            for (const Event& event : events) {
                if (const auto* told = std::get_if<Told>(&event)) optimizer->tell(told->id, told->outcome);
                if (const auto* dropped = std::get_if<Dropped>(&event)) optimizer->drop(dropped->id);
            }
        }
        if (!fresh.empty()) last_seen = std::max(last_seen, fresh.back().sequence);
    }

    /// New trials for a reservation. If this throws, the optimiser has seen what a replay would not: it is forgotten.
    void suggest(int count, storage::Reservation& reservation, const std::stop_token& stop) {
        reservation.first_sequence = storage->begin_ask(record.id, count);
        synchronize(reservation.first_sequence);
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

    void keep_snapshot() {
        if (snapshot_sequence == last_seen) return;
        storage->store_snapshot(record.id, {last_seen, optimizer->snapshot()});
        snapshot_sequence = last_seen;
        snapshot_at = now();
    }

    std::unique_ptr<Storage> storage;
    StudyRecord record;
    std::filesystem::path database;
    SearchSpace space;
    Options options;
    StudySettings settings;

    std::mutex asking;                   ///< guards what follows
    std::optional<Optimizer> optimizer;  ///< made when first needed
    std::int64_t last_seen = 0;          ///< sequence number of the last event it knows
    std::int64_t snapshot_sequence = -1;
    double snapshot_at = 0.0;
};

Study::Study(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

Study Study::open(const std::filesystem::path& database, const std::string& name) {
    auto storage = storage::open_sqlite(database, storage::OpenMode::existing);
    const std::vector<StudyRecord> studies = storage->studies();
    if (studies.empty())
        throw InvalidArgument(database.string() + " holds no study yet; `summand run` with a study file makes one");
    if (name.empty() && studies.size() > 1)
        throw InvalidArgument(database.string() + " holds " + std::to_string(studies.size()) +
                              " studies; choose one with --study: " + names_of(studies));
    for (const StudyRecord& study : studies)
        if (name.empty() || study.name == name)
            return Study(std::make_unique<Impl>(std::move(storage), study, database));
    throw InvalidArgument(database.string() + " holds no study \"" + name + "\"; there is " + names_of(studies));
}

Study Study::open_or_create(const StudyDefinition& definition) {
    auto storage = storage::open_sqlite(definition.database, storage::OpenMode::create_if_missing);
    std::optional<StudyRecord> stored = storage->find_study(definition.name);
    if (!stored) {
        Optimizer(definition.space, definition.options);  // every mistake shows before anything is stored
        try {
            stored = storage->create_study(record_of(definition));
        } catch (const InvalidArgument&) {
            stored = storage->find_study(definition.name);  // another process was faster
            if (!stored) throw;
        }
    }
    refuse_changes(*stored, definition);
    const std::string settings = study::settings_to_json(definition.settings);
    if (stored->settings != settings || stored->budget != definition.settings.budget_trials) {
        storage->update_settings(stored->id, settings, definition.settings.budget_trials);
        stored->settings = settings;
        stored->budget = definition.settings.budget_trials;
    }
    auto impl = std::make_unique<Impl>(std::move(storage), *stored, definition.database);
    impl->options.threads = definition.options.threads;
    return Study(std::move(impl));
}

Study Study::in_memory(const StudyDefinition& definition) {
    auto storage = storage::open_memory();
    const StudyRecord stored = storage->create_study(record_of(definition));
    return Study(std::make_unique<Impl>(std::move(storage), stored, std::filesystem::path()));
}

Study Study::open_path(const std::filesystem::path& path, const std::string& name) {
    if (storage::looks_like_sqlite(path) || path.extension() == ".db") return open(path, name);
    return open_or_create(read_study_file(path));
}

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
const std::filesystem::path& Study::database() const {
    return impl_->database;
}
double Study::created_at() const {
    return impl_->record.created_at;
}

std::vector<StudyTrial> Study::ask(const AskRequest& request) {
    Impl& impl = *impl_;
    if (request.count < 0)
        throw InvalidArgument("ask: count is " + std::to_string(request.count) + "; at least 1 is needed");
    const std::lock_guard guard(impl.asking);
    const auto turn = impl.storage->take_turn(impl.record.id, request.stop);
    if (!request.key.empty())
        if (const auto ids = impl.storage->reply_to(impl.record.id, request.key)) {
            std::vector<StudyTrial> same;
            for (const std::int64_t id : *ids) same.push_back(*trial(id));
            return same;
        }
    const int count = request.count == 0 ? impl.options.batch_size : request.count;
    storage::Reservation reservation;
    reservation.reissued = impl.lost_trials(count);
    const int fresh = impl.within_budget(count - static_cast<int>(reservation.reissued.size()));
    try {
        if (fresh > 0) impl.suggest(fresh, reservation, request.stop);
        reservation.worker = request.worker;
        reservation.now = now();
        reservation.lease_ends = reservation.now + request.lease_seconds.value_or(impl.settings.lease_seconds);
        reservation.request_key = request.key;
        std::vector<storage::TrialRecord> issued;
        if (!reservation.trials.empty() || !reservation.reissued.empty())
            issued = impl.storage->reserve(impl.record.id, reservation);
        if (impl.optimizer && now() - impl.snapshot_at > snapshot_interval_seconds) impl.keep_snapshot();
        return impl.views(issued);
    } catch (...) {
        impl.optimizer.reset();
        throw;
    }
}

TellResult Study::tell(std::int64_t id, const Outcome& outcome, const TellRequest& request) {
    storage::Answer answer;
    answer.trial = id;
    if (const auto* value = std::get_if<double>(&outcome)) {
        if (!std::isfinite(*value))
            throw InvalidArgument("tell: the value of trial " + std::to_string(id) +
                                  " is not a finite number; tell it as failed instead");
        answer.value = *value;
    } else {
        answer.reason = std::get<Failed>(outcome).reason;
    }
    answer.worker = request.worker;
    answer.attempt = request.attempt;
    answer.request_key = request.key;
    answer.log = request.log;
    answer.now = now();
    switch (impl_->storage->tell(impl_->record.id, answer)) {
        case storage::Verdict::accepted:
            return TellResult::accepted;
        case storage::Verdict::repeated:
            return TellResult::repeated;
        case storage::Verdict::kept_as_late:
            return TellResult::kept_as_late;
    }
    return TellResult::accepted;
}

std::vector<std::int64_t> Study::add(const std::vector<std::pair<Point, Outcome>>& data, const std::string& key) {
    Impl& impl = *impl_;
    const auto turn = impl.storage->take_turn(impl.record.id);
    if (!key.empty())
        if (const auto ids = impl.storage->reply_to(impl.record.id, key)) return *ids;
    std::int64_t next = 1;
    for (const auto& trial : impl.storage->trials(impl.record.id)) next = std::max(next, trial.id + 1);
    std::vector<storage::NewTrial> trials;
    std::vector<std::int64_t> ids;
    for (const auto& [point, outcome] : data) {
        storage::NewTrial trial{next++, study::point_to_json(impl.space, impl.space.checked(point)), {}, {}};
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
    impl.storage->add(impl.record.id, trials, now(), key);
    return ids;
}

void Study::abandon(std::int64_t id) {
    impl_->storage->abandon(impl_->record.id, id, now());
}

void Study::retry(const storage::AttemptRecord& failed, double lease_seconds) {
    impl_->storage->retry(impl_->record.id, failed, now() + lease_seconds);
}

void Study::renew(const std::string& worker, double lease_seconds) {
    impl_->storage->renew(impl_->record.id, worker, now() + lease_seconds);
}

void Study::release(const std::string& worker) {
    impl_->storage->release(impl_->record.id, worker, now());
}

std::vector<StudyTrial> Study::trials() const {
    return impl_->views(impl_->storage->trials(impl_->record.id));
}

std::optional<StudyTrial> Study::trial(std::int64_t id) const {
    const auto found = impl_->storage->trial(impl_->record.id, id);
    return found ? std::optional(impl_->view(*found)) : std::nullopt;
}

std::optional<StudyTrial> Study::best() const {
    const auto found = impl_->storage->best(impl_->record.id);
    return found ? std::optional(impl_->view(*found)) : std::nullopt;
}

storage::Counts Study::counts() const {
    return impl_->storage->counts(impl_->record.id, now());
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

std::vector<Event> Study::history() const {
    return study::history_from(impl_->space, impl_->storage->events(impl_->record.id, 0));
}

Optimizer Study::optimizer() const {
    const auto snapshot = impl_->storage->snapshot(impl_->record.id);
    return Optimizer(impl_->space, impl_->options, history(), snapshot ? snapshot->data : "");
}

StructureView Study::structure() const {
    const std::lock_guard guard(impl_->asking);
    return impl_->optimizer ? impl_->optimizer->structure() : optimizer().structure();
}

}  // namespace summand
