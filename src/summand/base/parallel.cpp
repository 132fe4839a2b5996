// SPDX-License-Identifier: Apache-2.0
#include "summand/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>

namespace summand {

int resolve_threads(std::optional<int> requested) {
    // More threads than cores cost time and change no result; eight may be asked for anywhere, to show the latter.
    if (requested) return std::clamp(*requested, 1, std::max(8, resolve_threads({})));
    // The affinity mask, not the machine: a container or `taskset` may leave fewer cores than exist.
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
    if (threads <= 1 || count <= 1) {
        for (std::int64_t i = 0; i < count; ++i) body(i);
        return;
    }
    std::atomic<std::int64_t> next{0};
    std::mutex mutex;
    std::exception_ptr error;
    std::int64_t error_index = count;

    const auto work = [&] {
        for (std::int64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            try {
                body(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (i < error_index) {
                    error_index = i;
                    error = std::current_exception();
                }
                next.store(count);
            }
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::int64_t t = 1; t < std::min<std::int64_t>(threads, count); ++t) helpers.emplace_back(work);
        work();
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace summand
