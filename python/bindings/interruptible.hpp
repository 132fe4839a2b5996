// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <type_traits>

namespace summand::python {

/// Runs work(stop) on another thread without the GIL, while the calling thread looks for signals every 50 ms. Ctrl-C asks
/// the work to stop and raises KeyboardInterrupt as soon as it has. Exceptions of the work are rethrown here.
/// To be called with the GIL held.
void run_interruptible(const std::function<void(std::stop_token)>& work);

/// The same for work that returns something.
template <class Work>
auto interruptible(Work&& work) {
    std::optional<std::invoke_result_t<Work, std::stop_token>> result;
    run_interruptible([&](std::stop_token stop) { result.emplace(work(std::move(stop))); });
    return std::move(*result);
}

}  // namespace summand::python
