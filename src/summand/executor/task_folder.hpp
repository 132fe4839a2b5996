// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"

#include <map>

namespace summand::executor {

/// The tasks of one array in a folder that the nodes see too. Task k is told by files:
///
///     jobs       what each task is to run; whole before the folder has its name, and so is
///     script     which Slurm starts for each
///     job        the number Slurm gave the array
///     k.claim    made by whoever comes first: the task, which then runs its program, or we, so that it never will;
///                we write into a task's claim that it is withdrawn, and the task ends its program and says so
///     k.log      what Slurm and the prologue wrote
///     k.written  what the program has written so far; replaced now and then
///     k.result   how the program ended; whole before it has its name
///     k.done     its end has been stored
///
/// A claim can be made once, so a task never runs twice, however often Slurm starts it. A task that Slurm has lost and that
/// runs all the same is stopped by its claim before it is started again as another task.
class TaskFolder {
  public:
    /// Writes a new folder. Throws ExecutorError.
    static TaskFolder create(const std::filesystem::path& path, const std::vector<Job>& jobs,
                             const std::string& script);
    /// One that is there; empty if it is not whole.
    static std::optional<TaskFolder> open(const std::filesystem::path& path);
    explicit TaskFolder(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }
    std::string name() const { return path_.filename().string(); }
    const std::vector<std::int64_t>& ids() const { return ids_; }  ///< of the jobs, by task

    std::optional<Job> job(int task) const;
    std::optional<std::string> array() const;  ///< Slurm's number of it, if it is known
    void set_array(const std::string& number) const;

    bool claim(int task, const std::string& who) const;  ///< true: nobody had claimed it before
    /// It is not to run, or not any longer. True: it never will, because nobody had claimed it before.
    bool withdraw(int task) const;
    /// Whether the claim of a task that runs was withdrawn, or is gone with the folder.
    bool withdrawn(int task) const;
    void keep_written(int task, const Written& written) const;
    std::optional<Written> written(int task) const;
    void finish(int task, const Finished& finished) const;
    std::optional<Finished> result(int task) const;
    std::string log(int task) const;
    void mark_done(int task) const;

    /// What lies in the folder, read at once.
    struct State {
        bool claimed = false, finished = false, done = false;
    };
    std::vector<State> states() const;
    void remove() const noexcept;

  private:
    std::filesystem::path file(int task, const char* kind) const;
    std::filesystem::path path_;
    std::vector<std::int64_t> ids_;
};

/// Writes a file that is whole whenever it is there: under another name first, on the disk, then renamed.
void write_whole(const std::filesystem::path& path, const std::string& bytes);

}  // namespace summand::executor
