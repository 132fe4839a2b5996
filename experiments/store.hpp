// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/experiment.hpp"

#include <filesystem>

namespace summand::experiments {

/// A folder with one small JSON file for each finished cell: its options and seed, and what came out.
///
/// A file appears whole or not at all, so a run can be killed at any time and go on later, and several processes may
/// share a folder.
class Store {
  public:
    explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path file_of(const Cell& cell) const;
    /// Empty if the cell has not been run, or its file is damaged. Throws StorageError if the file was made with another
    /// definition (options, seed, size): results of two kinds must not mix.
    std::optional<Result> load(const Cell& cell, const std::string& definition) const;
    /// Throws StorageError if it cannot be written.
    void save(const Result& result) const;
    /// Every cell of the experiment that is there.
    std::vector<Result> load_all(const Experiment& experiment) const;

  private:
    std::filesystem::path folder_;
};

/// Replaces the file by `text`, at once.
void write_whole(const std::filesystem::path& file, const std::string& text);

}  // namespace summand::experiments
