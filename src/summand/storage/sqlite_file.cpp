// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sqlite_file.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/sqlite.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace summand::storage {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t application_id = 0x53554D31;  // "SUM1": SQLite keeps it in the header, `file` shows it

fs::path beside(const fs::path& database, const char* suffix) {
    return fs::path(database.string() + suffix);
}

bool log_is_empty(const fs::path& database) {
    std::error_code missing;
    const auto size = fs::file_size(beside(database, "-wal"), missing);
    return missing || size == 0;
}

/// A file in a folder that cannot be written can still be read, if no write-ahead log waits beside it.
bool must_be_read_as_it_is(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return (access(path.c_str(), W_OK) != 0 || access(folder.c_str(), W_OK) != 0) && log_is_empty(path);
}

void refuse_foreign(Database& database) {
    if (database.integer("PRAGMA application_id") == application_id) return;
    throw StorageError(database.path() +
                       " is an SQLite database, but not one of Summand's; it was left as it is: give another path");
}

/// In write-ahead mode pages may still be in the log; but with an empty log the file itself must hold all of them.
void refuse_truncated(Database& database) {
    database.execute("BEGIN");
    const std::int64_t bytes = database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size");
    database.execute("COMMIT");
    const bool log_empty = log_is_empty(database.path());
    const auto size = static_cast<std::int64_t>(fs::file_size(database.path()));
    if (log_empty && size < bytes)
        throw StorageError(database.path() + " is truncated: it has " + std::to_string(size) + " bytes of " +
                           std::to_string(bytes) + "; it was left as it is: restore it from a backup");
}

/// A file of an older version that cannot be written is read through a copy that has been brought up to date.
std::unique_ptr<Database> readable_as_it_is(std::unique_ptr<SqliteDatabase> database) {
    if (database->integer("PRAGMA user_version") == static_cast<std::int64_t>(migrations().size())) return database;
    auto copy = database->copy_in_memory();
    migrate(*copy, migrations());
    copy->execute("PRAGMA query_only = ON");
    return copy;
}

class FileTurn : public Turn {
  public:
    explicit FileTurn(int descriptor) : descriptor_(descriptor) {}
    ~FileTurn() override { close(descriptor_); }

  private:
    int descriptor_;
};

}  // namespace

bool looks_like_sqlite(const fs::path& path) {
    using namespace std::string_view_literals;
    constexpr std::string_view magic = "SQLite format 3\0"sv;
    return first_bytes(path, magic.size()) == magic;
}

void migrate(Database& database, const std::vector<const char*>& scripts) {
    const auto newest = static_cast<std::int64_t>(scripts.size());
    for (;;) {
        const std::int64_t version = database.integer("PRAGMA user_version");
        refuse_unknown_schema(database, version, newest);
        if (version == newest) return;
        Transaction transaction(database);
        // Another process may have taken this step while we waited for the lock.
        if (database.integer("PRAGMA user_version") != version) continue;
        database.execute(scripts[static_cast<std::size_t>(version)]);
        database.execute("PRAGMA user_version = " + std::to_string(version + 1));
        transaction.commit();
    }
}

std::unique_ptr<Database> open_file(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error))
        throw StorageError(path.string() +
                           " does not exist: `summand run` or `summand ask` with the study file makes it");
    if (!fs::is_regular_file(path, error))
        throw StorageError(path.string() + " is not a file: give the path of a study's database");
    if (access(path.c_str(), R_OK) != 0)
        throw StorageError(path.string() + " cannot be read: " + std::strerror(errno) + "; check who owns the file");
    if (!looks_like_sqlite(path))
        throw StorageError(path.string() + (fs::file_size(path) == 0 ? " is empty" : " is not a database of Summand") +
                           "; it was left as it is: give another path, or move the file away to start anew");
    const auto how =
        must_be_read_as_it_is(path) ? SqliteDatabase::Access::immutable : SqliteDatabase::Access::read_write;
    auto database = std::make_unique<SqliteDatabase>(path, how);
    refuse_truncated(*database);
    refuse_foreign(*database);
    if (how == SqliteDatabase::Access::immutable) return readable_as_it_is(std::move(database));
    // FULL: in write-ahead mode, the log is synchronised at every commit.
    database->execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    migrate(*database, migrations());
    return database;
}

void create_file(const fs::path& path) {
    // In this order: another process may be making the database, and makes it before its log.
    if (fs::exists(beside(path, "-wal")) && !fs::exists(path))
        throw StorageError(beside(path, "-wal").string() + " lies there without its database " + path.string() +
                           ": it belongs to one that was moved or deleted; bring that back, or move this file away");
    const fs::path draft = beside(path, (".new-" + std::to_string(getpid())).c_str());
    const auto remove_draft = [&] {
        std::error_code ignored;
        for (const char* part : {"", "-wal", "-shm"}) fs::remove(beside(draft, part), ignored);
    };
    remove_draft();
    try {
        SqliteDatabase database(draft, SqliteDatabase::Access::create);
        database.execute("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA application_id = " +
                         std::to_string(application_id));
        migrate(database, migrations());
        // All of it into the file itself: what closing the database would do too, but without a word if the disk is full.
        if (database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0)
            throw StorageError(draft.string() + " is in use by another process; repeat");
    } catch (...) {
        remove_draft();
        throw;
    }
    // link() never replaces a file: of two processes, the second finds the first one's.
    const bool made = link(draft.c_str(), path.c_str()) == 0;
    const int cause = errno;
    remove_draft();
    if (!made && cause != EEXIST)
        throw StorageError(path.string() + " cannot be made: " + std::strerror(cause) + "; check its folder");
}

std::unique_ptr<Turn> lock_turn(const fs::path& database, std::int64_t study, const std::stop_token& stop) {
    const fs::path path = beside(database, "-turn");
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        throw StorageError(path.string() + " cannot be opened: " + std::strerror(errno) +
                           "; asking for trials needs to write beside the database");
    auto turn = std::make_unique<FileTurn>(descriptor);
    // One byte for each study. OFD locks belong to the open file, so threads exclude one another as processes do.
    struct flock byte {};
    byte.l_type = F_WRLCK;
    byte.l_whence = SEEK_SET;
    byte.l_start = study;
    byte.l_len = 1;
    for (int tries = 0; fcntl(descriptor, F_OFD_SETLK, &byte) != 0; ++tries) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            throw StorageError(path.string() + " cannot be locked: " + std::strerror(errno) +
                               "; the file system must support locks");
        if (stop.stop_requested()) throw Interrupted();
        std::this_thread::sleep_for(std::chrono::milliseconds(tries < 10 ? 1 : 1 + (getpid() + tries) % 10));
    }
    return turn;
}

}  // namespace summand::storage
