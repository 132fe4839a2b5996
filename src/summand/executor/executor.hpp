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
    std::optional<double> time_limit_seconds = {};        ///< then it and all it has started are killed
    std::optional<std::int64_t> memory_limit_bytes = {};  ///< of address space, for each of its processes
};

enum class Ending {
    exited,      ///< by itself; code: its exit status
    signalled,   ///< killed by somebody else or crashed; code: the signal
    time_limit,  ///< we killed it
    stopped      ///< stop_all()
};

struct Finished {
    std::int64_t id = 0;
    Ending ending = Ending::exited;
    int code = 0;
    std::string output = {};  ///< standard output; of more than a megabyte the middle is left out
    std::string error = {};   ///< standard error, likewise
    double seconds = 0.0;
};

/// Runs programs. One contract suite (tests/executor) runs on every implementation.
/// For one thread, but wake() may be called from any thread and from a signal handler.
class Executor {
  public:
    virtual ~Executor() = default;           ///< kills what still runs
    virtual void start(const Job& job) = 0;  ///< throws ExecutorError if the program cannot be started
    /// Waits until a job has finished, wake() was called or the time is over; returns those that have finished.
    virtual std::vector<Finished> wait(double seconds) = 0;
    virtual void wake() noexcept = 0;
    virtual void stop_all() = 0;  ///< kills all jobs; wait() returns them as stopped
    virtual std::size_t running() const = 0;
};

/// "exit status 3", "signal 9 (Killed)", "time limit", "stopped".
std::string describe(const Finished& finished);

/// At most `limit` bytes: the beginning and the end, with a line in between that says how much is left out.
std::string shortened(const std::string& text, std::size_t limit);

}  // namespace summand::executor
