// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/sqlite_database.hpp"
#include "summand/storage/storage.hpp"

#include <filesystem>
#include <memory>
#include <vector>

// The file around the tables: how it comes to be, which files are refused, how its schema moves on, who has the turn.
namespace summand::storage {

/// The steps of the schema: script n leads from version n to n+1 (schema/*.sql).
const std::vector<const char*>& migrations();

/// Brings the schema from its version to scripts.size(), each step in a transaction of its own together with the version
/// number. Throws StorageError if the file is newer than the scripts.
void migrate(Database& database, const std::vector<const char*>& scripts);

/// Opens a file that is there; throws StorageError unless it is whole, ours, and not newer than this program.
std::unique_ptr<Database> open_file(const std::filesystem::path& path);

/// Makes a complete new file; if another process was faster, its file stays.
void create_file(const std::filesystem::path& path);

/// Waits for the lock of one study on the file NAME-turn. The kernel lifts it when the holder dies.
std::unique_ptr<Turn> lock_turn(const std::filesystem::path& database, std::int64_t study, const std::stop_token& stop);

}  // namespace summand::storage
