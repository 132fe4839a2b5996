// SPDX-License-Identifier: Apache-2.0
#include "summand/study/choose_executor.hpp"

#include "summand/base/error.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/executor/slurm.hpp"

#include <cctype>

namespace summand {

namespace {

std::string file_name_for(const Study& study) {
    std::string name;
    for (const char c : study.name()) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name + "-" + std::to_string(static_cast<std::int64_t>(study.created_at() * 1000.0));
}

}  // namespace

executor::SlurmOptions slurm_options_of(const Study& study) {
    executor::SlurmOptions options = study.settings().slurm;
    const bool in_a_file = !study.database().empty() && study.database().find("://") == std::string::npos;
    if (options.folder.empty() && in_a_file)
        options.folder = std::filesystem::absolute(study.database()).replace_extension(".slurm");
    if (options.folder.empty())
        throw InvalidArgument("study \"" + study.name() +
                              "\" has no folder for Slurm; give one with folder in [run.slurm]");
    options.folder /= file_name_for(study);
    return options;
}

std::unique_ptr<executor::Executor> executor_for(const Study& study, ExecutorKind kind) {
    if (kind == ExecutorKind::local) return executor::local_processes();
    return executor::slurm(slurm_options_of(study));
}

}  // namespace summand
