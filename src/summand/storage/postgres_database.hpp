// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/error.hpp"
#include "summand/storage/sql_database.hpp"
#include "summand/storage/storage.hpp"

#include <map>

struct pg_conn;
struct pg_result;

namespace summand::storage {

/// The connection broke, or the server ended a transaction that stood in the way of others; nothing has changed, and the
/// same call may be made again.
class Passing : public StorageError {
  public:
    using StorageError::StorageError;
};

/// Where it is, without user and password: postgresql://host:port/database. Throws InvalidArgument.
std::string shown_url(const std::string& url);

/// libpq's C interface with an owner: connects again when a connection is lost, and knows of every transaction whether
/// it was committed. Its errors are sentences without passwords.
class PostgresDatabase final : public Database {
  public:
    /// url: postgresql://... as libpq reads it; passwords also from PGPASSFILE, ~/.pgpass or PGPASSWORD. A server that
    /// does not answer is tried for a minute; `trouble` is told.
    PostgresDatabase(std::string url, Trouble trouble);
    ~PostgresDatabase() override;
    PostgresDatabase(const PostgresDatabase&) = delete;
    PostgresDatabase& operator=(const PostgresDatabase&) = delete;

    void execute(const std::string& script) override;
    const std::string& path() const override { return path_; }
    /// Locks one study (or the list of studies) until the end of the transaction.
    void begin(std::optional<std::int64_t> study) override;
    void begin_snapshot() override;
    std::vector<Table> tables() override;
    /// Returns when the transaction is on disk. If the connection breaks meanwhile, asks over a new one what became of
    /// it: throws Passing if it is gone.
    void commit() override;
    void roll_back() noexcept override;

    /// Which connection this is: counts up when one is lost and made again.
    int session() const { return session_; }
    /// From now on transactions must begin in this session, or throw TurnLost; empty: in any.
    void expect_session(std::optional<int> session) { expected_session_ = session; }
    bool connected() const { return connection_ != nullptr; }

  protected:
    std::unique_ptr<Rows> start(const std::string& sql, const std::vector<SqlValue>& values) override;
    void perform(const std::string& sql, const std::vector<SqlValue>& values) override;

  private:
    void connect(double patience_seconds);
    std::string connect_once();  ///< returns what went wrong, or nothing
    bool may_pass() const;       ///< whether a server that cannot be reached now may be reached later
    void ensure_connected();
    void disconnect() noexcept;
    const std::string& prepared(const std::string& sql, const std::vector<SqlValue>& values);
    /// Throws unless the statement succeeded.
    void check(const pg_result* result);
    bool was_committed(std::int64_t transaction);

    // Inside of a transaction statements are sent without waiting for one another's answers: one exchange for many.
    void send(const std::string& sql, const std::vector<SqlValue>& values);
    void send_plain(const std::string& sql);
    void sent(int accepted);
    /// Waits for the answers to all that was sent; returns the last one, if there is any. Throws the first error.
    pg_result* answers();

    std::string url_;
    std::string path_;
    Trouble trouble_;
    pg_conn* connection_ = nullptr;
    int session_ = 0;
    std::optional<int> expected_session_ = {};
    std::map<std::string, std::string> statements_;  ///< SQL and types of the values -> name
    bool in_transaction_ = false;
    std::int64_t transaction_ = 0;       ///< the server's number of the transaction in progress; 0: not known yet
    int unanswered_ = 0;                 ///< statements sent
    std::string life_ = {};              ///< of the server: another one after every crash
    std::string transaction_life_ = {};  ///< in which the transaction began
    int transaction_number_at_ = 0;      ///< which of them asks for the number of the transaction; 0: none
};

}  // namespace summand::storage
