// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/run.hpp"

#include <array>
#include <csignal>

namespace summand::cli {

/// While it lives, Ctrl-C and requests to terminate go to the control instead of ending the process. A signal that is
/// ignored stays so: nohup ignores SIGHUP, a shell without job control SIGINT for what it starts in the background.
class SignalGuard {
  public:
    explicit SignalGuard(RunControl& control);
    ~SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

  private:
    static constexpr std::array numbers = {SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, numbers.size()> before_ = {};
};

}  // namespace summand::cli
