// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include <benchmark/benchmark.h>
#include <time.h>

namespace summand::benchmarks {

/// Processor time of this thread: other programs on the machine do not count.
inline double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double seconds_of(const auto& action) {
    const double start = thread_seconds();
    action();
    return thread_seconds() - start;
}

inline double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Times a reference and a subject by turns, so that whatever else the machine does slows both alike; reports medians:
/// `times_reference` = subject / reference, and GFLOP/s of both counted with the reference's operations.
/// prepare() runs untimed before each.
void side_by_side(benchmark::State& state, double reference_flops, const auto& prepare, const auto& reference,
                  const auto& subject) {
    std::vector<double> references, subjects;
    for (auto _ : state) {
        prepare();
        references.push_back(seconds_of(reference));
        prepare();
        subjects.push_back(seconds_of(subject));
        state.SetIterationTime(subjects.back());
    }
    const double base = median(references), time = median(subjects);
    state.counters["reference_ms"] = 1e3 * base;
    state.counters["median_ms"] = 1e3 * time;
    state.counters["times_reference"] = time / base;
    state.counters["reference_GFLOPs"] = reference_flops / base * 1e-9;
    state.counters["GFLOPs"] = reference_flops / time * 1e-9;
}

}  // namespace summand::benchmarks
