// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/experiment.hpp"

#include <filesystem>

namespace summand::experiments {

struct RunOptions {
    std::filesystem::path folder = "results";
    std::optional<int> threads = {};  ///< cells at a time; empty = all cores; never changes a result
    int part = 1, parts = 1;  ///< of all cells every parts-th, from the part-th on: for several processes or machines
    std::vector<std::string> panels = {}, methods = {};  ///< only these; empty = all. First words do
    std::optional<double> minutes = {};                  ///< after these no further cell is begun
};

struct Progress {
    int done = 0, total = 0;  ///< cells of this call, those found in the folder among them
    const Result* latest = nullptr;
};

struct Outcome {
    int found = 0, computed = 0, left = 0;
    double core_seconds = 0.0;  ///< processor time of the computed cells
};

/// Runs the chosen cells that are not in FOLDER/NAME/ yet and keeps each as soon as it is finished.
/// Throws InvalidArgument for unknown panels or methods and parts that make no sense. `progress`: one call at a time.
Outcome run_cells(const Experiment& experiment, const RunOptions& options,
                  const std::function<void(const Progress&)>& progress = {});

/// Tables and figures of what is in the folder; also written there as FOLDER/NAME.csv, .svg and so on.
Report write_report(const Experiment& experiment, const std::filesystem::path& folder);

}  // namespace summand::experiments
