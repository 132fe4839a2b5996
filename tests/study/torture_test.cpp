// SPDX-License-Identifier: Apache-2.0
// Processes that run, ask, tell, enqueue, correct and rerun are killed with SIGKILL at random moments, hundreds of times. Then:
// nothing acknowledged is lost or changed, none counts twice, no id is used twice, the budget is exact, and every suggestion in
// the history, and the next one, equals that of an optimiser that lives through the history undisturbed. Storages that break a promise on
// purpose must fail the same check. On PostgreSQL the server is killed too: an immediate shutdown, then recovery.
//
// SUMMAND_TORTURE_KILLS sets the number of kills (default 150, PostgreSQL 60; the nightly run uses 5000); the
// server then has fsync on.
#include "broken_storage.hpp"
#include "studies.hpp"
#include "summand/base/random.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/study/run.hpp"
#include "support/postgres_server.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace summand {
namespace {

using testing_support::objective;

/// A file of fixed-size records that processes append to; what has been written survives their death.
class Ledger {
  public:
    enum class Deed : std::int64_t { told, corrected, rerun, enqueued };
    struct Entry {
        std::int64_t id;
        double value;
        Deed deed = Deed::told;
    };
    explicit Ledger(std::filesystem::path path) : path_(std::move(path)) {}

    void append(Entry entry) const {
        const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        ASSERT_EQ(write(file, &entry, sizeof entry), static_cast<ssize_t>(sizeof entry));
        close(file);
    }
    std::size_t size() const {
        std::error_code missing;
        const auto bytes = std::filesystem::file_size(path_, missing);
        return missing ? 0 : bytes / sizeof(Entry);
    }
    std::vector<Entry> entries() const {
        std::vector<Entry> found;
        std::ifstream file(path_, std::ios::binary);
        for (Entry entry{}; file.read(reinterpret_cast<char*>(&entry), sizeof entry);) found.push_back(entry);
        return found;
    }

  private:
    std::filesystem::path path_;
};

/// Writes down what tell() has acknowledged.
struct Witness : RunObserver {
    explicit Witness(const Ledger& acknowledged) : ledger(acknowledged) {}
    void finished(const Trial& trial, const Outcome& outcome, double) override {
        ledger.append({trial.id, std::get<double>(outcome)});
    }
    const Ledger& ledger;
};

using Open = std::function<Study(const StudyDefinition&)>;

void run_programs(Study study, const Ledger& ledger) {
    const auto executor = executor::local_processes();
    RunControl control;
    Witness witness(ledger);
    run(study, *executor, control, witness, 2);
}

constexpr double correction = 1000.0;  // larger than any value of the objective: corrections are known by it

Point enqueued_point(std::int64_t after) {
    const double x = static_cast<double>(after % 128) / 128.0;
    return {x, 0.5};
}

/// After some answers the user has second thoughts. Which ones depends on trial and attempt, so every process goes on alike.
void have_second_thoughts(Study& study, const Trial& trial, const Ledger& ledger) {
    using Deed = Ledger::Deed;
    const std::int64_t mood = (trial.id * 3 + trial.attempt) % 8;
    if (mood == 0) {
        study.correct(trial.id, objective(trial) + correction);
        ledger.append({trial.id, objective(trial) + correction, Deed::corrected});
    } else if (mood == 1) {
        study.rerun(trial.id);
        ledger.append({trial.id, 0.0, Deed::rerun});
    } else if (mood == 2 && study.counts().issued() < *study.settings().budget) {
        try {
            const std::int64_t id = study.enqueue({enqueued_point(trial.id)}).front();
            ledger.append({id, std::get<double>(enqueued_point(trial.id)[0]), Deed::enqueued});
        } catch (const InvalidArgument&) {  // others have used up the budget meanwhile
        }
    }
}

void require(bool holds, const char* promise) {
    if (!holds) throw std::logic_error(std::string("this does not hold: ") + promise);
}

/// Requests with keys, sent again as after a lost connection, and with other content.
void repeat_requests(Study& study, const AskRequest& asked, const std::vector<Trial>& trials, const TellRequest& answer,
                     const Trial& told) {
    const auto again = study.ask(asked);
    require(testing_support::ids_of(again) == testing_support::ids_of(trials), "an ask with its key gives its trials");
    require(study.tell(told.id, objective(told), answer) == TellResult::repeated, "an answer with its key is repeated");
    for (const std::string& key : {answer.key, asked.key}) {
        try {
            study.tell(told.id, objective(told) + 1.0, {.key = key});
            require(false, "a key with other content is refused");
        } catch (const InvalidArgument&) {
        }
    }
}

void ask_and_tell(const StudyDefinition& definition, const Ledger& ledger, const Open& open, bool second_thoughts) {
    for (int round = 0;; ++round) {
        Study study = open(definition);
        const AskRequest request{
            .count = 2, .worker = this_worker(), .key = this_worker() + " " + std::to_string(round)};
        const auto trials = study.ask(request);
        if (trials.empty()) return;
        for (const Trial& trial : trials) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the evaluation: others ask meanwhile
            const TellRequest answer{.worker = this_worker(),
                                     .attempt = trial.attempt,
                                     .key = std::to_string(trial.id) + "/" + std::to_string(trial.attempt)};
            study.tell(trial.id, objective(trial), answer);
            ledger.append({trial.id, objective(trial)});
            if (!second_thoughts) continue;
            repeat_requests(study, request, trials, answer, trial);
            have_second_thoughts(study, trial, ledger);
        }
    }
}

/// An undisturbed optimiser that is told the same, asks the same.
bool history_replays(const Study& study) {
    Optimizer undisturbed(study.space(), study.options());
    const std::vector<Event> history = study.history();
    for (std::size_t i = 0; i < history.size();) {
        const auto* asked = std::get_if<Asked>(&history[i]);
        if (asked == nullptr || asked->ask == Asked::elsewhere) {
            if (const auto* told = std::get_if<Told>(&history[i])) undisturbed.tell(told->id, told->outcome);
            if (const auto* reopened = std::get_if<Reopened>(&history[i])) undisturbed.reopen(reopened->id);
            if (asked != nullptr && undisturbed.add_pending(asked->values) != asked->id) return false;
            ++i;
            continue;
        }
        std::vector<Asked> batch;
        for (; i < history.size() && std::holds_alternative<Asked>(history[i]); ++i) {
            const auto& next = std::get<Asked>(history[i]);
            if (!batch.empty() && next.ask != batch.back().ask) break;
            batch.push_back(next);
        }
        const auto trials = undisturbed.ask(static_cast<int>(batch.size()));
        for (std::size_t k = 0; k < batch.size(); ++k)
            if (trials[k].id != batch[k].id || trials[k].values != batch[k].values) return false;
    }
    return true;
}

bool next_suggestion_is_that_of_a_replay(const Study& study, StudyDefinition definition) {
    *definition.settings.budget += 2;
    Optimizer replay(study.space(), study.options(), study.history());
    const auto next = Study::open_or_create(definition).ask({.count = 2});
    const auto replayed = replay.ask(2);
    return next.size() == 2 && next[0].values == replayed[0].values && next[1].values == replayed[1].values;
}

/// Broken promises, in words: empty if all is well.
using Broken = std::set<std::string>;

/// What a history says of one trial.
struct Story {
    std::vector<double> values = {};
    std::size_t corrections = 0, reopened = 0;
    std::size_t reruns() const { return reopened - corrections; }
    double last() const { return values.empty() ? std::nan("") : values.back(); }
};

std::map<std::int64_t, Story> stories_of(const std::vector<Event>& history) {
    std::map<std::int64_t, Story> found;
    for (const Event& event : history) {
        if (const auto* told = std::get_if<Told>(&event)) {
            found[told->id].values.push_back(std::get<double>(told->outcome));
            if (found[told->id].last() >= correction) ++found[told->id].corrections;
        }
        if (const auto* reopened = std::get_if<Reopened>(&event)) ++found[reopened->id].reopened;
    }
    return found;
}

/// At any moment: what was acknowledged is there, and no trial was evaluated by two workers that lived to answer.
void check_acknowledged(const Study& study, const Ledger& ledger, Broken& broken) {
    using Deed = Ledger::Deed;
    std::map<std::int64_t, std::size_t> answers, reruns;
    const auto entries = ledger.entries();  // before the history, which may go on meanwhile
    auto history = stories_of(study.history());
    for (const Ledger::Entry& entry : entries) {
        const Story& told = history[entry.id];
        if (entry.deed == Deed::told || entry.deed == Deed::corrected)
            if (std::count(told.values.begin(), told.values.end(), entry.value) == 0)
                broken.insert("an acknowledged answer is lost");
        if (entry.deed == Deed::told && ++answers[entry.id] > 1 + told.reruns())
            broken.insert("a trial was handed to two workers");
        if (entry.deed == Deed::rerun && ++reruns[entry.id] > told.reruns())
            broken.insert("an acknowledged rerun is lost");
        if (entry.deed != Deed::enqueued) continue;
        const auto trial = study.trial(entry.id);
        if (!trial || trial->ask != -1 || trial->values != Point{entry.value, 0.5})
            broken.insert("an acknowledged point is lost");
    }
}

/// When the study is finished.
void check_finished(const StudyDefinition& definition, Broken& broken) {
    const Study study = Study::open_or_create(definition);
    const auto trials = study.trials();
    if (static_cast<std::int64_t>(trials.size()) != *definition.settings.budget)
        broken.insert("the budget is not exact");
    auto history = stories_of(study.history());
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (trials[i].id != static_cast<std::int64_t>(i) + 1) broken.insert("an id is lost or used twice");
        if (trials[i].state != TrialState::completed) broken.insert("a trial is lost");
        const Story& told = history[trials[i].id];
        if (told.values.size() != 1 + told.reopened) broken.insert("a trial is told twice");
        const double right = objective(trials[i]) + (told.last() >= correction ? correction : 0.0);
        if (trials[i].value != told.last() || told.last() != right) broken.insert("a value has changed");
    }
    if (!history_replays(study)) broken.insert("the history does not replay");
    if (!next_suggestion_is_that_of_a_replay(study, definition)) broken.insert("the next suggestion is another");
}

struct Torture : ::testing::TestWithParam<std::string> {
    void SetUp() override {
        if (!on_server()) return;
        // What an immediate shutdown loses is what the server has not written; the disk itself is slow to sync, and matters
        // only when the machine fails.
        server.emplace(std::getenv("SUMMAND_TORTURE_KILLS") != nullptr ? "fsync=on recovery_init_sync_method=syncfs"
                                                                       : "");
        if (server->url().empty()) GTEST_SKIP() << testing_support::without_postgres;
    }

    testing_support::TemporaryFolder folder;
    std::optional<testing_support::PostgresServer> server = {};
    Rng rng = Rng::from_seed(2024);
    Open open = [](const StudyDefinition& definition) { return Study::open_or_create(definition); };
    bool second_thoughts = false;
    int kills = 0;

    static bool on_server() { return GetParam() == "postgres"; }

    /// Where the study of this round lives: a file of its own, or a database of its own.
    std::string database_of(int round) {
        const std::string name = "s" + std::to_string(round);
        return on_server() ? server->new_database(name) : (folder / (name + ".db")).string();
    }

    pid_t start(const StudyDefinition& definition, const Ledger& ledger, bool programs) {
        const pid_t child = fork();
        if (child != 0) return child;
        try {
            programs ? run_programs(open(definition), ledger) : ask_and_tell(definition, ledger, open, second_thoughts);
        } catch (const std::exception& error) {
            fprintf(stderr, "a process saw an error: %s\n", error.what());
            _exit(1);
        }
        _exit(0);
    }

    /// Until the processes have acknowledged 0 to 3 more answers (or a second has passed), and then up to 10 ms: a slow disk
    /// must not mean that nothing ever happens between two kills.
    void let_them_work(const Ledger& ledger) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        const std::size_t wanted = ledger.size() + static_cast<std::size_t>(rng.below(4));
        while (ledger.size() < wanted && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        std::this_thread::sleep_for(std::chrono::microseconds(rng.below(10'000)));
    }

    /// Three processes at a time; one after the other is killed unless it has come to its end.
    void torment(const StudyDefinition& definition, const Ledger& ledger, int most_kills, Broken& broken) {
        std::vector<pid_t> victims;
        bool finished = false;
        for (int round_kills = 0; !finished && round_kills < most_kills;) {
            while (victims.size() < 3) victims.push_back(start(definition, ledger, rng.coin()));
            let_them_work(ledger);
            if (on_server() && rng.below(8) == 0) {
                server->crash();
                server->recover();
                ++kills;
                ++round_kills;
                check_acknowledged(Study::open_or_create(definition), ledger, broken);
                continue;
            }
            const auto chosen = static_cast<std::size_t>(rng.below(3));
            kill(victims[chosen], SIGKILL);
            int status = 0;
            waitpid(victims[chosen], &status, 0);
            victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(chosen));
            if (WIFSIGNALED(status)) {
                ++kills;
                ++round_kills;
            } else {
                if (status != 0) broken.insert("a process was shown an error");
                finished = true;  // it found nothing left to do
            }
            check_acknowledged(Study::open_or_create(definition), ledger, broken);
        }
        for (const pid_t victim : victims) {
            kill(victim, SIGKILL);
            waitpid(victim, nullptr, 0);
        }
    }

    /// One study: torment, then an undisturbed process finishes it. Returns the broken promises.
    Broken ordeal(int round, int most_kills) {
        const Ledger ledger(folder / ("acknowledged-" + std::to_string(round)));
        const bool with_model = round % 2 == 1;
        second_thoughts = round % 4 >= 2;
        StudyDefinition definition = testing_support::small_study(database_of(round), with_model ? 24 : 200);
        if (with_model) definition.options.initial_points = 8;
        // x + 2y as an external program; awk prints enough digits for the very same double.
        definition.settings.command = {"awk", "BEGIN {{ printf \"%.17g\\n\", {x} + 2.0 * {y} }}"};
        if (round % 3 != 0) {  // the result in a file of one name, in a directory for each attempt
            definition.settings.command[1] = "BEGIN {{ printf \"%.17g\\n\", {x} + 2.0 * {y} > \"out.txt\" }}";
            definition.settings.directory = (folder / "work").string() + std::to_string(round) + "/{trial}-{attempt}";
            definition.settings.result = ResultMode::file;
            definition.settings.result_file = "out.txt";
        }
        Broken broken;
        torment(definition, ledger, most_kills, broken);
        const pid_t last = start(definition, ledger, round % 2 == 0);
        int status = 1;
        waitpid(last, &status, 0);
        if (status != 0) broken.insert("an undisturbed process does not finish the study");
        check_acknowledged(Study::open_or_create(definition), ledger, broken);
        check_finished(definition, broken);
        return broken;
    }

    /// A storage that breaks a promise shows it only to processes that meet at the right moment, and on a busy machine they
    /// do not in every ordeal: ten of one kind must not all miss it.
    bool some_ordeal_finds(const std::string& broken_promise, int first_round) {
        for (int round = first_round; round < first_round + 40; round += 4)
            if (ordeal(round, 60).contains(broken_promise)) return true;
        return false;
    }

    /// Fifty processes ask and tell at once until nothing is left.
    Broken crowd() {
        const Ledger ledger(folder / "acknowledged");
        const StudyDefinition definition = testing_support::small_study(database_of(0), 200);
        std::vector<pid_t> processes;
        for (int i = 0; i < 50; ++i) processes.push_back(start(definition, ledger, false));
        Broken broken;
        for (const pid_t process : processes) {
            int status = 1;
            waitpid(process, &status, 0);
            if (status != 0) broken.insert("a process was shown an error");
        }
        if (!second_thoughts && ledger.size() != 200) broken.insert("an answer was not acknowledged");
        check_acknowledged(Study::open_or_create(definition), ledger, broken);
        check_finished(definition, broken);
        return broken;
    }

    /// From now on processes use a storage that breaks a promise.
    template <class BrokenStorage>
    void break_storage() {
        open = [](const StudyDefinition& definition) {
            return Study::in(std::make_unique<BrokenStorage>(definition.database), definition);
        };
    }
};

TEST_P(Torture, KillingAnythingAtAnyMomentLosesNothing) {
    const char* setting = std::getenv("SUMMAND_TORTURE_KILLS");
    const int wanted = setting != nullptr ? std::atoi(setting) : on_server() ? 60 : 150;
    for (int round = 0; kills < wanted; ++round) ASSERT_EQ(ordeal(round, std::min(wanted - kills, 60)), Broken{});
    RecordProperty("kills", kills);
}

TEST_P(Torture, FindsAStorageThatAcknowledgesBeforeItWrites) {
    break_storage<testing_support::HastyStorage>();
    EXPECT_TRUE(some_ordeal_finds("an acknowledged answer is lost", 0));
}

TEST_P(Torture, FindsAStorageThatHandsATrialToTwoWorkers) {
    break_storage<testing_support::FickleStorage>();
    EXPECT_TRUE(some_ordeal_finds("a trial was handed to two workers", 0));
}

TEST_P(Torture, FindsAStorageThatAcknowledgesACorrectionAndForgetsIt) {
    break_storage<testing_support::ForgetfulStorage>();
    EXPECT_TRUE(some_ordeal_finds("an acknowledged answer is lost", 2));
}

TEST_P(Torture, FindsAStorageThatForgetsKeys) {
    break_storage<testing_support::KeylessStorage>();
    EXPECT_TRUE(some_ordeal_finds("a process was shown an error", 2));
}

TEST_P(Torture, FiftyProcessesAskAndTellAtOnce) {
    EXPECT_EQ(crowd(), Broken{});
}

TEST_P(Torture, FiftyProcessesEnqueueCorrectAndRerunAtOnce) {
    second_thoughts = true;
    EXPECT_EQ(crowd(), Broken{});
}

TEST_P(Torture, FiftyProcessesFindAStorageWhoseTurnsExcludeNoOne) {
    break_storage<testing_support::PushyStorage>();
    EXPECT_TRUE(crowd().contains("a process was shown an error"));
}

std::vector<std::string> storages() {
    std::vector<std::string> names = {"sqlite"};
#ifdef SUMMAND_TEST_POSTGRES
    names.emplace_back("postgres");
#endif
    return names;
}

INSTANTIATE_TEST_SUITE_P(Storages, Torture, ::testing::ValuesIn(storages()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace summand
