// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// SQLite's C interface with owners, and its error codes turned into sentences. Knows nothing of studies.
namespace summand::storage {

struct Blob {
    std::string_view bytes = {};
};

/// One run of a prepared statement: step through the rows, read columns in order.
class Query {
  public:
    template <class... Values>
    Query(sqlite3* connection, sqlite3_stmt* statement, const std::string& path, const Values&... values)
        : connection_(connection), statement_(statement), path_(path) {
        (bind(values), ...);
    }
    ~Query();
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    bool next();  ///< to the next row, if there is one
    void run();   ///< for a statement without rows

    std::int64_t integer();
    double real();
    std::string text();
    std::optional<double> optional_real();
    std::optional<std::int64_t> optional_integer();

  private:
    void bind(std::int64_t value);
    void bind(int value) { bind(static_cast<std::int64_t>(value)); }
    void bind(bool value) { bind(static_cast<std::int64_t>(value)); }
    void bind(double value);
    void bind(const std::string& text);
    void bind(const char* text) { bind(std::string(text)); }
    void bind(Blob blob);
    void bind_null();
    template <class T>
    void bind(const std::optional<T>& value) {
        value ? bind(*value) : bind_null();
    }

    sqlite3* connection_;
    sqlite3_stmt* statement_;
    const std::string& path_;
    int bound_ = 0;
    int column_ = 0;
};

/// A connection. Not for two threads at once.
class Database {
  public:
    enum class Access { read_write, create, immutable };
    Database(const std::filesystem::path& path, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Prepared once and kept; the values take the places of the question marks.
    template <class... Values>
    Query query(const std::string& sql, const Values&... values) {
        return Query(connection_, prepared(sql), path_, values...);
    }
    template <class... Values>
    void run(const std::string& sql, const Values&... values) {
        query(sql, values...).run();
    }
    void execute(const std::string& script);  ///< several statements, no parameters
    std::int64_t integer(const std::string& sql);
    int changes() const;
    const std::string& path() const { return path_; }

  private:
    sqlite3_stmt* prepared(const std::string& sql);

    std::string path_;
    sqlite3* connection_ = nullptr;
    std::map<std::string, sqlite3_stmt*> statements_;
};

/// BEGIN IMMEDIATE ... COMMIT; rolled back unless committed.
class Transaction {
  public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

  private:
    Database& database_;
    bool open_ = true;
};

}  // namespace summand::storage
