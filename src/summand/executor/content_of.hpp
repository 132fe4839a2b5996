// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace summand::executor {

/// All bytes of a file; empty if it cannot be opened, or the path is empty.
inline std::optional<std::string> content_of(const std::filesystem::path& path) {
    const std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace summand::executor
