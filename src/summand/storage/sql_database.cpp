// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sql_database.hpp"

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

}  // namespace summand::storage
