// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

namespace summand {

/// The number of threads to use: the given number, or one for each core the process may run on.
int resolve_threads(std::optional<int> requested);

/// Calls body(i) for i = 0 .. count-1 on at most `threads` threads; returns when all calls have returned.
///
/// Deterministic by construction as long as body(i) writes only to slot i of something and draws only from streams keyed
/// by i. If calls throw, the exception of the lowest index among those that ran is rethrown, and no new calls start.
/// Meant for coarse tasks (a likelihood, a group): threads are started for each call, which costs tens of microseconds.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace summand
