// SPDX-License-Identifier: Apache-2.0
#include "signal_guard.hpp"

#include <atomic>

namespace summand::cli {

namespace {

std::atomic<RunControl*> controlled = nullptr;

extern "C" void heed_signal(int number) {
    RunControl* control = controlled.load();
    if (control == nullptr) return;
    if (number == SIGINT)
        control->finish_or_stop();
    else
        control->stop();
}

}  // namespace

SignalGuard::SignalGuard(RunControl& control) {
    controlled = &control;
    struct sigaction action {};
    action.sa_handler = heed_signal;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        sigaction(numbers[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(numbers[i], &action, nullptr);
    }
}

SignalGuard::~SignalGuard() {
    for (std::size_t i = 0; i < numbers.size(); ++i) sigaction(numbers[i], &before_[i], nullptr);
    controlled = nullptr;
}

}  // namespace summand::cli
