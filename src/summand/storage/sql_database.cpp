// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sql_database.hpp"

#include "summand/base/error.hpp"

namespace summand::storage {

std::optional<double> Query::optional_real() {
    if (kind() != SqlKind::null) return real();
    ++column_;
    return {};
}

std::optional<std::int64_t> Query::optional_integer() {
    if (kind() != SqlKind::null) return integer();
    ++column_;
    return {};
}

std::int64_t Database::integer(const std::string& sql) {
    Query row = query(sql);
    return row.next() ? row.integer() : 0;
}

Transaction::Transaction(Database& database, std::optional<std::int64_t> study) : database_(database) {
    database_.begin(study);
}

Transaction::~Transaction() {
    if (open_) database_.roll_back();
}

void Transaction::commit() {
    database_.commit();
    open_ = false;
}

void refuse_unknown_schema(const Database& database, std::int64_t version, std::int64_t newest) {
    if (version < 0)
        throw StorageError(database.path() + " is damaged: its schema is numbered " + std::to_string(version) +
                           "; it was left as it is: restore it from a backup");
    if (version > newest)
        throw StorageError(database.path() + " was written by a newer Summand (schema " + std::to_string(version) +
                           "; this program knows up to " + std::to_string(newest) + "): use the newer program");
}

}  // namespace summand::storage
