// SPDX-License-Identifier: Apache-2.0
#include "slurm_status.hpp"

#include "summand/executor/slurm_commands.hpp"
#include "summand/study/choose_executor.hpp"

#include <algorithm>
#include <map>

namespace summand::cli {

executor::SlurmOverview open_slurm_tasks(const Study& study) {
    if (study.settings().slurm.folder.empty() && study.settings().executor == ExecutorKind::local) return {};
    executor::SlurmOverview overview = executor::slurm_overview(slurm_options_of(study));
    std::erase_if(overview.tasks, [&](const executor::SlurmTask& task) {
        const auto trial = study.trial(task.id);
        return !trial || trial->ended_at;
    });
    return overview;
}

std::string job_list(const std::vector<std::string>& names) {
    constexpr std::size_t most = 5;
    std::map<std::string, std::vector<int>> arrays;
    for (const std::string& name : names)
        if (const auto line = name.find('_'); line != std::string::npos)
            arrays[name.substr(0, line)].push_back(std::stoi(name.substr(line + 1)));
    std::string text;
    for (auto& [array, tasks] : arrays) {
        std::sort(tasks.begin(), tasks.end());
        if (&tasks == &arrays.begin()->second || std::count(text.begin(), text.end(), ' ') + 1 < static_cast<int>(most))
            text += (text.empty() ? "" : " ") + array + "_[" + executor::ranges(tasks) + "]";
    }
    return arrays.size() > most ? text + " ..." : text;
}

}  // namespace summand::cli
