// SPDX-License-Identifier: Apache-2.0
#include "summand/base/random.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "support/cube.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

// What a user sees of the strategies: pending points, failures, noise, goals, insight.
namespace summand::behaviour_test {
namespace {

using test::cube;

double bowl(const Trial& trial) {
    double sum = 0.0;
    for (const Value& value : trial.values) sum += std::pow(std::get<double>(value) - 0.3, 2);
    return sum;
}
double distance(const Trial& a, const Trial& b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < a.values.size(); ++j)
        sum += std::pow(std::get<double>(a.values[j]) - std::get<double>(b.values[j]), 2);
    return std::sqrt(sum);
}

struct Setting {
    const char* name;
    Options options;
};
void PrintTo(const Setting& setting, std::ostream* out) {
    *out << setting.name;
}
std::vector<Setting> settings() {
    Options paper{.batch_size = 5, .seed = 3, .preset = Preset::paper_batch, .initial_points = 10};
    paper.strategy = PaperStrategy{.learner = LearnerName::full,
                                   .hyperparameters = HyperparameterSource::learned,
                                   .kernel = KernelName::matern52,
                                   .beta_factor = 0.2};
    return {{"standard", {.batch_size = 5, .seed = 3, .initial_points = 10}}, {"paper", paper}};
}

/// Runs `rounds` asks on a function that may fail.
Optimizer run(const Options& options, int dimension, int rounds, const auto& evaluate) {
    Optimizer optimizer(cube(dimension), options);
    for (int round = 0; round < rounds; ++round)
        for (const Trial& trial : optimizer.ask()) optimizer.tell(trial.id, Outcome(evaluate(trial)));
    return optimizer;
}

class Behaviour : public testing::TestWithParam<Setting> {};

TEST_P(Behaviour, MinimisesASmoothFunctionAndMaximisesItsNegative) {
    Options options = GetParam().options;
    const Optimizer down = run(options, 4, 8, [](const Trial& t) -> Outcome { return bowl(t); });
    options.goal = Goal::maximize;
    const Optimizer up = run(options, 4, 8, [](const Trial& t) -> Outcome { return -bowl(t); });
    // 40 uniform points come within 0.01 with probability below 40 * (volume of a ball of radius 0.1) = 0.02.
    EXPECT_LT(down.best()->value, 0.01);
    EXPECT_EQ(up.best()->value, -down.best()->value);  // the same run, mirrored
}

TEST_P(Behaviour, PendingPointsKeepNewOnesAway) {
    Optimizer optimizer = run(GetParam().options, 3, 4, [](const Trial& t) -> Outcome { return bowl(t); });
    std::vector<Trial> open;
    for (int i = 0; i < 6; ++i) open.push_back(optimizer.ask(1).front());
    for (std::size_t i = 0; i < open.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_GT(distance(open[i], open[j]), 1e-4);
}

TEST_P(Behaviour, FailingRegionsAreAvoidedAndDoNotBendTheModel) {
    // Fails where x0 < 0.35, and the function would be best there: the best allowed value is 0.0025, at the edge.
    int late_failures = 0, asked = 0;
    const Optimizer optimizer = run(GetParam().options, 3, 14, [&](const Trial& t) -> Outcome {
        const bool fails = t.real("x0") < 0.35;
        if (++asked > 40 && fails) ++late_failures;
        if (fails) return Failed{"no convergence"};
        return bowl(t);
    });
    EXPECT_LT(optimizer.best()->value, 0.05);
    EXPECT_LE(late_failures, 18) << "of 30 evaluations; a search that ignores failures fails in nearly all of them";
    for (const Event& event : optimizer.history())
        if (const auto* told = std::get_if<Told>(&event);
            told != nullptr && std::holds_alternative<double>(told->outcome)) {
            EXPECT_LT(std::get<double>(told->outcome), 3.0);  // values are as they were told
        }
}

TEST_P(Behaviour, NoiseDoesNotStopIt) {
    const Optimizer optimizer = run(GetParam().options, 3, 12, [](const Trial& t) -> Outcome {
        Rng rng = Rng::from_seed(4).stream("noise", {t.id});
        return bowl(t) + 0.03 * rng.normal();
    });
    Trial best{.id = 0, .values = optimizer.best()->values, .space = {}};
    EXPECT_LT(bowl(best), 0.06);
}

TEST_P(Behaviour, InsightIsInTheUsersWordsAndUnits) {
    std::vector<Parameter> parameters = {Real{.name = "rate", .low = 1e-3, .high = 1.0, .scale = Scale::log},
                                         Real{.name = "idle"}, Choice{.name = "kind", .values = {"a", "b"}}};
    Optimizer optimizer(SearchSpace(parameters), GetParam().options);
    EXPECT_TRUE(optimizer.importance().empty());
    EXPECT_TRUE(optimizer.group_slices().empty());
    EXPECT_TRUE(optimizer.structure().groups.empty());
    EXPECT_THROW(optimizer.slice({"rate"}), InvalidArgument);
    for (int round = 0; round < 6; ++round)
        for (const Trial& t : optimizer.ask())
            optimizer.tell(t.id, std::pow(std::log10(t.real("rate")) + 1.0, 2) + (t.choice("kind") == "a" ? 0.0 : 0.5));

    const std::vector<Importance> importance = optimizer.importance();
    ASSERT_EQ(importance.size(), 3u);
    EXPECT_NEAR(importance[0].share + importance[1].share + importance[2].share, 1.0, 1e-12);
    EXPECT_LT(importance[1].share, 0.1);
    EXPECT_GT(importance[0].share, importance[1].share);
    for (const Importance& one : importance) EXPECT_LE(one.low, one.high);

    const GroupSlice rate = optimizer.slice({"rate"}, 11);
    ASSERT_EQ(rate.axes.front().size(), 11u);
    EXPECT_NEAR(std::get<double>(rate.axes.front().front()), 1e-3, 1e-12);
    EXPECT_NEAR(std::get<double>(rate.axes.front().back()), 1.0, 1e-12);
    // The parabola in log10(rate) has its minimum at 0.1 = point 7 of 0 .. 10 and its largest value at 1e-3.
    const auto lowest = std::min_element(rate.mean.begin(), rate.mean.end()) - rate.mean.begin();
    EXPECT_NEAR(static_cast<double>(lowest), 7.0, 1.5);
    EXPECT_GT(rate.mean.front(), rate.mean[7]);
    EXPECT_EQ(optimizer.slice({"kind"}).axes.front().size(), 2u);
    for (const int resolution : {1, 1001}) {
        EXPECT_THROW(optimizer.slice({"rate"}, resolution), InvalidArgument);
        EXPECT_THROW(optimizer.group_slices(resolution), InvalidArgument);
    }
    EXPECT_THROW(optimizer.slice({"rat"}), InvalidArgument);

    const StructureView view = optimizer.structure();
    EXPECT_EQ(view.names, (std::vector<std::string>{"rate", "idle", "kind"}));
    std::size_t members = 0;
    for (const auto& group : view.groups) members += group.size();
    EXPECT_EQ(members, 3u);
    EXPECT_FALSE(view.verdict.empty());
}

TEST_P(Behaviour, GivenGroupsAreShownAsCertain) {
    Options options = GetParam().options;
    options.groups = {{"x0", "x2"}};
    Optimizer optimizer = run(options, 3, 2, [](const Trial& t) -> Outcome { return bowl(t); });
    (void)optimizer.ask();
    const StructureView view = optimizer.structure();
    EXPECT_EQ(view.pair_probability, (std::vector<std::vector<double>>{{1, 0, 1}, {0, 1, 0}, {1, 0, 1}}));
    ASSERT_EQ(view.structures.size(), 1u);
    EXPECT_EQ(view.structures[0].groups, view.groups);
    EXPECT_EQ(view.structures[0].weight, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Strategies, Behaviour, testing::ValuesIn(settings()),
                         [](const auto& setting) { return std::string(setting.param.name); });

TEST(DefaultModels, AreFiveWhoseWeightsAreShown) {
    const Optimizer optimizer = run({.seed = 3, .initial_points = 8}, 3, 12, bowl);
    double sum = 0;
    std::set<std::string> names;
    for (const auto& [name, weight] : optimizer.structure().models) {
        names.insert(name);
        EXPECT_GE(weight, 0.03);  // no model is given up
        sum += weight;
    }
    EXPECT_EQ(names.size(), 5u);
    EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(Schedule, LearningIsRarerWhenEvaluationsAreCheap) {
    Options options{.batch_size = 1, .seed = 1, .preset = Preset::paper_sequential, .initial_points = 12};
    options.strategy =
        PaperStrategy{.relearn_every = 2, .sweeps = 4, .burn_in = 1, .hyperparameters = HyperparameterSource::learned};
    const auto likelihood = [&](std::optional<double> seconds) {  // of the data when last learned
        options.evaluation_seconds = seconds;
        return run(options, 4, 24, bowl).structure().log_likelihood;
    };
    EXPECT_NE(likelihood({}), likelihood(1e-9));    // cheap evaluations: learned once, at the first model ask
    EXPECT_EQ(likelihood({}), likelihood(3600.0));  // an hour each: as often as without a limit
}

// With noise the best value told is mostly the luckiest; the model has seen the neighbours too.
TEST(Optimizer, RecommendsThePointThatTheModelExpectsMostOf) {
    const SearchSpace space({Real{.name = "x", .low = 0.0, .high = 1.0}});
    const auto f = [](double x) { return 4.0 * (x - 0.4) * (x - 0.4); };
    double lucky = 0, recommended = 0, noise = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        Optimizer optimizer(space, {.goal = Goal::minimize, .batch_size = 5, .seed = seed});
        EXPECT_FALSE(optimizer.recommended());
        Rng rng = Rng::from_seed(seed);
        std::map<std::int64_t, double> told;
        // Spread evenly: where the search itself goes is another question.
        for (int i = 0; i < 50; ++i) {
            const double x = rng.uniform(), value = f(x) + 0.5 * rng.normal();
            told[optimizer.add({x}, value)] = value;
        }
        optimizer.ask();
        const auto found = *optimizer.recommended();
        lucky += f(std::get<double>(optimizer.best()->values[0]));
        recommended += f(std::get<double>(found.values[0]));
        EXPECT_EQ(found.value, told.at(found.id));
        // At best all 50 values speak about one point: 0.5 / √50 = 0.07. One value alone leaves 0.5.
        EXPECT_GT(found.stddev, 0.03);
        EXPECT_LT(found.stddev, 0.5);
        EXPECT_LT(std::abs(found.mean - f(std::get<double>(found.values[0]))), 5 * found.stddev);
        EXPECT_TRUE(found.noisy);
        noise += found.noise_stddev / 12;
    }
    // Of 0.5, each estimated from 50 values with a standard error of a tenth; models that follow some of the noise see less of it.
    EXPECT_GT(noise, 0.33);
    EXPECT_LT(noise, 0.6);
    EXPECT_LT(recommended, 0.5 * lucky);
}

TEST(Optimizer, SeesNoNoiseInValuesOfASmoothFunction) {
    const SearchSpace space({Real{.name = "x", .low = 0.0, .high = 1.0}, Real{.name = "y", .low = 0.0, .high = 1.0}});
    Optimizer optimizer(space, {.goal = Goal::minimize, .batch_size = 5, .seed = 1});
    Rng rng = Rng::from_seed(3);
    for (int i = 0; i < 40; ++i) {
        const double x = rng.uniform(), y = rng.uniform();
        optimizer.add({x, y}, 1e6 * (std::sin(3 * x) + y * y));  // in any unit
    }
    optimizer.ask();
    EXPECT_FALSE(optimizer.recommended()->noisy);
}

}  // namespace
}  // namespace summand::behaviour_test
