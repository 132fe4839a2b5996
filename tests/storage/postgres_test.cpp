// SPDX-License-Identifier: Apache-2.0
// What a server can go through: lost connections at any statement, a lost turn, several versions, other people's tables.
#include "summand/storage/postgres.hpp"

#include "storage/study_named.hpp"
#include "summand/storage/postgres_storage.hpp"
#include "summand/storage/sqlite_file.hpp"
#include "support/cutting_proxy.hpp"
#include "support/postgres_database.hpp"

#include <set>

#include <gtest/gtest.h>

namespace summand::storage {
namespace {

using testing_support::PostgresSession;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Postgres : ::testing::Test {
    void SetUp() override {
        if (!database.there()) GTEST_SKIP() << testing_support::without_postgres;
    }
    std::unique_ptr<Storage> open(Trouble trouble = {}) {
        return open_postgres(database.url(), OpenMode::create_if_missing, std::move(trouble));
    }
    /// A study with one trial, reserved.
    std::int64_t make_study(Storage& storage) {
        const std::int64_t study = storage.create_study(study_named("s")).id;
        storage.reserve(study, reservation(storage, study, 1));
        return study;
    }
    static Reservation reservation(Storage& storage, std::int64_t study, std::int64_t id) {
        Reservation reservation;
        reservation.first_sequence = storage.begin_ask(study, 1);
        reservation.ask = id - 1;
        reservation.trials = {{id, "{}", {}, {}}};
        reservation.worker = "a";
        reservation.lease_ends = 1e9;
        return reservation;
    }
    static Answer value_of(std::int64_t trial, double value) {
        Answer answer;
        answer.trial = trial;
        answer.value = value;
        return answer;
    }
    /// Ends all other connections to the database, as a restart of the server does.
    void cut_connections() {
        PostgresSession(database.url())
            .run(
                "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    testing_support::TemporaryDatabase database;
};

TEST_F(Postgres, TablesAreNotMadeByThoseWhoOnlyRead) {
    EXPECT_TRUE(contains(message_of<StorageError>([&] { open_postgres(database.url(), OpenMode::existing); }),
                         "holds no studies yet"));
    EXPECT_EQ(PostgresSession(database.url()).run("SELECT count(*) FROM pg_tables WHERE schemaname = 'summand'"), "0");
}

TEST_F(Postgres, TablesOfANewerProgramAreRefused) {
    open();
    PostgresSession(database.url()).run("UPDATE summand.schema_version SET version = 1000");
    EXPECT_TRUE(contains(message_of<StorageError>([&] { open(); }), "newer Summand"));
}

TEST_F(Postgres, MigratesStepByStepAndEachStepIsWhole) {
    const std::vector<const char*> one = {"CREATE TABLE a (x BIGINT); INSERT INTO a VALUES (7);"};
    const std::vector<const char*> two = {one[0], "ALTER TABLE a ADD COLUMN y BIGINT DEFAULT 3;"};
    const std::vector<const char*> broken = {one[0], two[1], "CREATE TABLE b (x BIGINT); CREATE TABLE a (x BIGINT);"};
    PostgresDatabase connection(database.url(), {});
    migrate(connection, one, OpenMode::create_if_missing);
    migrate(connection, two, OpenMode::existing);
    EXPECT_EQ(connection.integer("SELECT x + y FROM a"), 10);
    EXPECT_THROW(migrate(connection, broken, OpenMode::existing), StorageError);
    EXPECT_EQ(connection.integer("SELECT version FROM schema_version"), 2);
    EXPECT_EQ(connection.integer("SELECT count(*) FROM pg_tables WHERE tablename = 'b'"), 0);
}

TEST_F(Postgres, HasTheTablesAndColumnsOfAnSqliteFile) {
    const testing_support::TemporaryFolder folder;
    create_file(folder / "s.db");
    const auto file = open_file(folder / "s.db");
    std::set<std::string> in_file, on_server;
    Query row = file->query(
        "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'");
    while (row.next()) in_file.insert(row.text());
    open();
    PostgresDatabase connection(database.url(), {});
    Query column = connection.query(
        "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'summand' "
        "AND column_name <> 'rowid' AND table_name <> 'schema_version'");
    while (column.next()) on_server.insert(column.text());
    EXPECT_EQ(in_file, on_server);
}

TEST_F(Postgres, ConnectionsThatAreCutBetweenCallsAreMadeAgain) {
    std::vector<std::string> sentences;
    const auto storage = open([&](const std::string& sentence) { sentences.push_back(sentence); });
    const std::int64_t study = make_study(*storage);
    cut_connections();
    EXPECT_EQ(storage->trials(study).size(), 1U);
    cut_connections();
    EXPECT_EQ(storage->tell(study, value_of(1, 2.5)), Verdict::accepted);
    storage->renew(study, "a", 20.0);  // prepared before the cut: nothing but sending is left to do
    cut_connections();
    storage->renew(study, "a", 30.0);
    cut_connections();
    EXPECT_EQ(storage->counts(study, 0.0).completed, 1);
}

TEST_F(Postgres, AConnectionThatIsCutInsideOfATransactionIsNoticedByItsCommit) {
    open();
    PostgresDatabase connection(database.url(), {});
    connection.begin(1);
    EXPECT_EQ(connection.integer("SELECT 7"), 7);
    cut_connections();
    EXPECT_THROW(connection.commit(), Passing);
}

TEST(PostgresCrash, ATransactionWhoseNumberWasGivenToAnotherIsNotTakenForCommitted) {
    testing_support::PostgresServer server("fsync=on wal_writer_delay=10s");
    if (server.url().empty()) GTEST_SKIP() << testing_support::without_postgres;
    open_postgres(server.url(), OpenMode::create_if_missing);
    PostgresDatabase connection(server.url(), {});
    connection.begin(1);
    const std::int64_t number = connection.integer("SELECT txid_current()");
    server.crash();  // nothing of it is on disk, so the number is free
    server.recover();
    PostgresDatabase another(server.url(), {});
    while (another.integer("SELECT txid_current()") < number) {
    }
    EXPECT_THROW(connection.commit(), Passing);
}

/// A change that is made twice if it is repeated after it has succeeded: the attempt counts up, and its log is kept.
struct CutAnywhere : Postgres {
    /// Cuts the connection at every message of the change in turn; returns how many messages that were.
    int cut_everywhere(bool before_the_server_gets_it) {
        testing_support::CuttingProxy proxy(server_folder());
        const auto storage = open_postgres(database.url_through(proxy.folder()), OpenMode::create_if_missing);
        const std::int64_t study = make_study(*storage);
        for (int n = 1;; ++n) {
            proxy.cut_at(n, before_the_server_gets_it);
            storage->retry(study, {1, n, "a", 10.0, 12.0, "exit status 1", "", ""}, 300.0);
            const bool cut = proxy.has_cut();
            proxy.cut_at(-1, true);
            EXPECT_EQ(storage->trial(study, 1)->attempt, n + 1) << "message " << n;
            EXPECT_EQ(storage->attempts(study, 1).size(), static_cast<std::size_t>(n)) << "message " << n;
            if (!cut) return n - 1;
        }
    }
    static std::string server_folder() {
        const std::string url = testing_support::postgres_server();
        return url.substr(url.find("host=") + 5);
    }
};

// Begin and two statements in one exchange, commit in another; and what a new connection has to prepare.
TEST_F(CutAnywhere, AMessageThatDidNotArriveIsRepeated) {
    EXPECT_GE(cut_everywhere(true), 2);
}

TEST_F(CutAnywhere, AChangeWhoseAcknowledgementWasLostIsNotMadeAgain) {
    EXPECT_GE(cut_everywhere(false), 2);
}

TEST_F(Postgres, ATransactionThatCannotBeSerialisedIsRepeated) {
    const auto storage = open();
    const std::int64_t study = make_study(*storage);
    PostgresSession outside(database.url());
    outside.run("CREATE SEQUENCE public.failures");
    outside.run(
        "CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('public.failures') <= 3 "
        "THEN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$");
    outside.run("CREATE TRIGGER fail BEFORE INSERT ON summand.event FOR EACH ROW EXECUTE FUNCTION public.fail()");
    EXPECT_EQ(storage->tell(study, value_of(1, 2.5)), Verdict::accepted);
    EXPECT_EQ(outside.run("SELECT last_value FROM public.failures"), "4");
    EXPECT_EQ(storage->events(study, 0).size(), 2U);
}

TEST_F(Postgres, ATurnEndsWithItsConnectionAndWhoHadItIsTold) {
    const auto first = open(), second = open();
    const std::int64_t study = make_study(*first);
    const auto turn = first->take_turn(study);
    const Reservation late = reservation(*first, study, 2);
    cut_connections();
    const auto other = second->take_turn(study);  // free: the server has lifted the lock
    second->reserve(study, reservation(*second, study, 2));
    EXPECT_THROW(first->reserve(study, late), TurnLost);
    EXPECT_THROW(first->begin_ask(study, 1), TurnLost);
    EXPECT_EQ(first->tell(study, value_of(2, 1.0)), Verdict::accepted);  // answers need no turn
    EXPECT_EQ(first->trials(study).size(), 2U);
}

TEST_F(Postgres, AnswersDoNotWaitForATurn) {
    const auto first = open(), second = open();
    const std::int64_t study = make_study(*first);
    const auto turn = first->take_turn(study);
    EXPECT_EQ(second->tell(study, value_of(1, 1.0)), Verdict::accepted);
}

TEST_F(Postgres, TheClockIsTheServers) {
    const auto storage = open();
    const double before =
        std::stod(PostgresSession(database.url()).run("SELECT extract(epoch FROM clock_timestamp())"));
    const double now = storage->now();
    const double after = std::stod(PostgresSession(database.url()).run("SELECT extract(epoch FROM clock_timestamp())"));
    EXPECT_LE(before, now);
    // The server's clock is read before its answer has travelled, so ours is late by that much; half a second is plenty.
    EXPECT_LE(now, after + 0.5);
}

TEST_F(Postgres, NoSentenceHasThePassword) {
    std::string url = database.url();
    url.replace(url.find("summand@"), 8, "summand:s3cret@");
    const auto missing = [&] {
        std::string other = url;
        return other.replace(other.find("/t"), 2, "/no_");
    }();
    std::string sentences;
    const auto open_missing = [&] {
        open_postgres(missing, OpenMode::existing, [&](const std::string& sentence) { sentences += sentence; });
    };
    sentences += message_of<StorageError>(open_missing);
    EXPECT_TRUE(contains(sentences, "does not exist")) << sentences;
    EXPECT_FALSE(contains(sentences, "s3cret")) << sentences;
    const std::string unreadable = "postgresql://summand:s3cret@host:port:port/x?nonsense=1";
    const std::string message = message_of<InvalidArgument>([&] { open_postgres(unreadable, OpenMode::existing); });
    EXPECT_TRUE(contains(message, "cannot be read")) << message;
    EXPECT_FALSE(contains(message, "s3cret")) << message;
}

TEST_F(Postgres, GivingUpIsUpToTheCaller) {
    const auto gone = [&] {
        open_postgres("postgresql://summand@/postgres?host=/nowhere", OpenMode::existing,
                      [](const std::string&) { throw Interrupted(); });
    };
    EXPECT_THROW(gone(), Interrupted);
}

}  // namespace
}  // namespace summand::storage
