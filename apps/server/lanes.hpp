// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace summand::server {

/// Threads for work of one kind. Jobs must not throw.
class Pool {
  public:
    /// background: its threads, and those they start, give way to others (nice 5).
    Pool(int threads, bool background);
    ~Pool() { finish(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    void run(std::function<void()> job);
    void finish();  ///< does all that waits, and ends the threads; what comes later is done by the caller

  private:
    void work(bool background);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool finishing_ = false;
    std::vector<std::thread> threads_;
};

/// Jobs that follow one another, on the threads of a pool that outlives it.
class Lane {
  public:
    explicit Lane(Pool& pool) : pool_(pool), state_(std::make_shared<State>()) {}
    void run(std::function<void()> job);

  private:
    struct State {
        std::mutex mutex = {};
        std::deque<std::function<void()>> jobs = {};
        bool busy = false;
    };
    static void next(Pool& pool, const std::shared_ptr<State>& state);

    Pool& pool_;
    std::shared_ptr<State> state_;
};

}  // namespace summand::server
