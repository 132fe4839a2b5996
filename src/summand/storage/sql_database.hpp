// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The SQL that SQLite and PostgreSQL have in common: statements with question marks for values, rows read column by
// column, transactions. Knows nothing of studies.
namespace summand::storage {

struct Blob {
    std::string_view bytes = {};
};

/// A value for a question mark; std::monostate is NULL. Texts and blobs must outlive the query.
class SqlValue {
  public:
    using Kinds = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;
    SqlValue(std::int64_t value) : kind(value) {}
    SqlValue(int value) : kind(std::int64_t{value}) {}
    SqlValue(bool value) : kind(std::int64_t{value}) {}
    SqlValue(double value) : kind(value) {}
    SqlValue(const std::string& text) : kind(std::string_view(text)) {}
    SqlValue(const char* text) : kind(std::string_view(text)) {}
    SqlValue(Blob blob) : kind(blob) {}
    template <class T>
    SqlValue(const std::optional<T>& value) : kind(value ? SqlValue(*value).kind : Kinds()) {}

    Kinds kind;
};

/// What a column of a row holds.
enum class SqlKind { null, integer, real, text, blob };

/// A table as it is, so that it can be copied without knowing what it is for.
struct Table {
    std::string name = {};
    std::vector<std::string> columns = {};       ///< without rowid
    std::vector<std::string> text_columns = {};  ///< those that hold text and nothing else
    bool has_rowid = false;                      ///< rows have an order of their own
};

/// The rows of one run of a statement, one after the other.
class Rows {
  public:
    virtual ~Rows() = default;
    virtual bool next() = 0;  ///< to the next row, if there is one
    virtual SqlKind kind(int column) = 0;
    virtual std::int64_t integer(int column) = 0;
    virtual double real(int column) = 0;
    virtual std::string text(int column) = 0;  ///< of texts and blobs
};

/// Step through the rows, read columns in order.
class Query {
  public:
    explicit Query(std::unique_ptr<Rows> rows) : rows_(std::move(rows)) {}

    bool next() {
        column_ = 0;
        return rows_->next();
    }
    void run() {  ///< for a statement without rows
        while (next()) {
        }
    }
    std::int64_t integer() { return rows_->integer(column_++); }
    double real() { return rows_->real(column_++); }
    std::string text() { return rows_->text(column_++); }
    SqlKind kind() { return rows_->kind(column_); }  ///< of the next column
    std::optional<double> optional_real();
    std::optional<std::int64_t> optional_integer();

  private:
    std::unique_ptr<Rows> rows_;
    int column_ = 0;
};

/// A connection. Not for two threads at once.
class Database {
  public:
    virtual ~Database() = default;

    /// The values take the places of the question marks.
    template <class... Values>
    Query query(const std::string& sql, const Values&... values) {
        return Query(start(sql, {SqlValue(values)...}));
    }
    Query query_with(const std::string& sql, const std::vector<SqlValue>& values) { return Query(start(sql, values)); }
    template <class... Values>
    void run(const std::string& sql, const Values&... values) {
        perform(sql, {SqlValue(values)...});
    }
    void run_with(const std::string& sql, const std::vector<SqlValue>& values) { perform(sql, values); }
    std::int64_t integer(const std::string& sql);               ///< the first number of the first row; 0 without rows
    virtual void execute(const std::string& script) = 0;        ///< several statements, no values
    virtual const std::string& path() const = 0;                ///< where it is, for sentences
    virtual void begin(std::optional<std::int64_t> study) = 0;  ///< see Transaction
    virtual void begin_snapshot() = 0;                          ///< until roll_back() all reads see the same moment
    virtual std::vector<Table> tables() = 0;                    ///< of ours
    virtual void commit() = 0;
    virtual void roll_back() noexcept = 0;

  protected:
    /// Runs a statement that is prepared once and kept.
    virtual std::unique_ptr<Rows> start(const std::string& sql, const std::vector<SqlValue>& values) = 0;
    /// Likewise, without rows; inside of a transaction it may be put off until the next rows are read, or commit().
    virtual void perform(const std::string& sql, const std::vector<SqlValue>& values) {
        Query(start(sql, values)).run();
    }
};

/// A change to one study, or to the list of studies: nobody else changes it at the same time. Rolled back unless
/// committed.
class Transaction {
  public:
    explicit Transaction(Database& database, std::optional<std::int64_t> study = {});
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

  private:
    Database& database_;
    bool open_ = true;
};

/// Refuses a schema that this program, which has steps up to `newest`, does not know.
void refuse_unknown_schema(const Database& database, std::int64_t version, std::int64_t newest);

}  // namespace summand::storage
