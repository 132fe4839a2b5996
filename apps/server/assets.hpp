// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"

#include <filesystem>
#include <map>

namespace summand::server {

/// The dashboard's files, read into memory once: no request reaches a file.
class Assets {
  public:
    Assets() = default;
    /// All files below a folder. Throws StorageError if there is no index.html.
    explicit Assets(const std::filesystem::path& folder);
    bool empty() const { return files_.empty(); }
    /// "/" and addresses of the dashboard's own (no dot in the last part) are index.html. 304 if the client has it already.
    Response get(const Request& request, const Target& target) const;

  private:
    struct File {
        std::string type = {};
        std::string bytes = {};
        std::string tag = {};
    };
    std::map<std::string, File> files_;  // by path: "assets/main.js"
};

}  // namespace summand::server
