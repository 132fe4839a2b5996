// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace summand::executor {

/// How jobs are handed to Slurm. Texts go to sbatch as they are.
struct SlurmOptions {
    std::filesystem::path folder = {};  ///< for tasks and results: on a file system that the nodes see too
    std::string partition = {};         ///< empty, as all of these: what the cluster does by default
    std::string time = {};              ///< of one trial: "2:00:00"
    std::string memory = {};            ///< of one trial: "4G"
    std::string gres = {};
    std::string account = {};
    std::optional<int> cpus = {};             ///< of one trial
    std::vector<std::string> arguments = {};  ///< further ones for sbatch
    std::string prologue = {};                ///< shell lines before the program, such as "module load gcc"
    int retries = 3;                          ///< of a trial that Slurm ended or lost
    double poll_seconds = 60.0;               ///< the longest time between two calls of squeue
    double file_delay_seconds = 30.0;         ///< how late a file of a node may be seen here
    double patience_seconds = 60.0;           ///< with a program of Slurm that does not answer; not in the study file
    bool operator==(const SlurmOptions&) const = default;
};

}  // namespace summand::executor
