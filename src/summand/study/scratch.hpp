// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace summand::study {

/// A folder for parameter and result files, removed at the end.
class Scratch {
  public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "summand-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw ExecutorError("no temporary folder can be made at " + name + "; is the disk full?");
        path_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace summand::study
