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

/// Runs programs of Slurm beside everything else: one that hangs holds up nothing, and is ended after a minute.
class SlurmClient {
  public:
    void call(std::vector<std::string> command, std::function<void(const SlurmAnswer&)> then);
    /// Waits at most so long for one to end, or for wake(); hands out the answers.
    void wait(double seconds);
    void wake() noexcept { programs_->wake(); }
    bool busy() const { return programs_->running() > 0; }

  private:
    std::unique_ptr<Executor> programs_ = local_processes();
    std::map<std::int64_t, std::function<void(const SlurmAnswer&)>> waiting_;
    std::int64_t calls_ = 0;
};

}  // namespace summand::executor
