// SPDX-License-Identifier: Apache-2.0
#include "lanes.hpp"

#include <sys/resource.h>

namespace summand::server {

Pool::Pool(int threads, bool background) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this, background] { work(background); });
}

void Pool::work(bool background) {
    // On Linux niceness belongs to a thread (0: this one), and threads that it starts inherit it.
    if (background) setpriority(PRIO_PROCESS, 0, 5);
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return finishing_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
        lock.lock();
    }
}

void Pool::run(std::function<void()> job) {
    {
        const std::lock_guard guard(mutex_);
        if (!finishing_) {
            jobs_.push_back(std::move(job));
            changed_.notify_one();
            return;
        }
    }
    job();
}

void Pool::finish() {
    {
        const std::lock_guard guard(mutex_);
        finishing_ = true;
        changed_.notify_all();
    }
    for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
}

void Lane::run(std::function<void()> job) {
    {
        const std::lock_guard guard(state_->mutex);
        state_->jobs.push_back(std::move(job));
        if (state_->busy) return;
        state_->busy = true;
    }
    pool_.run([&pool = pool_, state = state_] { next(pool, state); });
}

/// Does one job and lines up for the next, so that lanes share the threads fairly.
void Lane::next(Pool& pool, const std::shared_ptr<State>& state) {
    std::function<void()> job;
    {
        const std::lock_guard guard(state->mutex);
        job = std::move(state->jobs.front());
        state->jobs.pop_front();
    }
    job();
    job = nullptr;
    {
        const std::lock_guard guard(state->mutex);
        state->busy = !state->jobs.empty();
        if (!state->busy) return;
    }
    pool.run([&pool, state] { next(pool, state); });
}

}  // namespace summand::server
