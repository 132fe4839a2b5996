// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/spawn.hpp"

#include "summand/base/error.hpp"
#include "summand/executor/supervisor.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char** environ;

namespace summand::executor {

namespace {

[[noreturn]] void fail(const Job& job, const std::string& what, int cause) {
    std::string message = "cannot start \"" + (job.command.empty() ? std::string() : job.command[0]) + "\"";
    if (!job.directory.empty()) message += " in " + job.directory.string();
    message += ": " + what + std::strerror(cause);
    if (cause == ENOENT)
        message +=
            "; check the name, and that the program lies there or in a folder of PATH (and, if it is a script, that "
            "the interpreter named in its first line exists)";
    if (cause == EACCES) message += "; is it executable (chmod +x)?";
    if (cause == ENOEXEC) message += "; a script needs a first line such as #!/bin/sh";
    throw ExecutorError(message);
}

void check_directory(const Job& job) {
    std::error_code ignored;
    if (job.directory.empty() || std::filesystem::is_directory(job.directory, ignored)) return;
    throw ExecutorError("the directory " + job.directory.string() + ", in which the program is to run, " +
                        (std::filesystem::exists(job.directory, ignored) ? "is not a directory" : "does not exist") +
                        "; make it, or change `directory` in the study file");
}

struct Pipe {
    Descriptor reading, writing;
};

Pipe make_pipe(const Job& job) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail(job, "no pipe: ", errno);
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A file in memory rather than a pipe: a program that never reads its input blocks nobody.
Descriptor make_input(const Job& job) {
    if (job.input.empty()) return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
    Descriptor file(memfd_create("summand-input", MFD_CLOEXEC));
    const auto size = static_cast<ssize_t>(job.input.size());
    if (!file.open() || write(file.get(), job.input.data(), job.input.size()) != size) fail(job, "its input: ", errno);
    lseek(file.get(), 0, SEEK_SET);
    return file;
}

std::vector<std::string> environment_of(const Job& job) {
    std::vector<std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string variable = *entry;
        if (job.environment.count(variable.substr(0, variable.find('='))) == 0) variables.push_back(variable);
    }
    for (const auto& [name, value] : job.environment) variables.push_back(name + "=" + value);
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> found;
    for (std::string& text : texts) found.push_back(text.data());
    found.push_back(nullptr);
    return found;
}

/// What the child needs; everything is allocated before fork.
struct Plan {
    std::vector<char*> arguments, environment;
    const char* directory = nullptr;
    rlim_t memory = RLIM_INFINITY;
    int input = -1, output = -1, error = -1, report = -1, lifeline = -1, ended = -1;
};

/// From fork to exec: only system calls. Reports the cause through plan.report if it fails.
[[noreturn]] void become_program(const Plan& plan, pid_t supervisor) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(127);  // it died before we could ask to be told
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    // What is ignored stays so through exec: SIGHUP under nohup should, SIGPIPE under Python should not.
    for (const int signal_number : {SIGINT, SIGTERM, SIGPIPE}) signal(signal_number, SIG_DFL);
    const rlimit memory{plan.memory, plan.memory};
    if (plan.memory != RLIM_INFINITY) setrlimit(RLIMIT_AS, &memory);
    const bool ready = (plan.directory == nullptr || chdir(plan.directory) == 0) && dup2(plan.input, 0) >= 0 &&
                       dup2(plan.output, 1) >= 0 && dup2(plan.error, 2) >= 0;
    if (ready) execvpe(plan.arguments[0], plan.arguments.data(), plan.environment.data());
    const int cause = errno;
    (void)!write(plan.report, &cause, sizeof cause);
    _exit(127);
}

[[noreturn]] void become_supervisor_of(const Plan& plan) {
    become_supervisor();
    const pid_t self = getpid();
    const pid_t program = fork();
    if (program == 0) become_program(plan, self);
    const int cause = errno;
    if (program < 0) (void)!write(plan.report, &cause, sizeof cause);
    if (program < 0) _exit(127);
    supervise(program, plan.lifeline, plan.ended);
}

/// Empty if the program runs; otherwise why it does not.
int failure_from(const Descriptor& report) {
    int cause = 0;
    ssize_t got = 0;
    do got = read(report.get(), &cause, sizeof cause);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof cause) ? cause : 0;
}

}  // namespace

Spawned spawn(const Job& job) {
    if (job.command.empty() || job.command[0].empty()) fail(job, "no program is given: ", EINVAL);
    check_directory(job);
    std::vector<std::string> arguments = job.command;
    std::vector<std::string> variables = environment_of(job);
    const Descriptor input = make_input(job);
    Pipe output = make_pipe(job);
    Pipe error = make_pipe(job);
    Pipe report = make_pipe(job);
    Pipe lifeline = make_pipe(job);
    Pipe ended = make_pipe(job);
    Plan plan;
    plan.arguments = pointers(arguments);
    plan.environment = pointers(variables);
    plan.directory = job.directory.empty() ? nullptr : job.directory.c_str();
    if (job.memory_limit_bytes) plan.memory = static_cast<rlim_t>(*job.memory_limit_bytes);
    plan.input = input.get();
    plan.output = output.writing.get();
    plan.error = error.writing.get();
    plan.report = report.writing.get();
    plan.lifeline = lifeline.reading.get();
    plan.ended = ended.writing.get();

    Spawned spawned;
    spawned.supervisor = fork();
    if (spawned.supervisor < 0) fail(job, "", errno);
    if (spawned.supervisor == 0) become_supervisor_of(plan);
    report.writing.reset();
    ended.writing.reset();
    if (const int cause = failure_from(report.reading); cause != 0) {
        waitpid(spawned.supervisor, nullptr, 0);
        fail(job, "", cause);
    }
    if (read(ended.reading.get(), &spawned.program, sizeof spawned.program) < 0) spawned.program = 0;
    spawned.lifeline = std::move(lifeline.writing);
    spawned.ended = std::move(ended.reading);
    fcntl(output.reading.get(), F_SETFL, O_NONBLOCK);
    fcntl(error.reading.get(), F_SETFL, O_NONBLOCK);
    spawned.output = std::move(output.reading);
    spawned.error = std::move(error.reading);
    return spawned;
}

}  // namespace summand::executor
