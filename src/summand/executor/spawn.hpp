// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/descriptor.hpp"
#include "summand/executor/executor.hpp"

#include <sys/types.h>

namespace summand::executor {

/// A started job: a program with its supervisor (supervisor.hpp).
struct Spawned {
    pid_t supervisor = 0;
    pid_t program = 0;         ///< leader of a process group of its own
    Descriptor lifeline = {};  ///< closing it kills the program and everything descended from it
    Descriptor ended = {};     ///< readable when the program has ended: its wait status
    Descriptor output = {};    ///< what it writes; not blocking
    Descriptor error = {};
};

/// Starts the program of a job. Throws ExecutorError, with the command and the cause, if that is not possible.
Spawned spawn(const Job& job);

}  // namespace summand::executor
