// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs called sbatch, squeue, sacct and scancel that do what a test tells them: what a cluster does once a year, in
// milliseconds and without one.
#include "support/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace summand::testing_support {

/// First in PATH while it lives; its tasks end with it. The tasks that sbatch takes start at once, as processes of this machine.
class FakeSlurm {
  public:
    FakeSlurm() : path_before_(std::getenv("PATH")) {
        program("sbatch", R"(
for argument; do case $argument in --array=*) array=${argument#*=} ;; --job-name=*) name=${argument#*=} ;; esac; done
number=$(grep -c sbatch calls)
for range in ${array//,/ }; do for task in $(seq "${range%-*}" "${range#*-}"); do
    echo "$number $task $name" >> tasks
    [ -e held ] || echo "$number $task ${@: -1}" > nodes
done; done
[ -e sbatch-hangs ] && exec sleep 1000
echo "$number")");
        program("squeue", R"(
[ -e squeue-hangs ] && exec sleep 1000
cat others 2>/dev/null
state=$(cat state)
[ "$state" = gone ] || while read -r number task name; do echo "$number|$task|$state|n1|None|$name"; done < tasks
cat others 2>/dev/null; true)");
        program("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
        program("scancel", "");
        program("node", R"(
while read -r number task script && [ "$number" != end ]; do
    SLURM_ARRAY_JOB_ID=$number SLURM_ARRAY_TASK_ID=$task bash "$script" >/dev/null 2>&1 &
done <> nodes
kill -KILL 0)");
        say("RUNNING");
        std::ofstream(folder_ / "tasks").flush();
        const std::string nodes = (folder_ / "nodes").string(), node = (folder_ / "node").string();
        if (std::system(("mkfifo " + nodes + " && { setsid " + node + " & }").c_str()) != 0) std::abort();
        setenv("PATH", (folder_.path().string() + ":" + path_before_).c_str(), 1);
    }
    ~FakeSlurm() {
        std::ofstream(folder_ / "nodes") << "end\n";
        setenv("PATH", path_before_.c_str(), 1);
    }
    FakeSlurm(const FakeSlurm&) = delete;
    FakeSlurm& operator=(const FakeSlurm&) = delete;

    /// What squeue says of all tasks from now on: a state of Slurm, or "gone": it does not know them.
    void say(const std::string& state) {
        std::ofstream(folder_ / "state.new") << state;
        std::filesystem::rename(folder_ / "state.new", folder_ / "state");
    }
    /// "squeue-hangs", "sbatch-hangs" (after its work), "held" (tasks do not start).
    void set(const std::string& what) { std::ofstream(folder_ / what).flush(); }
    void unset(const std::string& what) { std::filesystem::remove(folder_ / what); }
    /// Jobs of the same user that are not ours, before and after ours.
    void add_others(int count) {
        std::ofstream others(folder_ / "others");
        for (int i = 0; i < count; ++i) others << 1000 + i << "|0|PENDING||Priority|somebody-elses-long-simulation\n";
    }
    int calls(const std::string& program) const {
        std::ifstream file(folder_ / "calls");
        int count = 0;
        for (std::string line; std::getline(file, line);) count += line == program ? 1 : 0;
        return count;
    }

  private:
    void program(const std::string& name, const std::string& script) {
        std::ofstream(folder_ / name) << "#!/bin/bash\ncd " << folder_.path().string() << " || exit 1\necho " << name
                                      << " >> calls\n"
                                      << script << '\n';
        std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
    }
    TemporaryFolder folder_;
    std::string path_before_;
};

}  // namespace summand::testing_support
