// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/postgres_database.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

#include <endian.h>
#include <libpq-fe.h>

namespace summand::storage {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double opening_patience_seconds = 60.0;
constexpr double endless_patience = 1e18;
// Advisory locks: (class, study). Turns have the next class.
constexpr int change_lock = 0x53554D01;

// Numbers of types, fixed in PostgreSQL's catalogue.
constexpr Oid type_bytea = 17, type_int8 = 20, type_int4 = 23, type_float8 = 701;

// What a session needs: our tables; and that locks of a machine that has vanished end within half a minute, whether it
// vanished inside of a transaction or outside of one.
constexpr const char* session_settings =
    "SET search_path = summand;"
    "SET idle_in_transaction_session_timeout = '30s';"
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;"
    "SET tcp_user_timeout = 25000;"
    // An answer is on disk when it is acknowledged, whatever the server's default is.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';"
    // A crash of the server throws its statistics away: what tells one life of it from the next.
    "SELECT CAST(stats_reset AS TEXT) FROM pg_stat_bgwriter";

// A transaction that commits waits until everything before it is on disk, so an empty one is a way to wait.
constexpr const char* wait_for_disk = "SELECT pg_logical_emit_message(true, 'summand', '')";

struct ResultDeleter {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ResultDeleter>;

/// Without the line break at the end, and what libpq adds on further lines.
std::string first_line(const char* message) {
    const std::string text = message == nullptr ? "" : message;
    return text.substr(0, text.find('\n'));
}

/// What the user can do about an SQLSTATE.
std::string advice(const std::string& state) {
    if (state == "42501") return "permission denied: the user of the database needs rights on the schema summand";
    if (state == "25006") return "the server is read-only (a standby?): give the address of the primary server";
    if (state == "53100") return "the disk of the server is full; everything stored so far is sound: free some space";
    if (state == "22021" || state == "22P05")
        return "a text contains bytes that PostgreSQL cannot keep (not valid UTF-8, or a zero); change the text";
    if (state == "3F000" || state == "42P01")
        return "its tables are not there; `summand run` or `summand ask` with the study file makes them";
    return "PostgreSQL refused";
}

/// A deadlock, a failure to serialise, an administrator's command, a shutdown: the same again may well succeed.
bool passes(const std::string& state) {
    return state.starts_with("40") || state.starts_with("08") || state.starts_with("57P") || state == "25P03";
}

/// SQL with $1, $2, ... for question marks. None of our statements has one in a text.
std::string numbered(const std::string& sql) {
    std::string text;
    int count = 0;
    for (const char c : sql) {
        if (c == '?')
            text += "$" + std::to_string(++count);
        else
            text += c;
    }
    return text;
}

/// Values as PostgreSQL's binary format wants them: big-endian numbers, raw bytes.
class Parameters {
  public:
    explicit Parameters(const std::vector<SqlValue>& values) {
        numbers_.reserve(values.size());  // so that addresses stay
        for (const SqlValue& value : values) std::visit(*this, value.kind);
    }
    void operator()(std::monostate) { append(nullptr, 0, 0); }
    void operator()(std::int64_t value) { append_number(std::bit_cast<std::uint64_t>(value), type_int8); }
    void operator()(double value) { append_number(std::bit_cast<std::uint64_t>(value), type_float8); }
    void operator()(std::string_view text) { append(text.empty() ? "" : text.data(), text.size(), 0); }
    void operator()(Blob blob) { (*this)(blob.bytes); }

    int count() const { return static_cast<int>(addresses.size()); }

    std::vector<const char*> addresses;
    std::vector<int> sizes;
    std::vector<int> formats;
    std::vector<Oid> types;  ///< 0: the server knows (text or bytes)

  private:
    void append(const char* address, std::size_t size, Oid type) {
        addresses.push_back(address);
        sizes.push_back(static_cast<int>(size));
        formats.push_back(1);
        types.push_back(type);
    }
    void append_number(std::uint64_t bits, Oid type) {
        numbers_.push_back(htobe64(bits));
        append(reinterpret_cast<const char*>(&numbers_.back()), sizeof bits, type);
    }
    std::vector<std::uint64_t> numbers_;
};

class PostgresRows final : public Rows {
  public:
    explicit PostgresRows(Result result) : result_(std::move(result)) {}

    bool next() override { return ++row_ < PQntuples(result_.get()); }
    SqlKind kind(int column) override {
        if (PQgetisnull(result_.get(), row_, column) != 0) return SqlKind::null;
        switch (PQftype(result_.get(), column)) {
            case type_int4:
            case type_int8:
                return SqlKind::integer;
            case type_float8:
                return SqlKind::real;
            case type_bytea:
                return SqlKind::blob;
            default:
                return SqlKind::text;
        }
    }
    std::int64_t integer(int column) override {
        const Oid type = PQftype(result_.get(), column);
        if (type == type_int4) return static_cast<std::int32_t>(be32toh(bits<std::uint32_t>(column)));
        if (type != type_int8) throw StorageError("PostgreSQL: a column that should be a whole number is none");
        return static_cast<std::int64_t>(be64toh(bits<std::uint64_t>(column)));
    }
    double real(int column) override {
        if (PQftype(result_.get(), column) != type_float8)
            throw StorageError("PostgreSQL: a column that should be a number is none");
        return std::bit_cast<double>(be64toh(bits<std::uint64_t>(column)));
    }
    std::string text(int column) override {
        return {PQgetvalue(result_.get(), row_, column),
                static_cast<std::size_t>(PQgetlength(result_.get(), row_, column))};
    }

  private:
    template <class Bits>
    Bits bits(int column) {
        Bits value = 0;
        std::memcpy(&value, PQgetvalue(result_.get(), row_, column), sizeof value);
        return value;
    }
    Result result_;
    int row_ = -1;
};

}  // namespace

std::string shown_url(const std::string& url) {
    char* problem = nullptr;
    PQconninfoOption* options = PQconninfoParse(url.c_str(), &problem);
    if (options == nullptr) {
        PQfreemem(problem);  // may quote the password
        throw InvalidArgument(
            "the address of the PostgreSQL database cannot be read; write "
            "postgresql://user@host:port/database, with special characters as %XX");
    }
    std::string host, port, name;
    for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
        const std::string value = option->val == nullptr ? "" : option->val;
        if (std::strcmp(option->keyword, "host") == 0 && value.find('/') == std::string::npos) host = value;
        if (std::strcmp(option->keyword, "port") == 0 && !value.empty()) port = ":" + value;
        if (std::strcmp(option->keyword, "dbname") == 0) name = value;
    }
    PQconninfoFree(options);
    return "postgresql://" + host + port + "/" + name;
}

PostgresDatabase::PostgresDatabase(std::string url, Trouble trouble)
    : url_(std::move(url)), path_(shown_url(url_)), trouble_(std::move(trouble)) {
    connect(opening_patience_seconds);
}

PostgresDatabase::~PostgresDatabase() {
    disconnect();
}

std::string PostgresDatabase::connect_once() {
    // What stands in the address has precedence. The keepalives notice a link that is cut while an answer is awaited.
    const char* const names[] = {"fallback_application_name", "connect_timeout",  "keepalives_idle",
                                 "keepalives_interval",       "keepalives_count", "tcp_user_timeout",
                                 "client_encoding",           "dbname",           nullptr};
    const char* const values[] = {"summand", "10", "10", "5", "3", "25000", "UTF8", url_.c_str(), nullptr};
    connection_ = PQconnectdbParams(names, values, 1);
    if (PQstatus(connection_) == CONNECTION_OK) {
        PQsetNoticeProcessor(
            connection_, [](void*, const char*) {}, nullptr);  // the library never prints
        const Result set(PQexec(connection_, session_settings));
        if (PQresultStatus(set.get()) == PGRES_TUPLES_OK) {
            life_ = PQntuples(set.get()) == 1 ? PQgetvalue(set.get(), 0, 0) : "";
            ++session_;
            return "";
        }
    }
    const std::string problem = first_line(PQerrorMessage(connection_));
    disconnect();
    return problem.empty() ? "the server ended the connection" : problem;
}

bool PostgresDatabase::may_pass() const {
    // libpq does not tell why it could not connect; but if the server takes connections, it does not want ours.
    return PQping(url_.c_str()) != PQPING_OK && PQping(url_.c_str()) != PQPING_NO_ATTEMPT;
}

void PostgresDatabase::connect(double patience_seconds) {
    const auto start = Clock::now();
    int refusals = 0;
    for (int tries = 0;; ++tries) {
        const std::string problem = connect_once();
        if (problem.empty()) {
            if (tries > 0 && trouble_) trouble_("the connection to " + path_ + " is there again");
            return;
        }
        const bool full = problem.find("too many") != std::string::npos ||
                          problem.find("remaining connection slots") != std::string::npos;
        // Twice in a row: the server may have come up between the first refusal and the question.
        refusals = full || may_pass() ? 0 : refusals + 1;
        const double waited = std::chrono::duration<double>(Clock::now() - start).count();
        if (refusals == 2 || waited > patience_seconds)
            throw StorageError(path_ + " cannot be opened: " + problem +
                               "; check the address, the server, and the password in ~/.pgpass or PGPASSWORD");
        if (tries == 0 && trouble_)
            trouble_(path_ + " cannot be reached (" + problem + "); trying again until it can");
        else if (trouble_)
            trouble_("");
        std::this_thread::sleep_for(std::chrono::milliseconds(std::min(2000, 50 << std::min(tries, 10))));
    }
}

void PostgresDatabase::ensure_connected() {
    if (connection_ != nullptr) return;
    if (in_transaction_) throw Passing(path_ + ": the connection was lost inside of a transaction");
    connect(endless_patience);
}

void PostgresDatabase::disconnect() noexcept {
    PQfinish(connection_);
    connection_ = nullptr;
    statements_.clear();
    unanswered_ = transaction_number_at_ = 0;
}

void PostgresDatabase::check(const pg_result* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return;
    const char* code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string state = code == nullptr ? "" : code;
    const std::string detail = first_line(PQresultErrorMessage(result));
    // Without a state it was not the server that spoke, but libpq about the connection.
    if (PQstatus(connection_) != CONNECTION_OK || state.empty() || state.starts_with("57P")) {
        disconnect();
        throw Passing(path_ + ": the connection was lost (" + detail + ")");
    }
    const std::string sentence = path_ + ": " + advice(state) + " (SQLSTATE " + state + ": " + detail + ")";
    if (passes(state)) throw Passing(sentence);
    throw StorageError(sentence);
}

const std::string& PostgresDatabase::prepared(const std::string& sql, const std::vector<SqlValue>& values) {
    const Parameters parameters(values);
    std::string key = sql;
    for (const Oid type : parameters.types) key += type == type_int8 ? 'i' : type == type_float8 ? 'd' : 't';
    std::string& name = statements_[key];
    if (name.empty()) {
        PQclear(answers());  // nothing may be prepared before
        const std::string fresh = "s" + std::to_string(statements_.size());
        const Result result(
            PQprepare(connection_, fresh.c_str(), numbered(sql).c_str(), parameters.count(), parameters.types.data()));
        try {
            check(result.get());
        } catch (...) {
            statements_.erase(key);
            throw;
        }
        name = fresh;
    }
    return name;
}

std::unique_ptr<Rows> PostgresDatabase::start(const std::string& sql, const std::vector<SqlValue>& values) {
    ensure_connected();
    if (in_transaction_) {
        send(sql, values);
        return std::make_unique<PostgresRows>(Result(answers()));
    }
    const std::string name = prepared(sql, values);
    const Parameters parameters(values);
    Result result(PQexecPrepared(connection_, name.c_str(), parameters.count(), parameters.addresses.data(),
                                 parameters.sizes.data(), parameters.formats.data(), 1));
    check(result.get());
    return std::make_unique<PostgresRows>(std::move(result));
}

void PostgresDatabase::perform(const std::string& sql, const std::vector<SqlValue>& values) {
    if (!in_transaction_) return Database::perform(sql, values);
    // What the server answers lies in its buffers and ours meanwhile; they have an end.
    constexpr int most_unanswered = 100;
    ensure_connected();
    send(sql, values);
    if (unanswered_ >= most_unanswered) PQclear(answers());
}

void PostgresDatabase::send(const std::string& sql, const std::vector<SqlValue>& values) {
    const std::string name = prepared(sql, values);
    const Parameters parameters(values);
    PQenterPipelineMode(connection_);
    sent(PQsendQueryPrepared(connection_, name.c_str(), parameters.count(), parameters.addresses.data(),
                             parameters.sizes.data(), parameters.formats.data(), 1));
}

void PostgresDatabase::send_plain(const std::string& sql) {
    PQenterPipelineMode(connection_);
    sent(PQsendQueryParams(connection_, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0));
}

void PostgresDatabase::sent(int accepted) {
    if (accepted == 1) {
        ++unanswered_;
        return;
    }
    const std::string problem = first_line(PQerrorMessage(connection_));
    disconnect();
    throw Passing(path_ + ": the connection was lost (" + problem + ")");
}

pg_result* PostgresDatabase::answers() {
    if (unanswered_ == 0) return nullptr;
    Result last, failed;
    bool all = false;
    // Between the answers to two statements libpq hands out one null; two in a row mean that it knows of no further answer,
    // which happens where the connection broke while we were sending.
    bool awaited = PQpipelineSync(connection_) == 1;
    bool between = false;
    for (int answer = 0; awaited && !all && PQstatus(connection_) == CONNECTION_OK;) {
        Result result(PQgetResult(connection_));
        awaited = result || !between;
        between = !result;
        if (!result) continue;
        const ExecStatusType status = PQresultStatus(result.get());
        all = status == PGRES_PIPELINE_SYNC;
        if (all || status == PGRES_PIPELINE_ABORTED) continue;
        if (++answer == transaction_number_at_ && status == PGRES_TUPLES_OK)
            transaction_ = std::atoll(PQgetvalue(result.get(), 0, 1));
        const bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
        if (good || !failed) (good ? last : failed) = std::move(result);
    }
    unanswered_ = transaction_number_at_ = 0;
    if (!all || PQexitPipelineMode(connection_) != 1) {
        const std::string problem =
            first_line(failed ? PQresultErrorMessage(failed.get()) : PQerrorMessage(connection_));
        disconnect();
        throw Passing(path_ + ": the connection was lost (" + problem + ")");
    }
    if (failed) check(failed.get());
    return last.release();
}

void PostgresDatabase::execute(const std::string& script) {
    ensure_connected();
    PQclear(answers());
    const Result result(PQexec(connection_, script.c_str()));
    check(result.get());
}

void PostgresDatabase::begin(std::optional<std::int64_t> study) {
    if (expected_session_ && (connection_ == nullptr || *expected_session_ != session_))
        throw TurnLost(path_ + ": the turn was lost with the connection; ask again");
    ensure_connected();
    // Changes of one study follow one another, as in SQLite, so the isolation can be the weakest. What waits for the disk
    // is not the transaction, which holds the lock, but what follows it in commit(): so many processes share one wait.
    in_transaction_ = true;
    transaction_ = 0;
    transaction_life_ = life_;
    send_plain("BEGIN ISOLATION LEVEL READ COMMITTED");
    send_plain("SET LOCAL synchronous_commit = off");
    send_plain("SELECT pg_advisory_xact_lock(" + std::to_string(change_lock) + "," + std::to_string(study.value_or(0)) +
               "), txid_current()");
    transaction_number_at_ = unanswered_;
}

void PostgresDatabase::begin_snapshot() {
    execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    in_transaction_ = true;
}

std::vector<Table> PostgresDatabase::tables() {
    std::vector<Table> found;
    Query row = query(
        "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns "
        "WHERE table_schema = 'summand' AND table_name <> 'schema_version' ORDER BY table_name, ordinal_position");
    while (row.next()) {
        const std::string name = row.text(), column = row.text();
        if (found.empty() || found.back().name != name) found.push_back({name, {}, {}, false});
        if (column == "rowid")
            found.back().has_rowid = true;
        else
            found.back().columns.push_back(column);
    }
    return found;
}

void PostgresDatabase::commit() {
    if (connection_ == nullptr) throw Passing(path_ + ": the connection was lost inside of a transaction");
    if (transaction_ == 0) PQclear(answers());  // without its number nobody could find out what became of it
    try {
        send_plain("COMMIT");
        send_plain(wait_for_disk);
        PQclear(answers());
        in_transaction_ = false;
    } catch (const Passing&) {
        roll_back();  // nothing, if it was committed or the connection is lost
        if (!was_committed(transaction_)) throw;
    }
}

void PostgresDatabase::roll_back() noexcept {
    in_transaction_ = false;
    try {
        PQclear(answers());
    } catch (const std::exception&) {
        // What failed is rolled back, or lost with the connection.
    }
    if (connection_ == nullptr) return;
    const Result result(PQexec(connection_, "ROLLBACK"));
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) disconnect();
}

bool PostgresDatabase::was_committed(std::int64_t transaction) {
    for (;;) {
        try {
            ensure_connected();
            // A server that has crashed gives the numbers of transactions that were not on disk to others. What they were
            // when it came back is in the checkpoint that ends every recovery.
            const std::string number = std::to_string(transaction);
            const std::string question = "SELECT txid_status(" + number + "), " + number +
                                         " >= (CAST(split_part(next_xid, ':', 1) AS BIGINT) << 32 | "
                                         "CAST(split_part(next_xid, ':', 2) AS BIGINT)) FROM pg_control_checkpoint()";
            const Result result(PQexec(connection_, question.c_str()));
            const char* code = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
            // After a crash the server may never have heard of this number.
            if (code != nullptr && std::strcmp(code, "22023") == 0) return false;
            check(result.get());
            const std::string status = PQgetvalue(result.get(), 0, 0);
            const bool given_again = std::strcmp(PQgetvalue(result.get(), 0, 1), "t") == 0;
            if (life_ != transaction_life_ && given_again) return false;
            if (status == "committed") {
                execute(wait_for_disk);
                return true;
            }
            if (status == "aborted") return false;
            // In progress: the server has not noticed yet that the old connection is gone.
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        } catch (const Passing&) {
            // The new connection broke as well: ask again.
        }
    }
}

}  // namespace summand::storage
