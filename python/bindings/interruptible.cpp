// SPDX-License-Identifier: Apache-2.0
#include "interruptible.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace summand::python {
namespace {

/// Whether a signal handler has raised an exception; it stays set in this thread.
bool signal_raised() {
    const nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

}  // namespace

void run_interruptible(const std::function<void(std::stop_token)>& work) {
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false, signalled = false;
    std::exception_ptr error;
    {
        const nb::gil_scoped_release no_gil;
        std::jthread worker([&](std::stop_token stop) {
            try {
                work(std::move(stop));
            } catch (...) {
                error = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            done = true;
            finished.notify_one();
        });
        std::unique_lock lock(mutex);
        while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
            lock.unlock();
            if (!signalled && signal_raised()) {
                signalled = true;
                worker.request_stop();
            }
            lock.lock();
        }
    }
    if (signalled) throw nb::python_error();
    if (error) std::rethrow_exception(error);
}

}  // namespace summand::python
