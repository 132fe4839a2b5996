// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/slurm_options.hpp"
#include "summand/executor/task_folder.hpp"

namespace summand::executor {

/// Where the arrays of one study lie, beside the program that runs their tasks (summand-task) and files for programs.
class SlurmFolder {
  public:
    /// Makes it if need be. Throws ExecutorError if that is not possible, or if sbatch or summand-task are missing.
    explicit SlurmFolder(const std::filesystem::path& path);

    /// A new array, ready for sbatch.
    TaskFolder create(const SlurmOptions& options, const std::vector<Job>& jobs);
    std::filesystem::path scratch() const { return path_ / "scratch"; }

  private:
    std::filesystem::path path_;
    int created_ = 0;
};

/// The arrays that are there, from the oldest on.
std::vector<std::filesystem::path> arrays_in(const std::filesystem::path& path);

}  // namespace summand::executor
