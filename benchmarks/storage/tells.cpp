// SPDX-License-Identifier: Apache-2.0
// tells ADDRESS PROCESSES TELLS: answers per second that many processes store in one study at once, and then trials per
// second that they ask for and tell. Prints one line of JSON. ADDRESS: a file, or postgresql://...
#include "summand/storage/open_storage.hpp"
#include "summand/study/study.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace summand;

StudyDefinition definition(const std::string& name, const std::string& address, int trials) {
    StudyDefinition study{name, SearchSpace({Real{.name = "x", .low = 0.0, .high = 1.0}}), {}, {}, address};
    study.options.initial_points = 1 << 20;  // no model: storing is measured, not suggesting
    study.options.batch_size = trials;
    study.settings.budget = trials;
    return study;
}

/// Seconds until all processes have done their work; they start together when `go` is closed. Fails if one of them fails.
double together(int processes, const std::function<void(int process, const std::function<void()>& wait)>& work) {
    int ready[2], go[2];
    if (pipe(ready) != 0 || pipe(go) != 0) std::exit(1);
    for (int i = 0; i < processes; ++i) {
        if (fork() != 0) continue;
        close(go[1]);
        work(i, [&] {
            char byte = 'r';
            (void)!write(ready[1], &byte, 1);
            (void)!read(go[0], &byte, 1);
        });
        _exit(0);
    }
    close(go[0]);
    char byte = 0;
    for (int i = 0; i < processes; ++i) (void)!read(ready[0], &byte, 1);
    const auto start = std::chrono::steady_clock::now();
    close(go[1]);
    for (int i = 0; i < processes; ++i) {
        int status = 1;
        wait(&status);
        if (status != 0) std::exit(1);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void require(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "tells: %s\n", what);
    std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
    require(count == 4, "give ADDRESS PROCESSES TELLS");
    const std::string address = arguments[1];
    const int processes = std::atoi(arguments[2]), each = std::atoi(arguments[3]), all = processes * each;

    const StudyDefinition told = definition("told", address, all);
    Study::open_or_create(told).ask();
    const double tell_seconds = together(processes, [&](int process, const auto& wait) {
        Study study = Study::open_or_create(told);
        wait();
        for (int i = 0; i < each; ++i) study.tell(1 + process * each + i, 0.5 * i);
    });
    require(Study::open_or_create(told).counts().completed == all, "an answer is lost");

    // Each ask reads what the others have asked for, so this takes the square of their number: 300 will do.
    const int fewer = std::min(all, 300);
    const StudyDefinition asked = definition("asked", address, fewer);
    Study::open_or_create(asked);
    const double ask_seconds = together(processes, [&](int, const auto& wait) {
        Study study = Study::open_or_create(asked);
        wait();
        for (auto trials = study.ask({.count = 1}); !trials.empty(); trials = study.ask({.count = 1}))
            study.tell(trials[0].id, 1.0);
    });
    const Study end = Study::open_or_create(asked);
    require(end.counts().completed == fewer && end.late_answers().empty(), "an answer is lost or doubled");

    std::printf("{\"processes\": %d, \"tells\": %d, \"tells_per_second\": %.1f, \"ask_and_tell_per_second\": %.1f}\n",
                processes, all, all / tell_seconds, fewer / ask_seconds);
}
