// SPDX-License-Identifier: Apache-2.0
#include "summand/base/parallel.hpp"

#include "summand/base/random.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace summand {
namespace {

TEST(ParallelFor, calls_every_index_once_at_any_thread_count) {
    for (const int threads : {1, 2, 8}) {
        std::vector<std::atomic<int>> calls(1000);
        parallel_for(1000, threads, [&](std::int64_t i) { calls[static_cast<std::size_t>(i)]++; });
        for (const auto& count : calls) ASSERT_EQ(count, 1);
    }
    parallel_for(0, 4, [](std::int64_t) { FAIL(); });
}

TEST(ParallelFor, results_are_bit_equal_for_streams_keyed_by_index) {
    const Rng root = Rng::from_seed(1);
    const auto run = [&](int threads) {
        std::vector<double> out(500);
        parallel_for(500, threads,
                     [&](std::int64_t i) { out[static_cast<std::size_t>(i)] = root.stream("t", {i}).normal(); });
        return out;
    };
    EXPECT_EQ(run(1), run(2));
    EXPECT_EQ(run(1), run(7));
}

TEST(ParallelFor, rethrows_and_stops_starting_new_calls) {
    // The thread that throws may be kept waiting by a busy machine while the other goes on: calls that take a millisecond give
    // it ten seconds.
    constexpr int all = 10'000;
    std::atomic<int> calls{0};
    try {
        parallel_for(all, 2, [&](std::int64_t i) {
            calls++;
            if (i == 3) throw std::runtime_error("three");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "three");
    }
    EXPECT_LT(calls, all);
}

TEST(ResolveThreads, takes_the_number_given_and_otherwise_at_least_one) {
    EXPECT_EQ(resolve_threads(3), 3);
    EXPECT_EQ(resolve_threads(0), 1);
    EXPECT_GE(resolve_threads({}), 1);
}

TEST(ResolveThreads, TakesNoMoreThanAreOfUse) {
    const int cores = resolve_threads({});
    EXPECT_EQ(resolve_threads(0), 1);
    EXPECT_EQ(resolve_threads(8), 8) << "more than there are cores, to show that a result does not change";
    EXPECT_EQ(resolve_threads(9999), std::max(8, cores));
}

}  // namespace
}  // namespace summand
