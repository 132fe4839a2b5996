// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/guardian.hpp"

#include "summand/base/error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace summand::executor {

namespace {

struct Message {
    pid_t group;
    int alive;
};

constexpr int most_groups = 4096;  // jobs at a time; this process forks from threads, so it may not allocate

/// The whole life of the guardian. Only functions that are safe after fork in a process with threads.
[[noreturn]] void stand_guard(int socket) {
    setsid();  // Ctrl-C and a closing terminal are not meant for it
    prctl(PR_SET_NAME, "summand-guard");
    dup2(socket, 0);
    syscall(SYS_close_range, 1U, ~0U, 0U);  // above all the turn's lock and the terminal
    static std::array<pid_t, most_groups> groups;
    int count = 0;
    Message message{};
    for (;;) {
        const ssize_t got = read(0, &message, sizeof message);
        if (got < 0 && errno == EINTR) continue;
        if (got != static_cast<ssize_t>(sizeof message)) break;
        for (int i = 0; i < count; ++i)
            if (groups[static_cast<std::size_t>(i)] == message.group) {
                groups[static_cast<std::size_t>(i)] = groups[static_cast<std::size_t>(count - 1)];
                --count;
                break;
            }
        if (message.alive != 0 && count < most_groups) groups[static_cast<std::size_t>(count++)] = message.group;
    }
    for (int i = 0; i < count; ++i) kill(-groups[static_cast<std::size_t>(i)], SIGKILL);
    _exit(0);
}

}  // namespace

Guardian::Guardian() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw ExecutorError(std::string("local processes: no socket could be made: ") + std::strerror(errno));
    const Descriptor reading(ends[0]);
    socket_ = Descriptor(ends[1]);
    process_ = fork();
    if (process_ < 0)
        throw ExecutorError(std::string("local processes: no process could be started: ") + std::strerror(errno));
    if (process_ == 0) stand_guard(reading.get());
}

Guardian::~Guardian() {
    socket_.reset();
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void Guardian::tell(pid_t group, bool alive) const noexcept {
    const Message message{group, alive ? 1 : 0};
    // If the guardian was killed this fails (without SIGPIPE), and the jobs still have their parent-death signal.
    while (send(socket_.get(), &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

}  // namespace summand::executor
