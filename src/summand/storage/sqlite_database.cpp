// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sqlite_database.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace summand::storage {

namespace {

/// What the user can do about a result code of SQLite.
std::string advice(int code) {
    switch (code & 0xff) {
        case SQLITE_FULL:
            return "the disk is full; the file is sound and holds everything stored so far: free some space and repeat";
        case SQLITE_READONLY:
            return "it cannot be written: the file, its folder or the disk is read-only; make both writable for you, "
                   "or copy the "
                   "file elsewhere";
        case SQLITE_CANTOPEN:
            return "it cannot be opened: check that its folder exists and that you may read and write in it";
        case SQLITE_PERM:
            return "permission denied: check who owns the file";
        case SQLITE_CORRUPT:
            return "it is damaged (truncated or overwritten); it was left as it is: restore it from a backup";
        case SQLITE_NOTADB:
            return "it is not a database of Summand; it was left as it is: give another path";
        case SQLITE_BUSY:
            return "other processes have kept it locked for a minute; repeat, or look for a process that hangs";
        case SQLITE_IOERR:
            return "reading or writing failed: the disk is full or faulty, or a limit on file sizes was reached; what "
                   "was "
                   "stored before is sound";
        default:
            return "SQLite refused";
    }
}

[[noreturn]] void fail(sqlite3* connection, int code, const std::string& path) {
    const std::string detail = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
    const int extended = connection != nullptr ? sqlite3_extended_errcode(connection) : code;
    throw StorageError(path + ": " + advice(code) + " (SQLite " + std::to_string(extended) + ": " + detail + ")");
}

/// Called while another connection holds the lock: naps of uneven length, so that fifty processes do not march in step, for a
/// minute in all. Transactions here take milliseconds. On a slow disk the lock is hardly ever free and goes to whoever looks first,
/// so who has waited long looks more often.
int wait_for_lock(void* /*unused*/, int calls) {
    constexpr double most = 60e3, halving = 4e3, usual = 10.0, shortest = 0.2;  // milliseconds
    static thread_local double waited = 0.0;  // in naps: a process that was stopped meanwhile has not waited
    if (calls == 0) waited = 0.0;
    if (waited > most) return 0;
    const unsigned spread = (static_cast<unsigned>(getpid()) * 7919U + static_cast<unsigned>(calls) * 104729U) % 15U;
    const double uneven = 0.3 + 0.1 * spread;
    const double nap = calls < 4 ? 1.0 : std::max(shortest, usual * uneven * std::exp2(-waited / halving));
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(nap));
    waited += nap;
    return 1;
}

/// The writers of this process to one file queue here, and only one of them waits for the file's own lock: naps are for
/// other processes, and a server has several connections.
std::shared_ptr<std::mutex> writers_to(const std::string& path) {
    static std::mutex guarding;
    static std::map<std::string, std::weak_ptr<std::mutex>> all;
    const std::lock_guard guard(guarding);
    std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
    std::shared_ptr<std::mutex> found = all[path].lock();
    if (!found) all[path] = found = std::make_shared<std::mutex>();
    return found;
}

/// A path as the URI "file:...", with the three characters that mean something in a URI escaped.
std::string immutable_uri(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        if (c == '?')
            uri += "%3f";
        else if (c == '#')
            uri += "%23";
        else if (c == '%')
            uri += "%25";
        else
            uri += c;
    }
    return uri + "?immutable=1";
}

/// 0: there is no log.
std::uint64_t inode_of_log(const std::string& path) {
    struct stat found {};
    return stat((path + "-wal").c_str(), &found) == 0 ? found.st_ino : 0;
}

/// One run of a prepared statement, which can be used again afterwards.
class SqliteRows final : public Rows {
  public:
    SqliteRows(sqlite3* connection, sqlite3_stmt* statement, const std::string& path)
        : connection_(connection), statement_(statement), path_(path) {}
    ~SqliteRows() override {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }

    bool next() override {
        const int code = sqlite3_step(statement_);
        if (code == SQLITE_ROW) return true;
        if (code == SQLITE_DONE) return false;
        fail(connection_, code, path_);
    }
    SqlKind kind(int column) override {
        switch (sqlite3_column_type(statement_, column)) {
            case SQLITE_INTEGER:
                return SqlKind::integer;
            case SQLITE_FLOAT:
                return SqlKind::real;
            case SQLITE_TEXT:
                return SqlKind::text;
            case SQLITE_BLOB:
                return SqlKind::blob;
            default:
                return SqlKind::null;
        }
    }
    std::int64_t integer(int column) override { return sqlite3_column_int64(statement_, column); }
    double real(int column) override { return sqlite3_column_double(statement_, column); }
    std::string text(int column) override {
        const void* bytes = sqlite3_column_blob(statement_, column);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
        return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
    }

    // Binding: values stand in the order of the question marks.
    void operator()(std::monostate) { sqlite3_bind_null(statement_, ++bound_); }
    void operator()(std::int64_t value) { sqlite3_bind_int64(statement_, ++bound_, value); }
    void operator()(double value) { sqlite3_bind_double(statement_, ++bound_, value); }
    void operator()(std::string_view text) {
        sqlite3_bind_text64(statement_, ++bound_, address_of(text), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    }
    void operator()(Blob blob) {
        sqlite3_bind_blob64(statement_, ++bound_, address_of(blob.bytes), blob.bytes.size(), SQLITE_TRANSIENT);
    }

  private:
    /// A null pointer would bind NULL, so what is empty needs an address too.
    static const char* address_of(std::string_view bytes) { return bytes.empty() ? "" : bytes.data(); }

    sqlite3* connection_;
    sqlite3_stmt* statement_;
    const std::string& path_;
    int bound_ = 0;
};

}  // namespace

std::string first_bytes(const std::filesystem::path& path, std::size_t count) {
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    if (system == nullptr) return {};
    const std::unique_ptr<const char, void (*)(const char*)> name(
        sqlite3_create_filename(path.c_str(), "", "", 0, nullptr), sqlite3_free_filename);
    std::vector<std::max_align_t> room(static_cast<std::size_t>(system->szOsFile) / sizeof(std::max_align_t) + 1);
    auto* file = static_cast<sqlite3_file*>(static_cast<void*>(room.data()));
    std::string bytes(count, '\0');
    int code = system->xOpen(system, name.get(), file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nullptr);
    if (code == SQLITE_OK) code = file->pMethods->xRead(file, bytes.data(), static_cast<int>(count), 0);
    if (file->pMethods != nullptr) file->pMethods->xClose(file);
    return code == SQLITE_OK ? bytes : std::string();
}

SqliteDatabase::SqliteDatabase(const std::filesystem::path& path, Access access)
    : path_(path.string()), writers_(writers_to(path_)) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (access == Access::create) flags |= SQLITE_OPEN_CREATE;
    if (access == Access::immutable) flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    const std::string name = access == Access::immutable ? immutable_uri(path_) : path_;
    if (const int code = sqlite3_open_v2(name.c_str(), &connection_, flags, nullptr); code != SQLITE_OK) {
        try {
            fail(connection_, code, path_);
        } catch (...) {
            sqlite3_close(connection_);
            throw;
        }
    }
    sqlite3_busy_handler(connection_, wait_for_lock, nullptr);
}

SqliteDatabase::~SqliteDatabase() {
    for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    sqlite3_close(connection_);
}

sqlite3_stmt* SqliteDatabase::prepared(const std::string& sql) {
    sqlite3_stmt*& statement = statements_[sql];
    if (statement == nullptr) {
        const int code =
            sqlite3_prepare_v3(connection_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
        if (code != SQLITE_OK) fail(connection_, code, path_);
    }
    return statement;
}

void SqliteDatabase::execute(const std::string& script) {
    if (const int code = sqlite3_exec(connection_, script.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(connection_, code, path_);
}

std::unique_ptr<Rows> SqliteDatabase::start(const std::string& sql, const std::vector<SqlValue>& values) {
    auto rows = std::make_unique<SqliteRows>(connection_, prepared(sql), path_);
    for (const SqlValue& value : values) std::visit(*rows, value.kind);
    return rows;
}

std::unique_ptr<SqliteDatabase> SqliteDatabase::copy_in_memory() const {
    auto copy = std::make_unique<SqliteDatabase>(":memory:", Access::create);
    copy->path_ = path_;
    sqlite3_backup* backup = sqlite3_backup_init(copy->connection_, "main", connection_, "main");
    if (backup == nullptr) fail(copy->connection_, sqlite3_errcode(copy->connection_), path_);
    sqlite3_backup_step(backup, -1);
    if (const int code = sqlite3_backup_finish(backup); code != SQLITE_OK) fail(copy->connection_, code, path_);
    return copy;
}

void SqliteDatabase::begin(std::optional<std::int64_t> /*study*/) {
    if (!rescued_.empty()) refuse_moved();  // the copy must hold everything that was ever acknowledged
    std::unique_lock turn(*writers_);
    run("BEGIN IMMEDIATE");
    if (log_ == 0) log_ = inode_of_log(path_);
    writing_ = std::move(turn);
}

void SqliteDatabase::begin_snapshot() {
    run("BEGIN");
}

std::vector<Table> SqliteDatabase::tables() {
    std::vector<Table> found;
    Query row = query(
        "SELECT t.name, t.wr, c.name, c.type FROM pragma_table_list t, pragma_table_info(t.name) c "
        "WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid");
    while (row.next()) {
        const std::string name = row.text();
        if (found.empty() || found.back().name != name) found.push_back({name, {}, {}, false});
        Table& table = found.back();
        table.has_rowid = row.integer() == 0;
        const std::string column = table.columns.emplace_back(row.text());
        if (row.text() == "TEXT") table.text_columns.push_back(column);
    }
    return found;
}

void SqliteDatabase::commit() {
    run("COMMIT");
    if (writing_.owns_lock()) writing_.unlock();
    refuse_moved();
}

void SqliteDatabase::refuse_moved() {
    int moved = 0;
    sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    const bool log_lost = log_ != 0 && inode_of_log(path_) != log_;
    if (moved == 0 && !log_lost) return;
    const std::string what = path_ + (moved != 0 ? "" : "-wal") + " was deleted, moved or replaced while it was in use";
    // The kernel keeps a deleted file for those who have it open: everything can still be copied.
    if (rescued_.empty()) {
        const std::string copy = path_ + ".rescued-" + std::to_string(getpid());
        try {
            run("VACUUM INTO ?", copy);
            SqliteDatabase(copy, Access::read_write).execute("PRAGMA journal_mode = WAL");
        } catch (const StorageError& error) {
            throw StorageError(what + ", and what it held could not be saved beside it: " + error.what());
        }
        rescued_ = copy;
    }
    throw StorageError(what + "; everything stored so far is in " + rescued_ + ": move that to " + path_ +
                       " and repeat the command");
}

void SqliteDatabase::roll_back() noexcept {
    try {
        run("ROLLBACK");
    } catch (const StorageError&) {
        // A full disk or an I/O error has rolled the transaction back already.
    }
    if (writing_.owns_lock()) writing_.unlock();
}

}  // namespace summand::storage
