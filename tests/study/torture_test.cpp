// SPDX-License-Identifier: Apache-2.0
// Processes that run, ask and tell are killed with SIGKILL at random moments, hundreds of times. Then: no acknowledged answer
// is lost or changed, none counts twice, no id is used twice, the budget is exact, and every suggestion in the history, and
// the next one, equals that of an optimiser that lives through the history undisturbed.
//
// SUMMAND_TORTURE_KILLS sets the number of kills (default 150; the nightly run uses 5000).
#include "studies.hpp"
#include "summand/base/random.hpp"
#include "summand/executor/local_process.hpp"
#include "summand/study/run.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
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
    struct Entry {
        std::int64_t id;
        double value;
    };
    explicit Ledger(std::filesystem::path path) : path_(std::move(path)) {}

    void append(Entry entry) const {
        const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        ASSERT_EQ(write(file, &entry, sizeof entry), static_cast<ssize_t>(sizeof entry));
        close(file);
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
    void finished(const StudyTrial& trial, const Outcome& outcome, double) override {
        ledger.append({trial.id, std::get<double>(outcome)});
    }
    const Ledger& ledger;
};

void run_programs(const StudyDefinition& definition, const Ledger& ledger) {
    Study study = Study::open_or_create(definition);
    const auto executor = executor::local_processes();
    RunControl control;
    Witness witness(ledger);
    run(study, *executor, control, witness, 2);
}

void ask_and_tell(const StudyDefinition& definition, const Ledger& ledger) {
    for (;;) {
        Study study = Study::open_or_create(definition);
        const auto trials = study.ask({.count = 2, .worker = this_worker()});
        if (trials.empty()) return;
        for (const StudyTrial& trial : trials) {
            study.tell(trial.id, objective(trial), {.worker = this_worker(), .attempt = trial.attempt});
            ledger.append({trial.id, objective(trial)});
        }
    }
}

struct Torture : ::testing::Test {
    testing_support::TemporaryFolder folder;
    Rng rng = Rng::from_seed(2024);
    int kills = 0;
    int errors = 0;

    pid_t start(const StudyDefinition& definition, const Ledger& ledger, bool programs) {
        const pid_t child = fork();
        if (child != 0) return child;
        try {
            programs ? run_programs(definition, ledger) : ask_and_tell(definition, ledger);
        } catch (const std::exception& error) {
            fprintf(stderr, "a process saw an error: %s\n", error.what());
            _exit(1);
        }
        _exit(0);
    }

    /// Three processes at a time; each is killed after a while unless it has come to its end.
    void torment(const StudyDefinition& definition, const Ledger& ledger, int most_kills) {
        std::vector<pid_t> victims;
        bool finished = false;
        for (int round_kills = 0; !finished && round_kills < most_kills;) {
            while (victims.size() < 3) victims.push_back(start(definition, ledger, rng.coin()));
            std::this_thread::sleep_for(std::chrono::microseconds(rng.below(40'000)));
            const auto chosen = static_cast<std::size_t>(rng.below(3));
            kill(victims[chosen], SIGKILL);
            int status = 0;
            waitpid(victims[chosen], &status, 0);
            victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(chosen));
            if (WIFSIGNALED(status)) {
                ++kills;
                ++round_kills;
            } else {
                errors += WEXITSTATUS(status);
                finished = true;  // it found nothing left to do
            }
        }
        for (const pid_t victim : victims) {
            kill(victim, SIGKILL);
            waitpid(victim, nullptr, 0);
        }
    }

    static void expect_promises_kept(const StudyDefinition& definition, const Ledger& ledger) {
        Study study = Study::open_or_create(definition);
        const auto trials = study.trials();
        const auto budget = static_cast<std::size_t>(*definition.settings.budget_trials);
        ASSERT_EQ(trials.size(), budget) << "the budget is exact";
        std::map<std::int64_t, int> told;
        for (const Event& event : study.history())
            if (const auto* answer = std::get_if<Told>(&event)) ++told[answer->id];
        for (std::size_t i = 0; i < budget; ++i) {
            EXPECT_EQ(trials[i].id, static_cast<std::int64_t>(i) + 1) << "no id is lost or used twice";
            EXPECT_EQ(trials[i].state, "completed") << "no trial is lost";
            EXPECT_EQ(told[trials[i].id], 1) << "none is told twice";
            EXPECT_EQ(trials[i].value, objective(trials[i]));
        }
        for (const Ledger::Entry& entry : ledger.entries())
            EXPECT_EQ(study.trial(entry.id)->value, entry.value) << "what was acknowledged is there";
        expect_history_replays(study);
        StudyDefinition longer = definition;
        longer.settings.budget_trials = static_cast<std::int64_t>(budget) + 2;
        Optimizer replay(study.space(), study.options(), study.history());
        const auto next = Study::open_or_create(longer).ask({.count = 2});
        const auto replayed = replay.ask(2);
        ASSERT_EQ(next.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(next[i].values, replayed[i].values) << "the next suggestion";
    }

    /// An undisturbed optimiser that is told the same, asks the same.
    static void expect_history_replays(const Study& study) {
        Optimizer undisturbed(study.space(), study.options());
        const std::vector<Event> history = study.history();
        for (std::size_t i = 0; i < history.size();) {
            if (const auto* told = std::get_if<Told>(&history[i])) {
                undisturbed.tell(told->id, told->outcome);
                ++i;
                continue;
            }
            std::vector<Asked> batch;
            for (; i < history.size() && std::holds_alternative<Asked>(history[i]); ++i) {
                const auto& asked = std::get<Asked>(history[i]);
                if (!batch.empty() && asked.ask != batch.back().ask) break;
                batch.push_back(asked);
            }
            const auto trials = undisturbed.ask(static_cast<int>(batch.size()));
            for (std::size_t k = 0; k < batch.size(); ++k) {
                ASSERT_EQ(trials[k].id, batch[k].id);
                ASSERT_EQ(trials[k].values, batch[k].values) << "trial " << batch[k].id;
            }
        }
    }
};

TEST_F(Torture, KillingAnythingAtAnyMomentLosesNothing) {
    const char* setting = std::getenv("SUMMAND_TORTURE_KILLS");
    const int wanted = setting != nullptr ? std::atoi(setting) : 150;
    for (int round = 0; kills < wanted; ++round) {
        const Ledger ledger(folder / ("acknowledged-" + std::to_string(round)));
        const bool with_model = round % 2 == 1;
        StudyDefinition definition =
            testing_support::small_study(folder / ("s" + std::to_string(round) + ".db"), with_model ? 24 : 200);
        if (with_model) definition.options.initial_points = 8;
        // x + 2y as an external program; awk prints enough digits for the very same double.
        definition.settings.command = {"awk", "BEGIN {{ printf \"%.17g\\n\", {x} + 2.0 * {y} }}"};
        torment(definition, ledger, std::min(wanted - kills, 60));
        const pid_t last = start(definition, ledger, round % 2 == 0);
        int status = 1;
        waitpid(last, &status, 0);
        ASSERT_EQ(status, 0) << "an undisturbed process finishes the study";
        expect_promises_kept(definition, ledger);
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(errors, 0) << "a process was shown an error";
    RecordProperty("kills", kills);
}

TEST_F(Torture, FiftyProcessesAskAndTellAtOnce) {
    const Ledger ledger(folder / "acknowledged");
    const StudyDefinition definition = testing_support::small_study(folder / "s.db", 200);
    std::vector<pid_t> processes;
    for (int i = 0; i < 50; ++i) processes.push_back(start(definition, ledger, false));
    for (const pid_t process : processes) {
        int status = 1;
        waitpid(process, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(ledger.entries().size(), 200U);
    expect_promises_kept(definition, ledger);
}

}  // namespace
}  // namespace summand
