// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sqlite.hpp"

#include "summand/storage/sqlite_file.hpp"
#include "summand/storage/sqlite_storage.hpp"

namespace summand::storage {

std::unique_ptr<Storage> open_sqlite(const std::filesystem::path& path, OpenMode mode) {
    if (mode == OpenMode::create_if_missing && !std::filesystem::exists(path)) create_file(path);
    auto database = open_file(path);
    // Through a link or not, the file that orders the asks must be the same one.
    return std::make_unique<SqliteStorage>(std::filesystem::canonical(path), std::move(database));
}

}  // namespace summand::storage
