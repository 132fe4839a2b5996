// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/executor/slurm.hpp"
#include "summand/executor/slurm_client.hpp"
#include "summand/executor/slurm_commands.hpp"
#include "summand/executor/slurm_folder.hpp"

namespace summand::executor {

namespace {

constexpr double patience_seconds = 10.0;  // somebody waits in front of a screen

std::optional<Queue> ask_queue(std::string& trouble) {
    std::optional<Queue> queue;
    try {
        SlurmClient client(patience_seconds);
        client.call(queue_command(), [&](const SlurmAnswer& answer) {
            if (answer.complaint.empty())
                queue = parse_queue(answer.output);
            else
                trouble = "squeue: " + answer.complaint;
        });
        while (client.busy()) client.wait(1.0);
    } catch (const ExecutorError& error) {
        trouble = error.what();
    }
    return queue;
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
