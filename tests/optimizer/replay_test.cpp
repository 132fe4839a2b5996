// SPDX-License-Identifier: Apache-2.0
#include "summand/base/random.hpp"
#include "summand/optimizer/optimizer.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

// The promise: state is a function of (space, options, history). A live optimiser, one rebuilt from its history, one
// rebuilt with a snapshot and one with another number of threads all propose the same next points, bit for bit.
namespace summand::replay_test {
namespace {

SearchSpace mixed_space() {
    return SearchSpace{{Real{.name = "a"}, Real{.name = "b", .low = 1e-3, .high = 10.0, .scale = Scale::log},
                        Integer{.name = "n", .low = 1, .high = 9}, Choice{.name = "c", .values = {"p", "q", "r"}},
                        Real{.name = "d", .low = -2.0, .high = 2.0}}};
}
double value_of(const Trial& trial) {
    const double a = trial.real("a"), d = trial.real("d");
    return std::sin(5.0 * a) + std::pow(std::log10(trial.real("b")) + 1.0, 2) +
           0.1 * std::pow(trial.real("n") - 4.0, 2) + (trial.choice("c") == "q" ? 0.0 : 0.7) + d * d + 0.5 * d * a;
}

std::vector<Point> points_of(const std::vector<Trial>& trials) {
    std::vector<Point> points;
    for (const Trial& trial : trials) points.push_back(trial.values);
    return points;
}

struct Setting {
    const char* name;
    Options options;
};
void PrintTo(const Setting& setting, std::ostream* out) {
    *out << setting.name;
}

std::vector<Setting> settings() {
    std::vector<Setting> all = {{"standard", {.batch_size = 3, .seed = 5, .initial_points = 8}}};
    Options learned{.batch_size = 3, .seed = 6, .preset = Preset::paper_batch, .initial_points = 8};
    learned.strategy = PaperStrategy{.relearn_every = 3,
                                     .sweeps = 6,
                                     .burn_in = 2,
                                     .hyperparameters = HyperparameterSource::learned,
                                     .structures = 2};
    all.push_back({"paper_learned", learned});
    Options thompson{.batch_size = 3, .seed = 7, .preset = Preset::paper_batch, .initial_points = 8};
    thompson.strategy =
        PaperStrategy{.learner = LearnerName::full, .variance = 1.0, .batch_method = BatchName::thompson};
    all.push_back({"paper_thompson", thompson});
    return all;
}

/// Asks, tells in random order, fails, adds, drops: everything a user may do. Calls check(optimizer) after every step.
void live(Optimizer& optimizer, int steps, const auto& check) {
    Rng rng = Rng::from_seed(99);
    for (int step = 0; step < steps; ++step) {
        (void)optimizer.ask(1 + static_cast<int>(rng.below(4)));
        auto open = optimizer.pending();
        rng.shuffle(open);
        for (const Trial& trial : open) {
            if (rng.coin(0.2)) continue;  // answered later
            if (rng.coin(0.1)) {
                optimizer.tell(trial.id, Failed{"lost power"});
            } else if (rng.coin(0.05)) {
                optimizer.abandon(trial.id);
            } else {
                optimizer.tell(trial.id, value_of(trial));
            }
        }
        if (step % 4 == 1) optimizer.add({0.05 * step, 0.5, std::int64_t{3}, std::string("r"), 0.2}, 1.0 + step);
        if (step == 3) optimizer.add_pending({0.4, 0.7, std::int64_t{2}, std::string("p"), -1.0});
        if (step == 6) optimizer.abandon(5);
        check(optimizer);
    }
}

class Replay : public testing::TestWithParam<Setting> {};

TEST_P(Replay, LiveReplayedAndRestoredOptimisersAskTheSame) {
    const Options& options = GetParam().options;
    Optimizer optimizer(mixed_space(), options);
    std::string old_snapshot;
    int step = 0;
    live(optimizer, 9, [&](const Optimizer& now) {
        if (step == 5) old_snapshot = now.snapshot();
        if (++step % 3 != 0) return;
        Optimizer same = now;
        const auto expected = points_of(same.ask(4));
        EXPECT_EQ(points_of(Optimizer(mixed_space(), options, now.history()).ask(4)), expected)
            << "replayed, step " << step;
        EXPECT_EQ(points_of(Optimizer(mixed_space(), options, now.history(), now.snapshot()).ask(4)), expected)
            << "restored, step " << step;
        Options threads = options;
        threads.threads = 2;
        EXPECT_EQ(points_of(Optimizer(mixed_space(), threads, now.history(), old_snapshot).ask(4)), expected)
            << "two threads and an old snapshot, step " << step;
    });
}

TEST_P(Replay, AForeignOrDamagedSnapshotIsIgnored) {
    const Options& options = GetParam().options;
    Optimizer optimizer(mixed_space(), options), other(mixed_space(), options);
    live(optimizer, 5, [](const Optimizer&) {});
    live(other, 4, [](const Optimizer&) {});
    for (const Trial& trial : other.ask(2)) other.tell(trial.id, -3.0);
    Options reseeded = options;
    reseeded.seed += 1;
    Optimizer elsewhere(mixed_space(), reseeded, optimizer.history());
    Optimizer same = optimizer;
    const auto expected = points_of(same.ask(3));
    std::string cut = optimizer.snapshot();
    cut.resize(cut.size() / 2);
    std::string digit = optimizer.snapshot();  // another number in the state, still valid JSON
    const std::size_t place = digit.find_first_of("123456789", digit.find("lengthscale"));
    ASSERT_NE(place, std::string::npos);
    digit[place] = digit[place] == '1' ? '2' : '1';
    for (const std::string& snapshot :
         {other.snapshot(), elsewhere.snapshot(), cut, digit, std::string("{}"), std::string("\"state\"")})
        EXPECT_EQ(points_of(Optimizer(mixed_space(), options, optimizer.history(), snapshot).ask(3)), expected);
}

TEST_P(Replay, AskingAgainAfterAnInterruptionGivesWhatItWouldHaveGiven) {
    Optimizer optimizer(mixed_space(), GetParam().options);
    live(optimizer, 4, [](const Optimizer&) {});
    Optimizer same = optimizer;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(optimizer.ask(3, stop.get_token()), Interrupted);
    EXPECT_THROW(Optimizer(mixed_space(), GetParam().options, optimizer.history(), "", stop.get_token()), Interrupted);
    EXPECT_EQ(points_of(optimizer.ask(3)), points_of(same.ask(3)));
}

TEST_P(Replay, AnotherSeedAsksForOtherPoints) {
    Options options = GetParam().options;
    Optimizer first(mixed_space(), options);
    options.seed += 1;
    Optimizer second(mixed_space(), options);
    EXPECT_NE(points_of(first.ask(3)), points_of(second.ask(3)));
}

INSTANTIATE_TEST_SUITE_P(Strategies, Replay, testing::ValuesIn(settings()),
                         [](const auto& setting) { return std::string(setting.param.name); });

TEST(History, EventsThatCannotHaveHappenedAreRefused) {
    const Point point = {0.5, 0.5, std::int64_t{3}, std::string("p"), 0.0};
    const auto refuses = [&](const std::vector<Event>& history) {
        EXPECT_THROW(Optimizer(mixed_space(), {}, history), InvalidArgument);
    };
    refuses({Told{.id = 1, .outcome = 1.0}});
    refuses({Asked{.id = 1, .values = point, .ask = 1}});
    refuses({Asked{.id = 2, .values = point, .ask = 0}, Asked{.id = 1, .values = point, .ask = 0}});
    refuses({Asked{.id = 1, .values = {0.5}, .ask = 0}});
    refuses({Added{.id = 1, .values = point, .outcome = std::nan("")}});
    refuses({Abandoned{.id = 1}});
    refuses({Asked{.id = std::numeric_limits<std::int64_t>::max(), .values = point, .ask = 0}});
    refuses({Added{.id = std::numeric_limits<std::int64_t>::max(), .values = point, .outcome = 1.0}});
}

}  // namespace
}  // namespace summand::replay_test
