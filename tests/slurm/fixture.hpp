// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/slurm.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace summand::executor {

inline SlurmOptions quick_slurm(const std::filesystem::path& folder) {
    SlurmOptions options;
    options.folder = folder / "slurm";
    options.poll_seconds = 0.5;
    options.file_delay_seconds = 1.0;
    return options;
}

/// An executor for Slurm in a folder of its own, impatient enough for tests.
struct SlurmFixture : ::testing::Test {
    testing_support::TemporaryFolder folder;
    std::unique_ptr<Executor> executor;

    void TearDown() override {
        if (executor) executor->stop_all();
    }
    SlurmOptions quick() { return quick_slurm(folder.path()); }
    std::unique_ptr<Executor> make() { return slurm(quick()); }

    Job job(std::int64_t id, const std::string& script) {
        Job made;
        made.id = id;
        made.command = {"/bin/sh", "-c", script};
        made.directory = folder.path();
        return made;
    }
    /// Runs until `go` exists.
    static std::string until_go() { return "while ! test -e go; do sleep 0.05; done; "; }
    void go() { std::ofstream(folder / "go").flush(); }

    std::vector<Finished> all() {
        std::vector<Finished> found;
        while (executor->running() > 0)
            for (Finished& finished : executor->wait(5.0)) found.push_back(std::move(finished));
        return found;
    }
    void wait_for(const std::string& file) {
        while (!std::filesystem::exists(folder / file)) executor->wait(0.05);
    }
    std::size_t arrays() {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "slurm"))
            count += entry.path().filename().string().rfind("summand-1", 0) == 0 ? 1 : 0;
        return count;
    }
    /// How often task `id` ran: each run appends a line.
    std::size_t runs(std::int64_t id) {
        std::ifstream file(folder / ("ran-" + std::to_string(id)));
        std::size_t lines = 0;
        for (std::string line; std::getline(file, line);) ++lines;
        return lines;
    }
};

}  // namespace summand::executor
