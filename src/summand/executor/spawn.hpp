// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/descriptor.hpp"
#include "summand/executor/executor.hpp"
#include "summand/executor/guardian.hpp"

namespace summand::executor {

/// A started job: its process leads its own group.
struct Spawned {
    pid_t process = 0;
    Descriptor ended = {};   ///< readable when the process has ended
    Descriptor output = {};  ///< what it writes; not blocking
    Descriptor error = {};
};

/// Starts the program of a job. Throws ExecutorError, with the command and the cause, if that is not possible.
Spawned spawn(const Job& job, const Guardian& guardian);

}  // namespace summand::executor
