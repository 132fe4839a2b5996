// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace summand::executor {

/// One program to run: no shell in between, each argument reaches it as it is.
struct Job {
    std::int64_t id = 0;
    std::vector<std::string> command = {};  ///< program (looked up in PATH if it has no '/') and arguments
    std::filesystem::path directory = {};   ///< to run in; empty: the current one
    std::map<std::string, std::string> environment = {};  ///< added to this process's own
    std::string input = {};                               ///< its standard input
    std::optional<double> time_limit_seconds = {};        ///< then it and all that descends from it are killed
    std::optional<std::int64_t> memory_limit_bytes = {};  ///< of address space, for each of its processes
    std::filesystem::path result_file = {};  ///< removed before it starts, read when it has ended; empty: none
};

enum class Ending {
    exited,      ///< by itself; code: its exit status
    signalled,   ///< killed by somebody else or crashed; code: the signal
    time_limit,  ///< we killed it
    stopped,     ///< stop_all()
    scheduler    ///< a scheduler ended it, or lost it; cause: its word
};

struct Finished {
    std::int64_t id = 0;
    Ending ending = Ending::exited;
    int code = 0;
    std::string output = {};                 ///< standard output; of more than a megabyte the middle is left out
    std::string error = {};                  ///< standard error, likewise
    std::optional<std::string> result = {};  ///< what the result file held; empty: there is none
    std::string cause = {};                  ///< of a scheduler: "TIMEOUT (Slurm job 17_3 on node5)"
    double seconds = 0.0;
};

/// What a program has written: the ends of its standard output and standard error.
struct Written {
    std::string output = {}, error = {};
};

enum class Stage { waiting, running };

/// Where a started job is.
struct Place {
    std::int64_t id = 0;
    Stage stage = Stage::running;
    std::string name = {};  ///< what a scheduler calls it: "17_3"
};

/// Runs programs. One contract suite (tests/executor) runs on every implementation.
/// For one thread, but wake() may be called from any thread and from a signal handler.
class Executor {
  public:
    virtual ~Executor() = default;           ///< kills what still runs, unless jobs_outlive_it()
    virtual void start(const Job& job) = 0;  ///< throws ExecutorError if the program cannot be started
    /// Waits until a job has finished, wake() was called or the time is over; returns those that have finished.
    virtual std::vector<Finished> wait(double seconds) = 0;
    virtual void wake() noexcept = 0;
    virtual void stop_all() = 0;              ///< kills all jobs; wait() returns them as stopped
    virtual std::size_t running() const = 0;  ///< or waiting to

    // Jobs that a scheduler keeps go on when this object is gone, and an executor after it may take them over. An executor
    // whose jobs end with it has nothing to take over.
    virtual bool jobs_outlive_it() const { return false; }
    virtual std::vector<std::int64_t> left_behind() { return {}; }  ///< by those before it, and not forgotten
    /// Takes over the job of this id that another one has left behind, instead of start(); false: there is none.
    virtual bool adopt(std::int64_t /*id*/) { return false; }
    /// The end of this job has been stored (or nobody wants it): what is kept of it may go.
    virtual void forget(std::int64_t /*id*/) {}
    virtual std::vector<Place> places() const = 0;
    /// What a job that runs has written so far, at most so many bytes of each stream; empty: not known.
    virtual std::optional<Written> so_far(std::int64_t /*id*/, std::size_t /*most*/) const { return {}; }
    /// What keeps it from working just now, as a sentence; empty: nothing.
    virtual std::string trouble() const { return {}; }
    /// A folder that the programs see too, and that lasts as long as they do; empty: any temporary one.
    virtual std::filesystem::path scratch() const { return {}; }
};

/// "exit status 3", "signal 9 (Killed)", "time limit", "stopped", or the cause that a scheduler gave.
std::string describe(const Finished& finished);

/// The line that stands for bytes that were left out.
std::string left_out(std::uint64_t bytes);

/// At most `limit` bytes: the end, from the beginning of a line where that is not far.
std::string end_of(const std::string& text, std::size_t limit);

/// At most `limit` bytes: the beginning and the end, with a line in between that says how much is left out. Such a line in
/// what is left out counts for what it stands for.
std::string shortened(const std::string& text, std::size_t limit);

}  // namespace summand::executor
