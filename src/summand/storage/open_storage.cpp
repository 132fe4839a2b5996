// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/open_storage.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/sqlite.hpp"
#ifdef SUMMAND_WITH_POSTGRES
#include "summand/storage/postgres.hpp"
#endif

namespace summand::storage {

bool is_postgres(const std::string& address) {
    return address.starts_with("postgresql://") || address.starts_with("postgres://");
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
