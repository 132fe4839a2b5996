// SPDX-License-Identifier: Apache-2.0
#pragma once
// On a real Slurm, started by cluster.sh: SLURM_CONF names it. Skips where there is none.
#include "slurm/fixture.hpp"

#include <algorithm>
#include <cstdlib>

namespace summand::executor {

inline std::string missing_cluster() {
    const char* configuration = std::getenv("SLURM_CONF");
    return configuration != nullptr && std::filesystem::exists(configuration)
               ? ""
               : "no Slurm cluster runs here: tests/slurm/cluster.sh starts one where Debian's packages are installed";
}

inline void cluster(const std::string& action) {
    const std::string command = std::string(SUMMAND_CLUSTER) + " " + action.substr(0, action.find(' ')) + " " +
                                std::filesystem::path(std::getenv("SLURM_CONF")).parent_path().string() +
                                action.substr(std::min(action.size(), action.find(' ')));
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

inline void shell(const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

struct SlurmTest : SlurmFixture {
    void SetUp() override {
        if (const std::string missing = missing_cluster(); !missing.empty()) GTEST_SKIP() << missing;
        executor = make();
    }
    /// Waits until the one task runs, and returns what Slurm calls it.
    std::string name_when_started() {
        wait_for("started");
        while (executor->places()[0].name.empty()) executor->wait(0.05);
        return executor->places()[0].name;
    }
    /// Shell words for the node of the one task.
    std::string node_when_started() { return "$(squeue --noheader --format=%N --job=" + name_when_started() + ")"; }
};

}  // namespace summand::executor
