// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

namespace summand::storage {

/// Whether the address of a database is that of a PostgreSQL server; otherwise it is the path of a file.
bool is_postgres(const std::string& address);

/// Whether a path that a user gives is a database, not a study file.
bool is_database(const std::string& path);

/// An address as it may be shown: of a server, without user and password.
std::string shown_address(const std::string& address);

/// The storage at an address: postgresql://... or the path of an SQLite file. Throws StorageError.
std::unique_ptr<Storage> open_storage(const std::string& address, OpenMode mode, Trouble trouble = {});

}  // namespace summand::storage
