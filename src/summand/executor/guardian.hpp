// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/descriptor.hpp"

#include <sys/types.h>

namespace summand::executor {

/// A tiny process that outlives this one by a moment: it is told through a socket which process groups are alive, and when
/// the socket closes, because this process has ended in whatever way, it kills those that still are.
class Guardian {
  public:
    Guardian();  ///< throws ExecutorError
    ~Guardian();
    Guardian(const Guardian&) = delete;
    Guardian& operator=(const Guardian&) = delete;

    /// Says that a group lives or has ended. Safe after fork, so that a job can register itself before it starts.
    void watch(pid_t group) const noexcept { tell(group, true); }
    void forget(pid_t group) const noexcept { tell(group, false); }

  private:
    void tell(pid_t group, bool alive) const noexcept;
    Descriptor socket_;
    pid_t process_ = 0;
};

}  // namespace summand::executor
