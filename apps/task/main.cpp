// SPDX-License-Identifier: Apache-2.0
// summand-task FOLDER TASK SECONDS: runs one task of an array on a node of a cluster, and writes how it ended. Every so many
// seconds it looks whether the task was withdrawn. Needs nothing but the folder: no database, no network.
#include "summand/base/error.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/executor/task_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <unistd.h>

namespace {

using namespace summand::executor;

/// The folder may be seen here a little later than where it was made.
Job job_of(const TaskFolder& folder, int task) {
    for (int tries = 0; tries < 60; ++tries) {
        if (const auto job = folder.job(task)) return *job;
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    throw summand::ExecutorError("task " + std::to_string(task) + " is not in " + (folder.path() / "jobs").string() +
                                 "; does this node see the folder?");
}

std::string who_we_are() {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    const char* array = std::getenv("SLURM_ARRAY_JOB_ID");
    return (array != nullptr ? std::string(array) : std::string("?")) + " on " + host + "\n";
}

constexpr std::size_t most_written = 4096;

/// Somebody may look at it; that it cannot be written is no reason to end the program.
void keep_written(const TaskFolder& folder, int task, const std::optional<Written>& written) {
    static std::string kept;
    if (!written || written->output + written->error == kept) return;
    try {
        folder.keep_written(task, *written);
        kept = written->output + written->error;
    } catch (const summand::ExecutorError&) {
    }
}

Finished run(const TaskFolder& folder, int task, const Job& job, double look_seconds) {
    const auto executor = local_processes();
    try {
        executor->start(job);
    } catch (const summand::ExecutorError& error) {
        Finished finished;
        finished.id = job.id;
        finished.code = 127;
        finished.error = error.what();
        return finished;
    }
    for (;;) {
        if (auto finished = executor->wait(look_seconds); !finished.empty()) return finished[0];
        if (folder.withdrawn(task)) executor->stop_all();
        keep_written(folder, task, executor->so_far(job.id, most_written));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: summand-task FOLDER TASK SECONDS (Slurm calls it; see docs/clusters.md)\n";
        return 2;
    }
    try {
        const TaskFolder folder{std::filesystem::path(argv[1])};
        const int task = std::atoi(argv[2]);
        const Job job = job_of(folder, task);
        if (!folder.claim(task, who_we_are())) {
            std::cerr << "summand-task: task " << task << " was claimed before; nothing to do\n";
            return 0;
        }
        folder.finish(task, run(folder, task, job, std::max(std::atof(argv[3]), 0.1)));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "summand-task: " << error.what() << '\n';
        return 1;
    }
}
