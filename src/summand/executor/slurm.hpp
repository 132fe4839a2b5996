// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"
#include "summand/executor/slurm_options.hpp"

#include <memory>

namespace summand::executor {

/// Jobs as array tasks of Slurm, through its command line (docs/clusters.md). What is started between two calls of wait()
/// becomes one array. Tasks and results travel through files in options.folder; jobs go on without this object, and the next
/// one with the same folder may adopt them.
/// Throws ExecutorError if Slurm's programs, or summand-task beside this program, are missing.
std::unique_ptr<Executor> slurm(const SlurmOptions& options);

/// A job in the folder, as files and Slurm tell, whoever started it.
struct SlurmTask {
    std::int64_t id = 0;
    std::string name = {};    ///< "17_3"; empty: not submitted yet
    std::string state = {};   ///< "waiting", "running", "finished" (to be taken by the next run), "lost"
    std::string detail = {};  ///< Slurm's state, where it runs or why it waits
};
struct SlurmOverview {
    std::vector<SlurmTask> tasks = {};
    std::string trouble = {};  ///< why Slurm could not be asked; then states are those the files tell
};
SlurmOverview slurm_overview(const SlurmOptions& options);

}  // namespace summand::executor
