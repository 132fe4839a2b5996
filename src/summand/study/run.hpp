// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"
#include "summand/study/study.hpp"

#include <atomic>
#include <string>

namespace summand {

/// Why a run ended.
enum class RunEnd {
    budget,      ///< no trials left
    target,      ///< a value as good as asked for
    time,        ///< the wall time is over
    exhausted,   ///< a finite space has no other point
    failing,     ///< the first attempts all failed (StudySettings::give_up_after)
    interrupted  ///< asked to stop
};

struct RunSummary {
    RunEnd end = RunEnd::budget;
    std::int64_t completed = 0;  ///< in this run
    std::int64_t failed = 0;
    std::string last_failure = {};  ///< "trial 7: exit status 1: no such file"
    double seconds = 0.0;
    double ask_seconds = 0.0;                        ///< of these, spent on suggestions while no program was running
    std::vector<executor::Place> left_running = {};  ///< with a scheduler: the next run takes their results
};

/// Where a run stands.
struct RunProgress {
    double seconds = 0.0;
    int workers = 0;
    std::vector<std::int64_t> running = {};  ///< trials
    std::vector<std::int64_t> queued = {};   ///< trials that wait in a scheduler's queue
    std::string trouble = {};                ///< of the executor, as a sentence; empty: none
    bool asking = false;                     ///< a suggestion is being computed
    bool stopping = false;
    double last_ask_seconds = 0.0;  ///< per suggestion: of the latest ask, divided by its points
};

/// Told what happens, in the thread that called run().
class RunObserver {
  public:
    virtual ~RunObserver() = default;
    virtual void asked(const std::vector<Trial>& /*trials*/) {}
    virtual void retried(const Trial& /*trial*/, const std::string& /*reason*/) {}
    virtual void finished(const Trial& /*trial*/, const Outcome& /*outcome*/, double /*seconds*/) {}
    virtual void warned(const std::string& /*sentence*/) {}  ///< something looks wrong; the run goes on
    virtual void tick(const RunProgress& /*progress*/) {}    ///< at least ten times a second
};

/// Asks a run to end. Safe in a signal handler.
class RunControl {
  public:
    void finish() noexcept { raise_to(1); }  ///< start nothing new, let the programs end
    /// Kill the programs; their trials are issued again by the next run. Those in a scheduler go on in either case.
    void stop() noexcept { raise_to(2); }
    void finish_or_stop() noexcept {  ///< Ctrl-C: the first time finish(), then stop()
        raise_to(level_.load() + 1);
    }
    int level() const noexcept { return level_.load(); }
    void attach(executor::Executor* executor) noexcept { executor_ = executor; }

  private:
    void raise_to(int level) noexcept {
        if (level > level_.load()) level_ = level;
        if (executor::Executor* executor = executor_.load()) executor->wake();
    }
    std::atomic<int> level_ = 0;
    std::atomic<executor::Executor*> executor_ = nullptr;
};

/// Evaluates trials of the study with its command until the budget, the target, the time or the user ends it. Results are
/// stored as soon as their program ends. Throws ExecutorError if the program cannot be started, and what ask() throws; the
/// trials in hand are then released.
RunSummary run(AnyStudy& study, executor::Executor& executor, RunControl& control, RunObserver& observer,
               std::optional<int> workers = {});

}  // namespace summand
