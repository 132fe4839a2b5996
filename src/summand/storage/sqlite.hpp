// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

#include <filesystem>

namespace summand::storage {

/// Studies in one SQLite file (write-ahead log, synchronous=FULL: a stored answer survives a power failure).
///
/// Throws StorageError for a file that is missing (mode existing), foreign, truncated, or written by a newer version;
/// never overwrites one. A new file appears complete or not at all. Beside the file lie NAME-wal and NAME-shm while it is
/// open (SQLite's), and NAME-turn, whose locks order the asks of several processes. If the file is deleted or moved while it
/// is open, the next change throws StorageError, and a copy of everything lies in NAME.rescued-PROCESS.
std::unique_ptr<Storage> open_sqlite(const std::filesystem::path& path, OpenMode mode);

/// Whether the file begins like an SQLite database.
bool looks_like_sqlite(const std::filesystem::path& path);

}  // namespace summand::storage
