// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/local_process.hpp"

#include <functional>
#include <memory>

namespace summand::executor {

/// What a program of Slurm answered.
struct SlurmAnswer {
    std::string output = {};
    std::string complaint = {};  ///< empty: it has done its work
};

/// Runs programs of Slurm beside everything else: one that hangs holds up nothing, and is ended when patience is.
class SlurmClient {
  public:
    explicit SlurmClient(double patience_seconds) : patience_seconds_(patience_seconds) {}
    void call(std::vector<std::string> command, std::function<void(const SlurmAnswer&)> then);
    /// Waits at most so long for one to end, or for wake(); hands out the answers.
    void wait(double seconds);
    void wake() noexcept { programs_->wake(); }
    bool busy() const { return programs_->running() > 0; }

  private:
    // A line of squeue for each of the user's jobs: what is left out of it would look like jobs that are gone.
    static constexpr std::size_t most_output = std::size_t{1} << 30;
    const double patience_seconds_;
    std::unique_ptr<Executor> programs_ = local_processes(most_output);
    std::map<std::int64_t, std::function<void(const SlurmAnswer&)>> waiting_;
    std::int64_t calls_ = 0;
};

}  // namespace summand::executor
