// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"

#include <memory>

namespace summand::executor {

/// Processes on this machine (Linux). Each job has a supervisor, so that a time limit reaches everything descended from it,
/// in whatever session; if this process dies, also by SIGKILL, its jobs are killed with it. Of what
/// a job writes to one stream, the beginning and the end are kept, `most_output` bytes together.
std::unique_ptr<Executor> local_processes(std::size_t most_output = std::size_t{1} << 20);

}  // namespace summand::executor
