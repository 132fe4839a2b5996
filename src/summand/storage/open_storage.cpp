// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/open_storage.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/sqlite.hpp"
#ifdef SUMMAND_WITH_POSTGRES
#include "summand/storage/postgres.hpp"
#include "summand/storage/postgres_database.hpp"
#endif

namespace summand::storage {

bool is_postgres(const std::string& address) {
    return address.starts_with("postgresql://") || address.starts_with("postgres://");
}

bool is_database(const std::string& path) {
    return is_postgres(path) || looks_like_sqlite(path) || path.ends_with(".db");
}

std::string shown_address(const std::string& address) {
#ifdef SUMMAND_WITH_POSTGRES
    if (is_postgres(address)) return shown_url(address);
#endif
    return address;
}

std::unique_ptr<Storage> open_storage(const std::string& address, OpenMode mode, [[maybe_unused]] Trouble trouble) {
    if (!is_postgres(address)) return open_sqlite(address, mode);
#ifdef SUMMAND_WITH_POSTGRES
    return open_postgres(address, mode, std::move(trouble));
#else
    throw StorageError(
        "this Summand was built without PostgreSQL: install libpq (Debian: libpq-dev) and build it again, or keep the "
        "study in a file");
#endif
}

}  // namespace summand::storage
