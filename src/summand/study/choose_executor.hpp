// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"
#include "summand/executor/slurm_options.hpp"
#include "summand/study/study.hpp"

#include <memory>

namespace summand {

/// The study's own way to Slurm: its options, with a folder that no other study uses, not even a later one of this name.
executor::SlurmOptions slurm_options_of(const Study& study);

/// Who runs the study's programs. Throws ExecutorError if that is not possible on this machine.
std::unique_ptr<executor::Executor> executor_for(const Study& study, ExecutorKind kind);

}  // namespace summand
