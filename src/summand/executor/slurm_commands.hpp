// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/slurm_options.hpp"

#include <map>
#include <string>
#include <vector>

// What is said to Slurm's programs, and what their answers mean.
namespace summand::executor {

/// sbatch for some tasks of an array.
std::vector<std::string> submit_command(const SlurmOptions& options, const std::string& name,
                                        const std::filesystem::path& folder, const std::vector<int>& tasks);
/// The script each task starts with.
std::string task_script(const SlurmOptions& options, const std::filesystem::path& runner,
                        const std::filesystem::path& folder);

/// One squeue for all tasks of this user, those that ended lately too.
std::vector<std::string> queue_command();
/// What accounting knows about tasks that squeue has forgotten ("17_3"). Fails where there is no accounting.
std::vector<std::string> accounting_command(const std::vector<std::string>& tasks);
std::vector<std::string> cancel_command(const std::vector<std::string>& tasks);

struct QueueEntry {
    std::string array = {};  ///< Slurm's number of it
    std::string state = {};  ///< "PENDING", "RUNNING", "TIMEOUT", ...
    std::string node = {};
    std::string reason = {};  ///< why it waits
};
/// Slurm may know a task twice, if it was submitted twice: of those, the one that is not over.
using Queue = std::map<std::string, std::map<int, QueueEntry>>;  // by name of the array and task
Queue parse_queue(const std::string& output);
std::map<std::string, QueueEntry> parse_accounting(const std::string& output);  ///< by "17_3"

bool is_waiting(const std::string& state);
bool is_over(const std::string& state);

/// Whether what a program of Slurm complained about passes by itself: a controller that is down, busy or slow.
bool passes_by_itself(const std::string& complaint);

/// "0-9,12"
std::string ranges(const std::vector<int>& numbers);

}  // namespace summand::executor
