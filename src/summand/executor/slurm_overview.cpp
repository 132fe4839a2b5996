// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/executor/slurm.hpp"
#include "summand/executor/slurm_commands.hpp"
#include "summand/executor/slurm_folder.hpp"

namespace summand::executor {

namespace {

std::optional<Queue> ask_queue(std::string& trouble) {
    try {
        const auto commands = local_processes();
        Job job;
        job.command = queue_command();
        job.time_limit_seconds = 10.0;
        commands->start(job);
        std::vector<Finished> finished;
        while (finished.empty()) finished = commands->wait(1.0);
        if (finished[0].ending == Ending::exited && finished[0].code == 0) return parse_queue(finished[0].output);
        trouble = "squeue: " + (finished[0].error.empty() ? describe(finished[0]) : finished[0].error);
    } catch (const ExecutorError& error) {
        trouble = error.what();
    }
    return {};
}

SlurmTask describe_task(std::int64_t id, const TaskFolder& folder, int index, const TaskFolder::State& state,
                        const std::optional<Queue>& queue) {
    SlurmTask task;
    task.id = id;
    if (const auto array = folder.array()) task.name = *array + "_" + std::to_string(index);
    task.state = state.finished ? "finished" : state.claimed ? "running" : "waiting";
    if (state.finished || !queue) return task;
    const auto array = queue->find(folder.name());
    if (array == queue->end() || array->second.count(index) == 0) {
        if (!task.name.empty()) task.state = "lost";
        return task;
    }
    const QueueEntry& entry = array->second.at(index);
    task.name = entry.array + "_" + std::to_string(index);
    if (is_over(entry.state)) task.state = "lost";
    task.detail = is_waiting(entry.state) ? entry.reason : is_over(entry.state) ? entry.state : entry.node;
    return task;
}

}  // namespace

SlurmOverview slurm_overview(const SlurmOptions& options) {
    SlurmOverview overview;
    const std::vector<std::filesystem::path> arrays = arrays_in(options.folder);
    if (arrays.empty()) return overview;
    const auto queue = ask_queue(overview.trouble);
    for (const std::filesystem::path& path : arrays) {
        const auto folder = TaskFolder::open(path);
        if (!folder) continue;  // gone meanwhile
        const auto states = folder->states();
        for (std::size_t i = 0; i < states.size(); ++i)
            if (!states[i].done)
                overview.tasks.push_back(
                    describe_task(folder->ids()[i], *folder, static_cast<int>(i), states[i], queue));
    }
    return overview;
}

}  // namespace summand::executor
