// SPDX-License-Identifier: Apache-2.0
#include "summand/study/run.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/executor/descriptor.hpp"
#include "summand/study/program.hpp"
#include "summand/study/scratch.hpp"

#include <chrono>
#include <deque>
#include <future>
#include <map>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>

namespace summand {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double run_lease_seconds =
    60.0;  // renewed long before; a worker that dies on this machine is noticed at once
constexpr double renewal_seconds = 10.0;
constexpr double tick_seconds = 0.1;
constexpr double log_seconds = 2.0;             // between two looks at what running programs have written
constexpr std::size_t most_running_log = 4096;  // bytes of each stream
constexpr double pause_seconds = 1.0;           // between two looks whether a paused study goes on
constexpr int constant_after = 10;              // equal values: worth a warning

std::atomic<int> runs = 0;  // in this process: each is a worker of its own

struct InHand {
    Trial trial = {};
    study::Launch launch = {};
    int tries = 1;
    int ended_by_scheduler = 0;
    double started_at = 0.0;
    std::string written = {};  ///< as it was last kept
};

/// One run: the loop of the main thread, and a second thread while a suggestion is being computed.
class Run {
  public:
    Run(AnyStudy& study, executor::Executor& executor, RunControl& control, RunObserver& observer,
        std::optional<int> workers)
        : study_(study), executor_(executor), control_(control), observer_(observer), settings_(study.settings()) {
        if (settings_.command.empty())
            throw InvalidArgument("study \"" + study.name() +
                                  "\" has no command to run; add one to its study file, or use `summand ask` "
                                  "and `summand tell`");
        if (settings_.from_http)
            throw InvalidArgument(
                "study \"" + study.name() +
                "\" was made over HTTP, so its command may be anybody's and is not run from here; look "
                "at it and use `summand work`, or run a study file of your own");
        const int batch = study.batch_size();
        const int at_once = executor.jobs_outlive_it() ? batch : std::min(batch, resolve_threads({}));
        workers_ = workers ? *workers : settings_.workers.value_or(at_once);
        if (workers_ < 1)
            throw InvalidArgument("run: " + std::to_string(workers_) + " workers are given; at least 1 is needed");
        if (study::shares_result_file(settings_)) refuse_to_share();
        control_.attach(&executor_);
        if (const auto best = study_.best()) {
            reached_target_ = good_enough(*best->value);
            only_value_ = best->value;
        }
    }

    ~Run() {
        stop_asking_.request_stop();
        if (asker_.joinable()) asker_.join();
        control_.attach(nullptr);
    }

    RunSummary loop() {
        try {
            forget_the_settled();
            while (!done()) {
                for (const executor::Finished& finished : executor_.wait(tick_seconds)) settle(finished);
                heed_control();
                take_suggestions();
                start_trials();
                if (wants_suggestions()) begin_asking();
                renew_leases();
                keep_logs();
                observer_.tick(progress());
            }
        } catch (...) {
            abandon_ship();
            throw;
        }
        study_.release(
            worker_);  // after a stop: what was killed, or is left to a scheduler, may be issued again at once
        summary_.left_running = executor_.jobs_outlive_it() ? executor_.places() : std::vector<executor::Place>();
        summary_.end = end_;
        summary_.seconds = elapsed();
        return summary_;
    }

  private:
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool idle() const { return in_hand_.empty() && waiting_.empty() && !asking_.valid(); }

    bool good_enough(double value) const {
        if (!settings_.target) return false;
        return study_.options().goal == Goal::maximize ? value >= *settings_.target : value <= *settings_.target;
    }

    /// One result file for all trials is sound only while one program runs at a time, also among several runs: they find
    /// each other by a lock on the directory, which the kernel lifts when its holder dies.
    void refuse_to_share() {
        const std::string given = "[result] file = \"" + settings_.result_file + "\" is one file for all trials, and ";
        const std::string advice =
            "; programs would read each other's results. Write file = \"result-{trial}\", or give each trial a "
            "directory "
            "of its own with directory = \"work/{trial}\", or let one program run at a time with [run] workers = 1";
        if (workers_ > 1)
            throw InvalidArgument(given + std::to_string(workers_) + " programs are to run at a time" + advice);
        shared_directory_ = executor::Descriptor(open(settings_.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (shared_directory_.open() && flock(shared_directory_.get(), LOCK_EX | LOCK_NB) != 0)
            throw InvalidArgument(given + "another `summand run` works in the same directory" + advice);
    }

    bool failing() const {
        return settings_.give_up_after > 0 && failures_ >= settings_.give_up_after && summary_.completed == 0;
    }

    /// A program that ignores its parameters, or prints something else last, would use up the budget unnoticed.
    void watch_for_constant(double value) {
        only_value_ = only_value_.value_or(value);
        varies_ = varies_ || value != *only_value_;
        if (varies_ || summary_.completed != constant_after) return;
        observer_.warned("all " + std::to_string(constant_after) + " values of this run are " + to_text(value) +
                         ": does the program use its parameters, and is the result the last number it prints?");
    }

    /// Whether no new trials are wanted, and why.
    bool closing() {
        if (control_.level() > 0)
            end_ = RunEnd::interrupted;
        else if (reached_target_)
            end_ = RunEnd::target;
        else if (failing())
            end_ = RunEnd::failing;
        else if (settings_.stop_after_seconds && elapsed() >= *settings_.stop_after_seconds)
            end_ = RunEnd::time;
        else if (!nothing_left_)
            return false;
        return true;
    }

    bool done() {
        if (!closing()) return false;
        waiting_.clear();  // issued but not started: released at the end
        return idle() || (leaving() && !asking_.valid());
    }

    /// Asked to end, with jobs that go on without us: the next run takes their results.
    bool leaving() const { return control_.level() > 0 && executor_.jobs_outlive_it(); }

    /// A run before this one was killed after it had stored an answer and before it could say so.
    void forget_the_settled() {
        for (const std::int64_t id : executor_.left_behind()) {
            const auto trial = study_.trial(id);
            if (!trial || trial->ended_at) executor_.forget(id);
        }
    }

    void heed_control() {
        if (control_.level() >= 1) stop_asking_.request_stop();
        if (control_.level() >= 2 && !executor_.jobs_outlive_it()) executor_.stop_all();
    }

    bool wants_suggestions() {
        if (asking_.valid() || !waiting_.empty() || elapsed() < ask_again_at_ || closing()) return false;
        return settings_.asynchronous ? static_cast<int>(in_hand_.size()) < workers_ : in_hand_.empty();
    }

    void begin_asking() {
        AskRequest request;
        request.count = settings_.asynchronous ? workers_ - static_cast<int>(in_hand_.size()) : 0;
        request.worker = worker_;
        request.lease_seconds = run_lease_seconds;
        request.stop = stop_asking_.get_token();
        asking_since_ = Clock::now();
        std::promise<std::vector<Trial>> answer;
        asking_ = answer.get_future();
        asker_ = std::jthread(
            [this, request](std::promise<std::vector<Trial>> promise) {
                try {
                    promise.set_value(study_.ask(request));
                } catch (...) {
                    promise.set_exception(std::current_exception());
                }
                executor_.wake();
            },
            std::move(answer));
    }

    void take_suggestions() {
        if (!asking_.valid() || asking_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
        const double seconds = std::chrono::duration<double>(Clock::now() - asking_since_).count();
        if (in_hand_.empty()) summary_.ask_seconds += seconds;
        std::vector<Trial> trials;
        try {
            trials = asking_.get();
        } catch (const Interrupted&) {
            return;
        }
        if (trials.empty() && study_.paused()) {
            ask_again_at_ = elapsed() + pause_seconds;
            return;
        }
        if (trials.empty()) {
            nothing_left_ = true;
            const auto issued = study_.counts().issued();
            end_ = settings_.budget && issued >= *settings_.budget ? RunEnd::budget : RunEnd::exhausted;
            return;
        }
        last_ask_seconds_ = seconds / static_cast<double>(trials.size());
        observer_.asked(trials);
        for (Trial& trial : trials) {
            InHand next;
            next.launch = {study_.name(), trial.id, trial.attempt, trial.values, scratch_folder()};
            next.trial = std::move(trial);
            waiting_.push_back(std::move(next));
        }
    }

    void start_trials() {
        while (!waiting_.empty() && static_cast<int>(in_hand_.size()) < workers_ && !closing()) {
            take_up(std::move(waiting_.front()));
            waiting_.pop_front();
        }
    }

    /// A trial that had been issued before may still have its job.
    void take_up(InHand next) {
        if (next.trial.attempt == 1 || !executor_.adopt(next.trial.id)) return start(std::move(next));
        next.started_at = study_.now();
        in_hand_[next.trial.id] = std::move(next);
    }

    void start(InHand next) {
        next.started_at = study_.now();
        executor_.start(study::job_for(settings_, study_.space(), next.launch));
        in_hand_[next.trial.id] = std::move(next);
    }

    void settle(const executor::Finished& finished) {
        InHand hand = std::move(in_hand_.at(finished.id));
        in_hand_.erase(finished.id);
        if (finished.ending == executor::Ending::stopped) return;
        const Outcome outcome = study::outcome_of(settings_, hand.launch, finished);
        const auto* failed = std::get_if<Failed>(&outcome);
        const auto kept = static_cast<std::size_t>(settings_.log_bytes);
        storage::AttemptRecord log{hand.trial.id,
                                   hand.launch.attempt,
                                   worker_,
                                   hand.started_at,
                                   study_.now(),
                                   failed != nullptr ? failed->reason : "completed",
                                   executor::shortened(finished.output, kept),
                                   executor::shortened(finished.error, kept)};
        const bool by_scheduler = finished.ending == executor::Ending::scheduler;
        const bool again =
            by_scheduler ? hand.ended_by_scheduler < settings_.slurm.retries : hand.tries <= settings_.retries;
        if (by_scheduler && again && leaving()) return;  // the next run finds it as we did
        if (failed != nullptr) {
            failures_ += by_scheduler ? 0 : 1;
            summary_.last_failure = "trial " + std::to_string(hand.trial.id) + ": " + failed->reason;
        }
        if (failed != nullptr && again && control_.level() == 0 && !failing()) {
            const bool ours = retry(log);
            executor_.forget(hand.trial.id);
            if (!ours) return;
            observer_.retried(hand.trial, failed->reason);
            ++(by_scheduler ? hand.ended_by_scheduler : hand.tries);
            hand.trial.attempt = ++hand.launch.attempt;
            hand.written.clear();
            start(std::move(hand));
            return;
        }
        TellRequest request;
        request.worker = worker_;
        request.attempt = hand.launch.attempt;
        request.log = std::move(log);
        if (failed == nullptr) request.also = study::also_of(settings_, hand.launch, finished);
        study_.tell(hand.trial.id, outcome, request);
        executor_.forget(hand.trial.id);
        ++(failed != nullptr ? summary_.failed : summary_.completed);
        if (failed == nullptr) {
            const double value = std::get<double>(outcome);
            reached_target_ = reached_target_ || good_enough(value);
            watch_for_constant(value);
        }
        observer_.finished(hand.trial, outcome, finished.seconds);
    }

    /// False: the trial was given to another worker, abandoned or answered while the attempt was made.
    bool retry(const storage::AttemptRecord& log) {
        try {
            study_.retry(log, run_lease_seconds);
            return true;
        } catch (const Conflict& reason) {
            observer_.warned(reason.what());
            return false;
        }
    }

    void renew_leases() {
        if (elapsed() - renewed_ < renewal_seconds) return;
        renewed_ = elapsed();
        study_.renew(worker_, run_lease_seconds);
    }

    /// What running programs have written since the last look, for whoever wants to see it.
    void keep_logs() {
        if (elapsed() < keep_logs_at_) return;
        const double began = elapsed();
        const auto most = std::min(most_running_log, static_cast<std::size_t>(settings_.log_bytes));
        std::vector<storage::AttemptRecord> logs;
        for (auto& [id, hand] : in_hand_) {
            auto written = executor_.so_far(id, most);
            if (!written || written->output + written->error == hand.written) continue;
            hand.written = written->output + written->error;
            logs.push_back({id, hand.launch.attempt, worker_, hand.started_at, study_.now(), "running",
                            std::move(written->output), std::move(written->error)});
        }
        if (!logs.empty()) study_.keep_logs(logs);
        keep_logs_at_ =
            elapsed() + std::max(log_seconds, 20.0 * (elapsed() - began));  // a twentieth of the time at most
    }

    /// After an error: kill what runs, and let others have the trials.
    void abandon_ship() noexcept {
        try {
            stop_asking_.request_stop();
            if (asking_.valid()) asking_.wait();
            if (!executor_.jobs_outlive_it()) {
                executor_.stop_all();
                while (executor_.running() > 0) executor_.wait(1.0);
            }
            study_.release(worker_);
        } catch (const std::exception&) {
            // The leases end by themselves.
        }
    }

    RunProgress progress() const {
        RunProgress progress;
        progress.seconds = elapsed();
        progress.workers = workers_;
        for (const executor::Place& place : executor_.places())
            (place.stage == executor::Stage::waiting ? progress.queued : progress.running).push_back(place.id);
        progress.trouble = executor_.trouble();
        progress.asking = asking_.valid();
        progress.stopping = control_.level() > 0;
        progress.last_ask_seconds = last_ask_seconds_;
        return progress;
    }

    std::filesystem::path scratch_folder() const {
        return executor_.scratch().empty() ? scratch_.path() : executor_.scratch();
    }

    AnyStudy& study_;
    executor::Executor& executor_;
    RunControl& control_;
    RunObserver& observer_;
    const StudySettings settings_;
    const std::string worker_ = this_worker() + " " + std::to_string(++runs);
    const Clock::time_point start_ = Clock::now();
    study::Scratch scratch_;
    int workers_ = 1;
    executor::Descriptor shared_directory_;  // locked while all trials share one result file
    int failures_ = 0;                       // failed attempts of this run
    std::optional<double> only_value_;       // of the study, as far as this run knows
    bool varies_ = false;
    std::map<std::int64_t, InHand> in_hand_;  // running
    std::deque<InHand> waiting_;              // issued, not started
    std::stop_source stop_asking_;
    std::future<std::vector<Trial>> asking_;
    std::jthread asker_;
    Clock::time_point asking_since_ = {};
    double last_ask_seconds_ = 0.0;
    double renewed_ = 0.0;
    double keep_logs_at_ = log_seconds;
    double ask_again_at_ = 0.0;  // of a paused study
    bool nothing_left_ = false;
    bool reached_target_ = false;
    RunEnd end_ = RunEnd::budget;
    RunSummary summary_;
};

}  // namespace

RunSummary run(AnyStudy& study, executor::Executor& executor, RunControl& control, RunObserver& observer,
               std::optional<int> workers) {
    return Run(study, executor, control, observer, workers).loop();
}

}  // namespace summand
