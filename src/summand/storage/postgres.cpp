// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/postgres.hpp"

#include "summand/storage/postgres_storage.hpp"

namespace summand::storage {

namespace {

/// 0: there are no tables of ours.
std::int64_t schema_version(Database& database) {
    const bool there = database.integer(
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'summand' AND tablename = 'schema_version'");
    return there ? database.integer("SELECT version FROM summand.schema_version") : 0;
}

void take_step(PostgresDatabase& database, std::int64_t version, const char* script) {
    Transaction transaction(database);
    // Another process may have taken this step while we waited for the lock.
    if (schema_version(database) != version) return;
    if (version == 0) {
        // The schema may have been made for us by an administrator.
        if (database.integer("SELECT count(*) FROM pg_namespace WHERE nspname = 'summand'") == 0)
            database.execute("CREATE SCHEMA summand");
        database.execute(
            "CREATE TABLE summand.schema_version (version BIGINT NOT NULL);"
            "INSERT INTO summand.schema_version VALUES (0)");
    }
    database.execute(script);
    database.run("UPDATE summand.schema_version SET version = ?", version + 1);
    transaction.commit();
}

}  // namespace

void migrate(PostgresDatabase& database, const std::vector<const char*>& scripts, OpenMode mode) {
    const auto newest = static_cast<std::int64_t>(scripts.size());
    for (;;) {
        try {
            const std::int64_t version = schema_version(database);
            refuse_unknown_schema(database, version, newest);
            if (version == 0 && mode == OpenMode::existing)
                throw StorageError(database.path() +
                                   " holds no studies yet: `summand run` or `summand ask` with the study file makes "
                                   "the tables");
            if (version == newest) return;
            take_step(database, version, scripts[static_cast<std::size_t>(version)]);
        } catch (const Passing&) {
            // The step was not taken: once more.
        }
    }
}

std::unique_ptr<Storage> open_postgres(const std::string& url, OpenMode mode, Trouble trouble) {
    auto database = std::make_unique<PostgresDatabase>(url, std::move(trouble));
    migrate(*database, postgres_migrations(), mode);
    return std::make_unique<PostgresStorage>(std::move(database));
}

}  // namespace summand::storage
