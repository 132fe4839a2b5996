// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/slurm_folder.hpp"

#include "summand/base/error.hpp"
#include "summand/executor/slurm_commands.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace summand::executor {

namespace fs = std::filesystem;

namespace {

constexpr const char* prefix = "summand-";

bool is_in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

/// summand-task lies beside the program we are; the nodes may not see that folder, so they get a copy.
void install_runner(const fs::path& copy) {
    const fs::path runner = fs::read_symlink("/proc/self/exe").parent_path() / "summand-task";
    if (access(runner.c_str(), X_OK) != 0)
        throw ExecutorError("Slurm: the program " + runner.string() +
                            " is missing; it runs the tasks on the nodes and is installed together with summand");
    const std::string bytes = bytes_of(runner);
    if (fs::exists(copy) && bytes_of(copy) == bytes) return;
    const fs::path made = copy.string() + "." + std::to_string(getpid());
    write_whole(made, bytes);
    fs::permissions(made, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
    fs::rename(made, copy);
}

/// Names sort by time, and no two processes make the same one.
std::string new_name(int count) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    char host[32] = {};
    gethostname(host, sizeof host - 1);
    return prefix + std::to_string(microseconds) + "-" + host + "-" + std::to_string(getpid()) + "-" +
           std::to_string(count);
}

}  // namespace

SlurmFolder::SlurmFolder(const fs::path& path) : path_(path) {
    if (!is_in_path("sbatch") || !is_in_path("squeue"))
        throw ExecutorError(
            "Slurm: sbatch and squeue are not in PATH; run this on a machine from which jobs can be submitted, or with "
            "--executor local");
    std::error_code failed;
    fs::create_directories(scratch(), failed);
    if (failed)
        throw ExecutorError(
            "Slurm: the folder " + path.string() + " cannot be made (" + failed.message() +
            "); choose another one with folder in [run.slurm], on a file system that the nodes see too");
    install_runner(path_ / "summand-task");
}

TaskFolder SlurmFolder::create(const SlurmOptions& options, const std::vector<Job>& jobs) {
    const fs::path folder = path_ / new_name(++created_);
    return TaskFolder::create(folder, jobs, task_script(options, path_ / "summand-task", folder));
}

std::vector<fs::path> arrays_in(const fs::path& path) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator entry(path, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->path().filename().string().rfind(prefix, 0) == 0 && entry->path().extension() != ".part" &&
            entry->is_directory(failed))
            found.push_back(entry->path());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace summand::executor
