// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

namespace summand::storage {

/// Studies in the schema `summand` of a PostgreSQL database, shared by several machines.
///
/// url: postgresql://user@host:port/database?options, as libpq reads it; PGHOST, PGPASSFILE and the like hold as always.
/// One connection, made again whenever it is lost: `trouble` is told, and may throw to give up. Times are the server's.
/// Throws StorageError if there is no such database, if it was written by a newer version, or (mode existing) if it holds
/// no tables of ours.
std::unique_ptr<Storage> open_postgres(const std::string& url, OpenMode mode, Trouble trouble = {});

}  // namespace summand::storage
