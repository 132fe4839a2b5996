// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/supervisor.hpp"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace summand::executor {

namespace {

sigset_t child_signal() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    return set;
}

/// Kills all children of this process; false if there is none that can be killed.
bool kill_children() {
    static std::array<char, 65536> list;
    const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t size = read(file, list.data(), list.size());
    close(file);
    bool killed = false;
    pid_t number = 0;
    for (ssize_t i = 0; i < size; ++i) {
        const char c = list[static_cast<std::size_t>(i)];
        if (c >= '0' && c <= '9') {
            number = number * 10 + (c - '0');
        } else if (number > 0) {  // a number ends with a space
            killed = kill(number, SIGKILL) == 0 || killed;
            number = 0;
        }
    }
    return killed;
}

/// Each child that dies leaves its own children to us, so after some rounds nobody is left. Returns the program's status.
int kill_everything(pid_t program) {
    int result = SIGKILL;
    kill(-program, SIGKILL);
    while (kill_children()) {
        int status = 0;
        if (waitpid(-1, &status, 0) == program) result = status;
    }
    kill(-program, SIGKILL);  // where /proc does not list children, this is all that can be done
    if (waitpid(program, &result, WNOHANG) == 0) waitpid(program, &result, 0);
    return result;
}

/// Whether the program has ended. Until then, what others have left to us is cleared away.
bool has_ended(pid_t program) {
    for (;;) {
        siginfo_t ended{};
        if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return false;
        if (ended.si_pid == program) return true;
        waitpid(ended.si_pid, nullptr, 0);
    }
}

[[noreturn]] void report(int status) {
    (void)!write(1, &status, sizeof status);
    _exit(0);
}

}  // namespace

void become_supervisor() {
    setsid();  // Ctrl-C and a closing terminal are not meant for it
    prctl(PR_SET_NAME, "summand-job");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const sigset_t blocked = child_signal();
    sigprocmask(SIG_BLOCK, &blocked, nullptr);
}

void supervise(pid_t program, int lifeline, int ended) {
    dup2(lifeline, 0);
    dup2(ended, 1);
    (void)!write(1, &program, sizeof program);
    syscall(SYS_close_range, 2U, ~0U, 0U);  // above all other jobs' lifelines, the turn's lock and the terminal
    const sigset_t blocked = child_signal();
    std::array<pollfd, 2> watched = {{{0, POLLIN, 0}, {signalfd(-1, &blocked, SFD_NONBLOCK), POLLIN, 0}}};
    for (;;) {
        if (has_ended(program)) {
            kill(-program, SIGKILL);  // before it is reaped: until then its number cannot belong to anybody else
            int status = 0;
            waitpid(program, &status, 0);
            report(status);
        }
        if (watched[0].revents != 0) report(kill_everything(program));
        poll(watched.data(), watched.size(), -1);
        signalfd_siginfo ignored{};
        (void)!read(watched[1].fd, &ignored, sizeof ignored);
    }
}

}  // namespace summand::executor
