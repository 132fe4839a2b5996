// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <chrono>

namespace summand::executor {

using Clock = std::chrono::steady_clock;

inline Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Something done again and again, at intervals that grow from the first to the last.
class Rhythm {
  public:
    Rhythm(double first, double last) : first_(first), last_(std::max(first, last)), interval_(first) {}
    bool due() const { return Clock::now() >= next_; }
    Clock::time_point next() const { return next_; }
    void done() {
        next_ = Clock::now() + duration(interval_);
        interval_ = std::min(1.5 * interval_, last_);
    }
    void not_before(Clock::time_point earliest) { next_ = std::max(next_, earliest); }
    void restart() {
        interval_ = first_;
        next_ = Clock::now() + duration(first_);
    }

  private:
    double first_, last_, interval_;
    Clock::time_point next_ = Clock::now();
};

}  // namespace summand::executor
