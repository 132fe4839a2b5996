// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/local_process.hpp"

#include "summand/base/error.hpp"
#include "summand/executor/content_of.hpp"
#include "summand/executor/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <sstream>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

namespace summand::executor {

using Clock = std::chrono::steady_clock;

namespace {

/// Keeps the beginning and the end of a stream.
class Capture {
  public:
    explicit Capture(std::size_t most) : half_(most / 2) {}

    void append(const char* bytes, std::size_t count) {
        const std::size_t to_head = std::min(count, half_ - head_.size());
        head_.append(bytes, to_head);
        tail_.append(bytes + to_head, count - to_head);
        // Twice the size before cutting, so that a chatty program costs linear time.
        if (tail_.size() > 2 * half_) cut();
    }

    std::string text() {
        cut();
        if (left_out_ == 0) return head_ + tail_;
        return head_ + left_out(left_out_) + tail_;
    }

    /// The latest bytes, at most `most`.
    std::string end(std::size_t most) const {
        if (tail_.size() >= most || left_out_ > 0) return end_of(tail_, most);
        return end_of(head_.substr(head_.size() - std::min(most, head_.size())) + tail_, most);
    }

  private:
    void cut() {
        if (tail_.size() <= half_) return;
        left_out_ += tail_.size() - half_;
        tail_.erase(0, tail_.size() - half_);
    }

    std::size_t half_;
    std::string head_, tail_;
    std::size_t left_out_ = 0;
};

struct Running {
    explicit Running(std::size_t most_output) : output(most_output), error(most_output) {}
    std::int64_t id = 0;
    Spawned process = {};
    Clock::time_point started = {};
    std::filesystem::path result_file = {};
    Clock::time_point deadline = Clock::time_point::max();
    Capture output, error;
    bool past_limit = false;
    bool stopped = false;
};

/// Reads what is there; closes the descriptor at the end of the stream.
void drain(Descriptor& from, Capture& into) {
    std::array<char, 65536> buffer;
    while (from.open()) {
        const ssize_t got = read(from.get(), buffer.data(), buffer.size());
        if (got > 0)
            into.append(buffer.data(), static_cast<std::size_t>(got));
        else if (got == 0)
            from.reset();
        else if (errno != EINTR)
            return;
    }
}

/// Kills a process group and waits until it is gone, but not for ever: one whose dead nobody collects never goes.
void end_group(pid_t leader) {
    for (int tries = 0; tries < 1000 && kill(-leader, SIGKILL) == 0; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

class LocalProcesses final : public Executor {
  public:
    explicit LocalProcesses(std::size_t most_output)
        : most_output_(most_output), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (!wake_.open()) throw ExecutorError(std::string("local processes: no eventfd: ") + std::strerror(errno));
    }

    ~LocalProcesses() override {
        for (Running& job : jobs_) job.process.lifeline.reset();
        for (Running& job : jobs_) status_of(job);
    }

    void start(const Job& job) override {
        Running running(most_output_);
        running.id = job.id;
        running.started = Clock::now();
        running.result_file = job.directory / job.result_file;
        std::error_code ignored;
        if (job.result_file.empty())
            running.result_file.clear();
        else
            std::filesystem::remove(running.result_file, ignored);  // an old result must not be taken for this one's
        running.process = spawn(job);
        if (job.time_limit_seconds)
            running.deadline = running.started + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(*job.time_limit_seconds));
        jobs_.push_back(std::move(running));
    }

    std::vector<Finished> wait(double seconds) override {
        const auto until =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        for (;;) {
            const bool woken = watch(until);
            std::vector<Finished> finished = collect();
            if (!finished.empty() || woken || Clock::now() >= until) return finished;
        }
    }

    void wake() noexcept override {
        const std::uint64_t one = 1;
        (void)!write(wake_.get(), &one, sizeof one);
    }

    void stop_all() override {
        for (Running& job : jobs_) {
            job.stopped = true;
            job.process.lifeline.reset();
        }
    }

    std::size_t running() const override { return jobs_.size(); }

    std::vector<Place> places() const override {
        std::vector<Place> found;
        for (const Running& job : jobs_) found.push_back({job.id, Stage::running, {}});
        return found;
    }

    std::optional<Written> so_far(std::int64_t id, std::size_t most) const override {
        for (const Running& job : jobs_)
            if (job.id == id) return Written{job.output.end(most), job.error.end(most)};
        return {};
    }

  private:
    /// Sleeps until something happens; reads what jobs have written; kills those past their limit. True if woken.
    bool watch(Clock::time_point until) {
        std::vector<pollfd> watched = {{wake_.get(), POLLIN, 0}};
        for (const Running& job : jobs_) {
            watched.push_back({job.process.ended.get(), POLLIN, 0});
            watched.push_back({job.process.output.get(), POLLIN, 0});  // closed ones are -1, which poll ignores
            watched.push_back({job.process.error.get(), POLLIN, 0});
            if (!job.past_limit) until = std::min(until, job.deadline);
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        poll(watched.data(), watched.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
        const auto now = Clock::now();
        for (Running& job : jobs_) {
            drain(job.process.output, job.output);
            drain(job.process.error, job.error);
            if (now < job.deadline || job.past_limit) continue;
            job.past_limit = true;
            job.process.lifeline.reset();
        }
        std::uint64_t count = 0;
        return read(wake_.get(), &count, sizeof count) > 0;
    }

    std::vector<Finished> collect() {
        std::vector<Finished> finished;
        for (auto job = jobs_.begin(); job != jobs_.end();) {
            pollfd ended{job->process.ended.get(), POLLIN, 0};
            if (poll(&ended, 1, 0) != 1) {
                ++job;
                continue;
            }
            finished.push_back(finish(*job));
            job = jobs_.erase(job);
        }
        return finished;
    }

    Finished finish(Running& job) {
        const int status = status_of(job);
        drain(job.process.output, job.output);
        drain(job.process.error, job.error);
        Finished finished;
        finished.id = job.id;
        finished.seconds = std::chrono::duration<double>(Clock::now() - job.started).count();
        finished.output = job.output.text();
        finished.error = job.error.text();
        finished.result = content_of(job.result_file);
        finished.ending = WIFEXITED(status) ? Ending::exited : Ending::signalled;
        finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
        if (finished.ending == Ending::signalled && job.past_limit) finished.ending = Ending::time_limit;
        if (finished.ending == Ending::signalled && job.stopped) finished.ending = Ending::stopped;
        return finished;
    }

    /// Waits for the end of the program and of its supervisor. If that was killed, the program was killed with it, but not
    /// what the program had started: that must not run beside another attempt.
    static int status_of(Running& job) {
        int status = SIGKILL;
        ssize_t got = 0;
        while ((got = read(job.process.ended.get(), &status, sizeof status)) < 0 && errno == EINTR) {
        }
        if (got == 0 && job.process.program > 0) end_group(job.process.program);
        while (waitpid(job.process.supervisor, nullptr, 0) < 0 && errno == EINTR) {
        }
        return status;
    }

    const std::size_t most_output_;
    Descriptor wake_;
    std::deque<Running> jobs_;
};

}  // namespace

std::unique_ptr<Executor> local_processes(std::size_t most_output) {
    return std::make_unique<LocalProcesses>(most_output);
}

}  // namespace summand::executor
