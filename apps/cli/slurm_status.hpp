// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"
#include "summand/executor/slurm.hpp"
#include "summand/study/study.hpp"

namespace summand::cli {

/// The open trials of a study that Slurm has, or had. Asks squeue once; nothing for a study that never was on Slurm.
executor::SlurmOverview open_slurm_tasks(const Study& study);

/// "17_[0-3,5] 18_[0]"; of many arrays only the first.
std::string job_list(const std::vector<std::string>& names);

}  // namespace summand::cli
