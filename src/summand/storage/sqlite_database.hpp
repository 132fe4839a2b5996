// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/sql_database.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

struct sqlite3;
struct sqlite3_stmt;

namespace summand::storage {

/// What a file begins with; less if it is shorter or cannot be read. By SQLite's own means: any other way to open and close a
/// database would take the locks of all connections of this process from them (POSIX: they belong to process and file), and the
/// next process to leave would delete the log that these connections go on writing to.
std::string first_bytes(const std::filesystem::path& path, std::size_t count);

/// SQLite's C interface with an owner, and its error codes turned into sentences.
class SqliteDatabase final : public Database {
  public:
    enum class Access { read_write, create, immutable };
    SqliteDatabase(const std::filesystem::path& path, Access access);
    ~SqliteDatabase() override;
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    void execute(const std::string& script) override;
    std::unique_ptr<SqliteDatabase> copy_in_memory() const;  ///< with the same path in its messages
    const std::string& path() const override { return path_; }
    void begin(std::optional<std::int64_t> study) override;  ///< locks the whole file
    void begin_snapshot() override;
    std::vector<Table> tables() override;
    void commit() override;
    void roll_back() noexcept override;

  protected:
    std::unique_ptr<Rows> start(const std::string& sql, const std::vector<SqlValue>& values) override;

  private:
    sqlite3_stmt* prepared(const std::string& sql);
    void refuse_moved();  ///< throws if nobody else will find this file, or its log, under its name any more

    std::string path_;
    std::shared_ptr<std::mutex> writers_;  ///< of this process to this file
    std::unique_lock<std::mutex> writing_;
    std::string rescued_;    ///< where a copy was made, when the file had gone
    std::uint64_t log_ = 0;  ///< the inode of the write-ahead log, once there is one
    sqlite3* connection_ = nullptr;
    std::map<std::string, sqlite3_stmt*> statements_;
};

}  // namespace summand::storage
