// SPDX-License-Identifier: Apache-2.0
// What a file can go through: other formats, truncation, newer programs, read-only folders, a full disk, several processes.
#include "summand/storage/sqlite.hpp"

#include "storage/study_named.hpp"
#include "summand/base/error.hpp"
#include "summand/storage/sqlite_file.hpp"
#include "support/temporary_folder.hpp"

#include <csignal>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace summand::storage {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
}

void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::int64_t make_study(const fs::path& path, int trials) {
    const auto storage = open_sqlite(path, OpenMode::create_if_missing);
    const std::int64_t study = storage->create_study(study_named("s")).id;
    Reservation reservation;
    reservation.first_sequence = storage->begin_ask(study, trials);
    for (int i = 1; i <= trials; ++i) reservation.trials.push_back({i, std::string(200, ' '), {}, {}});
    reservation.lease_ends = 1e9;
    storage->reserve(study, reservation);
    return study;
}

/// Runs body in a child without the rights of root; true if it returned true.
template <class Body>
bool in_child(Body body) {
    const pid_t child = fork();
    if (child == 0) {
        bool right = false;
        try {
            right = body();
        } catch (const std::exception& error) {
            fprintf(stderr, "in child: %s\n", error.what());
        }
        _exit(right ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct SqliteFile : ::testing::Test {
    testing_support::TemporaryFolder folder;
    fs::path path = folder / "s.db";
};

TEST_F(SqliteFile, IsMadeCompleteAndOpenedAgain) {
    make_study(path, 3);
    EXPECT_EQ(open_sqlite(path, OpenMode::existing)->studies().size(), 1U);
    EXPECT_FALSE(fs::exists(path.string() + "-wal")) << "the last one to close the file tidies up";
}

TEST_F(SqliteFile, ThatIsMissingIsNotMadeByThoseWhoOnlyRead) {
    EXPECT_NE(message_of<StorageError>([&] { open_sqlite(path, OpenMode::existing); }).find("does not exist"),
              std::string::npos);
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(SqliteFile, OfAnotherFormatIsRefusedAndLeftAlone) {
    for (const std::string& content :
         {std::string("name,value\n1,2\n"), std::string(), std::string("SQLite format 3"), std::string(9000, 'x')}) {
        write(path, content);
        EXPECT_THROW(open_sqlite(path, OpenMode::create_if_missing), StorageError) << content.size();
        EXPECT_EQ(bytes_of(path), content);
    }
}

TEST_F(SqliteFile, OfAnotherProgramIsRefusedAndLeftAlone) {
    { SqliteDatabase(path, SqliteDatabase::Access::create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)"); }
    const std::string before = bytes_of(path);
    EXPECT_NE(
        message_of<StorageError>([&] { open_sqlite(path, OpenMode::create_if_missing); }).find("not one of Summand's"),
        std::string::npos);
    EXPECT_EQ(bytes_of(path), before);
}

TEST_F(SqliteFile, ThatIsTruncatedAnywhereIsRefusedAndLeftAlone) {
    make_study(path, 200);
    const std::string whole = bytes_of(path);
    for (const double share : {0.0005, 0.01, 0.3, 0.5, 0.9, 0.999}) {
        const std::string part = whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
        write(path, part);
        EXPECT_THROW(open_sqlite(path, OpenMode::create_if_missing), StorageError)
            << part.size() << " of " << whole.size();
        EXPECT_EQ(bytes_of(path), part);
    }
}

TEST_F(SqliteFile, WithADamagedSchemaNumberIsRefused) {
    make_study(path, 1);
    { SqliteDatabase(path, SqliteDatabase::Access::read_write).execute("PRAGMA user_version = -249"); }
    EXPECT_NE(message_of<StorageError>([&] { open_sqlite(path, OpenMode::existing); }).find("numbered -249"),
              std::string::npos);
}

TEST_F(SqliteFile, OfANewerProgramIsRefused) {
    make_study(path, 1);
    { SqliteDatabase(path, SqliteDatabase::Access::read_write).execute("PRAGMA user_version = 1000"); }
    EXPECT_NE(message_of<StorageError>([&] { open_sqlite(path, OpenMode::existing); }).find("newer Summand"),
              std::string::npos);
}

TEST_F(SqliteFile, LogWithoutItsDatabaseIsNotMixedIntoANewOne) {
    write(path.string() + "-wal", "old pages");
    EXPECT_THROW(open_sqlite(path, OpenMode::create_if_missing), StorageError);
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(SqliteFile, MigratesStepByStepAndEachStepIsWhole) {
    const std::vector<const char*> one = {"CREATE TABLE a (x); INSERT INTO a VALUES (7);"};
    const std::vector<const char*> two = {one[0], "ALTER TABLE a ADD COLUMN y DEFAULT 3;"};
    const std::vector<const char*> broken = {one[0], two[1], "CREATE TABLE b (x); CREATE TABLE a (x);"};
    SqliteDatabase database(path, SqliteDatabase::Access::create);
    migrate(database, one);
    EXPECT_EQ(database.integer("PRAGMA user_version"), 1);
    migrate(database, two);
    EXPECT_EQ(database.integer("SELECT x + y FROM a"), 10);
    EXPECT_THROW(migrate(database, broken), StorageError);
    EXPECT_EQ(database.integer("PRAGMA user_version"), 2);
    EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'b'"), 0);
}

/// A study that a program with schema 1 left (tests/golden/make_version1_database.sh).
struct Version1 : SqliteFile {
    void SetUp() override { fs::copy_file(SUMMAND_GOLDEN_DIR "/version1.db", path); }

    static void expect_all_of_it(Storage& storage) {
        const std::int64_t study = storage.find_study("version1")->id;
        const auto trials = storage.trials(study);
        ASSERT_EQ(trials.size(), 11U);
        EXPECT_EQ(trials[0].value, 0.5);
        EXPECT_EQ(trials[1].reason, "exit status 3");
        EXPECT_TRUE(trials[3].added);
        EXPECT_EQ(trials[5].attempt, 2);
        EXPECT_EQ(trials[8].value, 21.0);
        EXPECT_EQ(trials[8].also_json, "");
        EXPECT_EQ(storage.late_answers(study).front().value, 0.75);
        EXPECT_EQ(storage.attempts(study, 9).size(), 1U);
        const Counts counts = storage.counts(study, 0.0);
        EXPECT_EQ(counts.running, 1);
        EXPECT_EQ(counts.waiting, 0);
        EXPECT_EQ(counts.abandoned, 1);
        const auto events = storage.events(study, 0);
        ASSERT_EQ(events.size(), 20U);  // 10 asked, 8 told, 1 added, 1 abandoned
        EXPECT_EQ(std::count_if(events.begin(), events.end(),
                                [](const EventRecord& event) { return event.kind == EventKind::abandoned; }),
                  1);
        for (const EventRecord& event : events) {
            const TrialRecord& trial = trials[static_cast<std::size_t>(event.trial - 1)];
            const bool answer = event.kind == EventKind::told || event.kind == EventKind::added;
            EXPECT_EQ(event.value, answer ? trial.value : std::nullopt);
            EXPECT_EQ(event.reason, answer ? trial.reason : "");
            EXPECT_EQ(event.at, event.kind == EventKind::asked ? trial.asked_at : *trial.ended_at);
        }
    }
};

TEST_F(Version1, OpensWithAllOfItsHistoryAndGoesOn) {
    const auto storage = open_sqlite(path, OpenMode::existing);
    expect_all_of_it(*storage);
    Answer answer;
    answer.trial = 1;
    answer.value = 7.0;
    const std::int64_t study = storage->find_study("version1")->id;
    EXPECT_EQ(storage->correct(study, answer), Verdict::accepted);
    EXPECT_EQ(storage->events(study, 0).size(), 22U);
}

TEST_F(Version1, ItsKeysHideNoAnswer) {
    const auto storage = open_sqlite(path, OpenMode::existing);
    Answer answer;
    answer.trial = 11;
    answer.value = 7.0;
    answer.request = {"five", "tell 11 7"};
    EXPECT_NE(message_of<InvalidArgument>([&] { storage->tell(1, answer); }).find("older version"), std::string::npos);
    EXPECT_EQ(storage->trial(1, 11)->state, TrialState::running);
}

TEST_F(Version1, CanBeReadWhereItCannotBeWritten) {
    const std::string before = bytes_of(path);
    fs::permissions(path, fs::perms(0444));
    fs::permissions(folder.path(), fs::perms(0555));
    EXPECT_TRUE(in_child([&] {
        if (geteuid() == 0 && setuid(65534) != 0) return false;
        const auto storage = open_sqlite(path, OpenMode::existing);
        expect_all_of_it(*storage);
        Answer answer;
        answer.trial = 11;
        answer.value = 1.0;
        const std::string refused = message_of<StorageError>([&] { storage->tell(1, answer); });
        return !HasFailure() && refused.find(path.string()) == 0 && refused.find("read-only") != std::string::npos;
    }));
    fs::permissions(folder.path(), fs::perms(0755));
    EXPECT_EQ(bytes_of(path), before);
}

TEST_F(SqliteFile, ThatIsDeletedWhileInUseIsCopiedAndNothingIsLost) {
    const std::int64_t study = make_study(path, 3);
    const auto storage = open_sqlite(path, OpenMode::existing);
    Answer answer;
    answer.trial = 1;
    answer.value = 1.5;
    storage->tell(study, answer);
    for (const char* suffix : {"", "-wal", "-shm", "-turn"}) fs::remove(path.string() + suffix);
    answer.trial = 2;
    const std::string rescued = path.string() + ".rescued-" + std::to_string(getpid());
    EXPECT_NE(message_of<StorageError>([&] { storage->tell(study, answer); }).find(rescued), std::string::npos);
    answer.trial = 3;
    EXPECT_THROW(storage->tell(study, answer), StorageError) << "and every time";
    fs::rename(rescued, path);
    const auto again = open_sqlite(path, OpenMode::existing);
    EXPECT_EQ(again->trial(study, 1)->value, 1.5);
    EXPECT_EQ(again->trial(study, 2)->value, 1.5) << "the answer that met with the error too";
    EXPECT_EQ(again->trial(study, 3)->state, TrialState::running);
}

TEST_F(SqliteFile, InAReadOnlyFolderCanBeReadButNotWritten) {
    const std::int64_t study = make_study(path, 2);
    fs::remove(path.string() + "-turn");
    fs::permissions(path, fs::perms(0444));
    fs::permissions(folder.path(), fs::perms(0555));
    EXPECT_TRUE(in_child([&] {
        if (geteuid() == 0 && setuid(65534) != 0) return false;
        const auto storage = open_sqlite(path, OpenMode::existing);
        if (storage->trials(study).size() != 2) return false;
        Answer answer;
        answer.trial = 1;
        answer.value = 1.0;
        const bool told =
            message_of<StorageError>([&] { storage->tell(study, answer); }).find("read-only") != std::string::npos;
        const bool asked =
            message_of<StorageError>([&] { storage->take_turn(study); }).find("-turn") != std::string::npos;
        return told && asked;
    }));
    fs::permissions(folder.path(), fs::perms(0755));
}

TEST_F(SqliteFile, ThatMayNotGrowGivesASentenceAndStaysSound) {
    const std::int64_t study = make_study(path, 2);
    const std::int64_t before = static_cast<std::int64_t>(fs::file_size(path));
    // A child, because the limit holds for the whole process. SIGXFSZ must be ignored to see the error instead.
    EXPECT_TRUE(in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        const auto most = static_cast<rlim_t>(before + 20000);
        const rlimit limit{most, most};
        setrlimit(RLIMIT_FSIZE, &limit);
        const auto storage = open_sqlite(path, OpenMode::existing);
        const std::string message = message_of<StorageError>([&] {
            for (int i = 0; i < 10000; ++i) storage->add(study, {{100 + i, std::string(3000, ' '), 1.0, {}}}, 0.0, {});
        });
        return message.find("sound") != std::string::npos;
    }));
    const auto storage = open_sqlite(path, OpenMode::existing);
    const std::size_t stored = storage->trials(study).size();
    EXPECT_GT(stored, 2U);
    EXPECT_EQ(storage->events(study, 0).size(), stored);
    SqliteDatabase database(path, SqliteDatabase::Access::read_write);
    Query check = database.query("PRAGMA integrity_check");
    ASSERT_TRUE(check.next());
    EXPECT_EQ(check.text(), "ok");
}

TEST_F(SqliteFile, ThatCannotBeMadeLeavesNothingBehind) {
    for (const rlim_t most : {1000, 30000, 60000, 90000}) {
        EXPECT_TRUE(in_child([&] {
            signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{most, most};
            setrlimit(RLIMIT_FSIZE, &limit);
            return !message_of<StorageError>([&] { open_sqlite(path, OpenMode::create_if_missing); }).empty();
        }));
        EXPECT_TRUE(fs::is_empty(folder.path())) << most;
    }
}

/// Whether a process holds the lock that every user of a database in write-ahead mode holds; SQLite's bytes for it are
/// documented in its file format. Looking takes all locks of this process on the file from it.
bool is_locked(const fs::path& path) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_start = 0x40000000 + 2;
    lock.l_len = 510;
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_EQ(fcntl(descriptor, F_OFD_GETLK, &lock), 0);
    close(descriptor);
    return lock.l_type != F_UNLCK;
}

TEST_F(SqliteFile, IsLookedAtAndOpenedTwiceWithoutTheLossOfALock) {
    make_study(path, 1);
    const auto storage = open_sqlite(path, OpenMode::existing);
    EXPECT_TRUE(looks_like_sqlite(path));
    open_sqlite(path, OpenMode::existing);
    EXPECT_TRUE(is_locked(path)) << "another process would delete the log that this one writes to";
    EXPECT_FALSE(is_locked(path)) << "the file was opened and closed by other means: the danger is real";
}

TEST_F(SqliteFile, WhoseLogWasDeletedIsSavedBesideIt) {
    const std::int64_t study = make_study(path, 2);
    const auto storage = open_sqlite(path, OpenMode::existing);
    storage->tell(study, {.trial = 1, .value = 1.5});
    fs::remove(path.string() + "-wal");
    const std::string message = message_of<StorageError>([&] { storage->tell(study, {.trial = 2, .value = 2.5}); });
    EXPECT_NE(message.find("-wal was deleted"), std::string::npos) << message;
    const auto rescued = open_sqlite(path.string() + ".rescued-" + std::to_string(getpid()), OpenMode::existing);
    EXPECT_EQ(rescued->trial(study, 1)->value, 1.5);
    EXPECT_EQ(rescued->trial(study, 2)->value, 2.5);
}

TEST_F(SqliteFile, OnAFullDiskGivesASentenceAndStaysSound) {
    const std::int64_t study = make_study(path, 2);
    SqliteDatabase small(path, SqliteDatabase::Access::read_write);
    small.execute("PRAGMA max_page_count = " + std::to_string(small.integer("PRAGMA page_count") + 2));
    const std::string message = message_of<StorageError>([&] {
        Transaction transaction(small);
        for (int i = 0; i < 100; ++i)
            small.run("INSERT INTO snapshot VALUES (?, ?, ?)", study + i, i, std::string(500, 'x'));
        transaction.commit();
    });
    EXPECT_NE(message.find("disk is full"), std::string::npos) << message;
    EXPECT_EQ(small.integer("SELECT count(*) FROM snapshot"), 0);
}

TEST_F(SqliteFile, IsMadeOnceByManyProcesses) {
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            try {
                const auto storage = open_sqlite(path, OpenMode::create_if_missing);
                storage->create_study(study_named("s" + std::to_string(i)));
                _exit(0);
            } catch (const std::exception& error) {
                fprintf(stderr, "%s\n", error.what());
                _exit(1);
            }
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(open_sqlite(path, OpenMode::existing)->studies().size(), 8U);
}

TEST_F(SqliteFile, GivesTheTurnBackWhenItsHolderIsKilled) {
    const std::int64_t study = make_study(path, 1);
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto storage = open_sqlite(path, OpenMode::existing);
        const auto turn = storage->take_turn(study);
        (void)!::write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    const auto storage = open_sqlite(path, OpenMode::existing);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(storage->take_turn(study, stop.get_token()), Interrupted);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_NE(storage->take_turn(study), nullptr);
}

}  // namespace
}  // namespace summand::storage
