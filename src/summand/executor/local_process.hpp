// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"

#include <memory>

namespace summand::executor {

/// Processes on this machine (Linux). Each job is a process group of its own, so that a time limit reaches everything it
/// has started; if this process dies, also by SIGKILL, its jobs are killed with it.
std::unique_ptr<Executor> local_processes();

}  // namespace summand::executor
