// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

namespace summand::executor {

/// The life of a small process that stands between us and one program, in a session of its own. It inherits what the
/// program's descendants leave behind when they die, so nothing escapes it by starting a session of its own (setsid).
///
/// lifeline: a pipe that only we hold open at the other end. When that closes, because the time is over or because this
/// process has ended in whatever way, the supervisor kills the program and everything descended from it.
/// ended: where it writes the program's number, and its wait status when it has ended. A program that ends by itself has its group killed; what it has
/// put into another session on purpose (a daemon) stays.
///
/// Called after fork: only functions that are safe there. The program must be its child.
[[noreturn]] void supervise(pid_t program, int lifeline, int ended);

/// To be called before the program is started.
void become_supervisor();

}  // namespace summand::executor
