// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/memory.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/rules.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace summand::storage {

namespace {

struct Answered {
    std::string content = {};
    std::vector<std::int64_t> trials = {};
};

struct StudyData {
    StudyRecord study = {};
    bool removed = false;  // it stays in its place, so that its id is not used again
    std::int64_t next_sequence = 1;
    std::map<std::int64_t, TrialRecord> trials = {};
    std::map<std::int64_t, EventRecord> events = {};  // by sequence
    std::vector<AskRecord> asks = {};
    std::vector<AttemptRecord> attempts = {};
    std::vector<LateAnswer> late_answers = {};
    std::map<std::string, Answered> requests = {};  // by key
    std::optional<Snapshot> snapshot = {};
    bool turn_is_taken = false;

    std::int64_t take_sequence(int count) {
        next_sequence += count;
        return next_sequence - count;
    }

    TrialRecord& known(std::int64_t id) {
        const auto found = trials.find(id);
        if (found == trials.end()) throw NotFound(no_such_trial(id));
        return found->second;
    }

    void keep(const AttemptRecord& log) {
        std::erase_if(attempts, [&](const AttemptRecord& before) {
            return before.trial == log.trial && before.outcome == "running" && before.worker == log.worker;
        });
        for (AttemptRecord& before : attempts)
            if (before.trial == log.trial && before.outcome == "running") before.outcome = "lost";
        attempts.push_back(log);
    }

    void refuse_known_ids(const std::vector<NewTrial>& added) const {
        for (const NewTrial& trial : added)
            if (trials.count(trial.id) != 0) throw InvalidArgument(id_in_use(trial.id));
    }

    void append(std::int64_t sequence, EventKind kind, const TrialRecord& trial, double at) {
        events[sequence] = event_of(kind, trial, sequence, at);
    }

    void append(EventKind kind, const TrialRecord& trial, double at) { append(take_sequence(1), kind, trial, at); }

    std::optional<std::vector<std::int64_t>> reply_to(const Request& request) const {
        const auto found = requests.find(request.key);
        if (found == requests.end()) return {};
        if (found->second.content != request.content) throw Conflict(key_in_use(request, found->second.content));
        return found->second.trials;
    }

    void remember(const Request& request, const std::vector<std::int64_t>& ids) {
        if (!request.key.empty()) requests[request.key] = {request.content, ids};
    }
};

class MemoryTurn : public Turn {
  public:
    MemoryTurn(std::mutex& mutex, bool& is_taken, std::condition_variable_any& given_back)
        : mutex_(mutex), is_taken_(is_taken), given_back_(given_back) {}
    ~MemoryTurn() override {
        const std::lock_guard guard(mutex_);
        is_taken_ = false;
        given_back_.notify_all();
    }

  private:
    std::mutex& mutex_;
    bool& is_taken_;
    std::condition_variable_any& given_back_;
};

/// Every function checks before it changes, so that one that throws has changed nothing.
class MemoryStorage final : public Storage {
  public:
    StudyRecord create_study(const StudyRecord& study) override {
        const std::lock_guard guard(mutex_);
        for (const StudyData& data : studies_)
            if (data.study.name == study.name && !data.removed) throw Conflict(study_exists(study.name));
        StudyData& data = studies_.emplace_back();
        data.study = study;
        data.study.id = static_cast<std::int64_t>(studies_.size());
        return data.study;
    }

    std::vector<StudyRecord> studies() override {
        const std::lock_guard guard(mutex_);
        std::vector<StudyRecord> found;
        for (const StudyData& data : studies_)
            if (!data.removed) found.push_back(data.study);
        return found;
    }

    void update_settings(std::int64_t study, const std::string& settings, std::optional<std::int64_t> budget) override {
        const std::lock_guard guard(mutex_);
        of(study).study.settings = settings;
        of(study).study.budget = budget;
    }

    void update_options(std::int64_t study, const std::string& options) override {
        const std::lock_guard guard(mutex_);
        of(study).study.options = options;
    }

    std::unique_ptr<Turn> take_turn(std::int64_t study, std::stop_token stop) override {
        std::unique_lock lock(mutex_);
        bool& is_taken = of(study).turn_is_taken;
        if (!turn_given_back_.wait(lock, stop, [&is_taken] { return !is_taken; })) throw Interrupted();
        is_taken = true;
        return std::make_unique<MemoryTurn>(mutex_, is_taken, turn_given_back_);
    }

    void remove_study(std::int64_t study, double /*now*/) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        data.removed = true;
        data.trials.clear();
        data.events.clear();
        data.asks.clear();
        data.attempts.clear();
        data.late_answers.clear();
        data.requests.clear();
        data.snapshot.reset();
    }

    std::int64_t begin_ask(std::int64_t study, int count) override {
        const std::lock_guard guard(mutex_);
        return of(study).take_sequence(count);
    }

    std::vector<TrialRecord> reserve(std::int64_t study, const Reservation& reservation) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        const auto more = static_cast<std::int64_t>(reservation.trials.size());
        check_budget(data, more);
        data.refuse_known_ids(reservation.trials);
        (void)data.reply_to(reservation.request);  // refuses a key that was used otherwise
        std::vector<std::int64_t> ids = reissue(data, reservation);
        std::int64_t sequence = reservation.first_sequence;
        for (const NewTrial& trial : reservation.trials) {
            TrialRecord& record = data.trials[trial.id];
            record.id = trial.id;
            record.parameters = trial.parameters;
            record.ask = reservation.ask;
            record.worker = reservation.worker;
            record.asked_at = record.started_at = reservation.now;
            record.lease_ends = reservation.lease_ends;
            data.append(sequence++, EventKind::asked, record, reservation.now);
            ids.push_back(trial.id);
        }
        if (more > 0)
            data.asks.push_back({reservation.ask, reservation.first_sequence, reservation.now, reservation.seconds,
                                 static_cast<int>(more)});
        data.remember(reservation.request, ids);
        std::vector<TrialRecord> handed_out;
        for (const std::int64_t id : ids) handed_out.push_back(data.trials[id]);
        return handed_out;
    }

    void add(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        (void)data.reply_to(request);  // refuses a key that was used otherwise
        data.refuse_known_ids(trials);
        std::vector<std::int64_t> ids;
        for (const NewTrial& trial : trials) {
            TrialRecord& record = data.trials[trial.id];
            record.id = trial.id;
            record.state = trial.value ? TrialState::completed : TrialState::failed;
            record.parameters = trial.parameters;
            record.added = true;
            record.asked_at = record.started_at = now;
            record.ended_at = now;
            record.value = trial.value;
            record.also_json = trial.also;
            record.reason = trial.reason;
            data.append(EventKind::added, record, now);
            ids.push_back(trial.id);
        }
        data.remember(request, ids);
    }

    void enqueue(std::int64_t study, const std::vector<NewTrial>& trials, double now, const Request& request) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        (void)data.reply_to(request);  // refuses a key that was used otherwise
        check_budget(data, static_cast<std::int64_t>(trials.size()));
        data.refuse_known_ids(trials);
        std::vector<std::int64_t> ids;
        for (const NewTrial& trial : trials) {
            TrialRecord& record = data.trials[trial.id];
            record.id = trial.id;
            record.parameters = trial.parameters;
            record.ask = -1;
            record.asked_at = record.started_at = now;
            data.append(EventKind::asked, record, now);
            ids.push_back(trial.id);
        }
        data.remember(request, ids);
    }

    Verdict tell(std::int64_t study, const Answer& answer) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        if (data.reply_to(answer.request)) return Verdict::repeated;
        TrialRecord& trial = data.known(answer.trial);
        const Verdict verdict = judge(trial, answer);
        data.remember(answer.request, {answer.trial});
        if (verdict == Verdict::repeated) return verdict;
        if (verdict == Verdict::accepted) {
            trial.late = answered_late(trial, answer);
            trial.ended_at = answer.now;
            settle(data, trial, answer);
        } else {
            data.late_answers.push_back(
                {answer.trial, answer.worker, answer.now, answer.value, answer.also, answer.reason});
        }
        if (answer.log) data.keep(*answer.log);
        return verdict;
    }

    Verdict correct(std::int64_t study, const Answer& answer) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        if (data.reply_to(answer.request)) return Verdict::repeated;
        TrialRecord& trial = data.known(answer.trial);
        if (trial.state != TrialState::completed && trial.state != TrialState::failed)
            throw Conflict(cannot_correct(trial));
        data.remember(answer.request, {answer.trial});
        if (same_answer(trial, answer)) return Verdict::repeated;
        data.append(EventKind::reopened, trial, answer.now);
        settle(data, trial, answer);
        return Verdict::accepted;
    }

    void rerun(std::int64_t study, std::int64_t id, double now) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        TrialRecord& trial = data.known(id);
        if (trial.state == TrialState::running) throw Conflict(cannot_rerun(trial));
        if (trial.state == TrialState::abandoned && !trial.added) check_budget(data, 1);
        data.append(EventKind::reopened, trial, now);
        trial.state = TrialState::running;
        ++trial.attempt;
        trial.worker.clear();
        trial.lease_ends = 0.0;
        trial.late = false;
        trial.ended_at = {};
        trial.value = {};
        trial.also_json.clear();
        trial.reason.clear();
    }

    void retry(std::int64_t study, const AttemptRecord& failed, double lease_ends) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        data.keep(failed);
        TrialRecord& trial = data.known(failed.trial);
        if (!runs_it(trial, failed.worker)) throw Conflict(cannot_retry(trial, failed.worker));
        ++trial.attempt;
        trial.started_at = failed.ended_at;
        trial.lease_ends = lease_ends;
    }

    void keep_logs(std::int64_t study, const std::vector<AttemptRecord>& running) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        for (const AttemptRecord& log : running) {
            const auto trial = data.trials.find(log.trial);
            if (trial != data.trials.end() && runs_it(trial->second, log.worker)) data.keep(log);
        }
    }

    void abandon(std::int64_t study, std::int64_t id, double now) override {
        const std::lock_guard guard(mutex_);
        StudyData& data = of(study);
        TrialRecord& trial = data.known(id);
        if (trial.state == TrialState::abandoned) return;
        if (trial.state != TrialState::running) throw Conflict(cannot_abandon(trial));
        trial.state = TrialState::abandoned;
        trial.ended_at = now;
        data.append(EventKind::abandoned, trial, now);
    }

    void renew(std::int64_t study, const std::string& worker, double lease_ends) override {
        const std::lock_guard guard(mutex_);
        for (auto& [id, trial] : of(study).trials)
            if (trial.state == TrialState::running && !trial.waiting() && trial.worker == worker)
                trial.lease_ends = lease_ends;
    }

    void release(std::int64_t study, const std::string& worker, double now) override { renew(study, worker, now); }

    std::optional<std::vector<std::int64_t>> reply_to(std::int64_t study, const Request& request) override {
        const std::lock_guard guard(mutex_);
        return of(study).reply_to(request);
    }

    std::vector<TrialRecord> trials(std::int64_t study) override {
        return trials_that(study, [](const TrialRecord&) { return true; });
    }

    std::vector<TrialRecord> open_trials(std::int64_t study) override {
        return trials_that(study, [](const TrialRecord& trial) { return trial.state == TrialState::running; });
    }

    std::optional<TrialRecord> trial(std::int64_t study, std::int64_t id) override {
        const std::lock_guard guard(mutex_);
        const auto& trials = of(study).trials;
        const auto found = trials.find(id);
        return found == trials.end() ? std::nullopt : std::optional(found->second);
    }

    std::optional<TrialRecord> best(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        const StudyData& data = of(study);
        const TrialRecord* found = nullptr;
        for (const auto& [id, trial] : data.trials) {
            if (trial.state != TrialState::completed) continue;
            if (found == nullptr || better(data.study.goal, *trial.value, *found->value)) found = &trial;
        }
        return found == nullptr ? std::nullopt : std::optional(*found);
    }

    Counts counts(std::int64_t study, double now) override {
        const std::lock_guard guard(mutex_);
        return count(of(study), now);
    }

    std::vector<EventRecord> events(std::int64_t study, std::int64_t after_sequence) override {
        const std::lock_guard guard(mutex_);
        const auto& events = of(study).events;
        std::vector<EventRecord> found;
        for (auto event = events.upper_bound(after_sequence); event != events.end(); ++event)
            found.push_back(event->second);
        return found;
    }

    std::vector<AskRecord> asks(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        return of(study).asks;
    }

    std::vector<AttemptRecord> attempts(std::int64_t study, std::int64_t trial) override {
        const std::lock_guard guard(mutex_);
        std::vector<AttemptRecord> found;
        for (const AttemptRecord& attempt : of(study).attempts)
            if (attempt.trial == trial) found.push_back(attempt);
        return found;
    }

    std::vector<LateAnswer> late_answers(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        return of(study).late_answers;
    }

    void store_snapshot(std::int64_t study, const Snapshot& snapshot) override {
        const std::lock_guard guard(mutex_);
        of(study).snapshot = snapshot;
    }

    std::optional<Snapshot> snapshot(std::int64_t study) override {
        const std::lock_guard guard(mutex_);
        return of(study).snapshot;
    }

  private:
    StudyData& of(std::int64_t study) {
        StudyData& data = studies_.at(static_cast<std::size_t>(study - 1));
        if (data.removed) throw NotFound(no_such_study());
        return data;
    }

    static Counts count(const StudyData& data, double now) {
        Counts counts;
        for (const auto& [id, trial] : data.trials) {
            if (trial.added) ++counts.added;
            ++counts.of(trial.state_at(now));
        }
        return counts;
    }

    static void check_budget(const StudyData& data, std::int64_t more) {
        const std::int64_t issued = count(data, 0.0).issued();
        if (data.study.budget && more > 0 && issued + more > *data.study.budget)
            throw Conflict(budget_exceeded(*data.study.budget, issued, more));
    }

    static void settle(StudyData& data, TrialRecord& trial, const Answer& answer) {
        trial.state = answer.value ? TrialState::completed : TrialState::failed;
        trial.value = answer.value;
        trial.also_json = answer.also;
        trial.reason = answer.reason;
        data.append(EventKind::told, trial, answer.now);
    }

    static std::vector<std::int64_t> reissue(StudyData& data, const Reservation& reservation) {
        std::vector<std::int64_t> ids;
        for (const std::int64_t id : reservation.reissued) {
            TrialRecord& trial = data.known(id);
            if (!trial.waiting() && !trial.lost(reservation.now)) continue;
            if (!trial.waiting()) ++trial.attempt;
            trial.worker = reservation.worker;
            trial.started_at = reservation.now;
            trial.lease_ends = reservation.lease_ends;
            ids.push_back(id);
        }
        return ids;
    }

    template <class Predicate>
    std::vector<TrialRecord> trials_that(std::int64_t study, Predicate predicate) {
        const std::lock_guard guard(mutex_);
        std::vector<TrialRecord> found;
        for (const auto& [id, trial] : of(study).trials)
            if (predicate(trial)) found.push_back(trial);
        return found;
    }

    std::mutex mutex_;
    std::condition_variable_any turn_given_back_;
    std::deque<StudyData> studies_;  // a deque: the turns must stay where they are
};

}  // namespace

std::unique_ptr<Storage> open_memory() {
    return std::make_unique<MemoryStorage>();
}

}  // namespace summand::storage
