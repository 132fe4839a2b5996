// SPDX-License-Identifier: Apache-2.0
#include "summand/base/random.hpp"
#include "summand/optimizer/default/planner.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "support/cube.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

// A structure-finding design ends when its groups are sure, and only then.
namespace summand::design_end_test {
namespace {

constexpr int dimension = 20;
constexpr int whole_design = 70;

SearchSpace cube() {
    return test::cube(dimension);
}

double at(const Trial& trial, int j) {
    return std::get<double>(trial.values[static_cast<std::size_t>(j)]);
}
/// Ten pairs of neighbours; no pair is itself a sum.
double sum_of_pairs(const Trial& trial) {
    double sum = 0.0;
    for (int j = 0; j < dimension; j += 2)
        sum += std::sin(3.0 * at(trial, j) + j) * std::cos(4.0 * at(trial, j + 1) - j);
    return sum;
}
/// A wave through all parameters at once: every one depends on every other.
double no_sum(const Trial& trial) {
    double phase = 0.0;
    for (int j = 0; j < dimension; ++j) phase += (3.0 + j % 5) * at(trial, j);
    return std::sin(phase);
}

Options structure_finding(int batch_size) {
    return {.batch_size = batch_size, .seed = 4, .budget = 500};
}

/// Asks and tells until something has been learned; returns how many points were told by then.
int points_until_learned(Optimizer& optimizer, const auto& evaluate) {
    int told = 0;
    while (true) {
        const auto trials = optimizer.ask();
        if (!optimizer.structure().groups.empty()) return told;
        for (const Trial& trial : trials) optimizer.tell(trial.id, Outcome(evaluate(trial)));
        told += static_cast<int>(trials.size());
    }
}

TEST(DesignEnd, ComesEarlyWhenTheGroupsAreSure) {
    Optimizer optimizer(cube(), structure_finding(10));
    EXPECT_LT(points_until_learned(optimizer, sum_of_pairs), whole_design);
    const StructureView view = optimizer.structure();
    ASSERT_EQ(view.groups.size(), 10u) << view.verdict;
    for (std::size_t m = 0; m < view.groups.size(); ++m)
        EXPECT_EQ(view.groups[m],
                  (std::vector<std::string>{"x" + std::to_string(2 * m), "x" + std::to_string(2 * m + 1)}));
    // From then on it stays at work, though fewer points were asked for than the design has.
    for (const Trial& trial : optimizer.pending()) optimizer.tell(trial.id, sum_of_pairs(trial));
    Optimizer rebuilt(cube(), structure_finding(10), optimizer.history());
    EXPECT_EQ(rebuilt.structure().groups, view.groups);
}

TEST(DesignEnd, DoesNotComeEarlyForAFunctionThatIsNoSum) {
    Optimizer optimizer(cube(), structure_finding(10));
    EXPECT_EQ(points_until_learned(optimizer, no_sum), whole_design);
}

TEST(DesignEnd, DoesNotComeEarlyUnderNoise) {
    // A sum of ten parts of variance near 1/4 has a standard deviation near 1.6; noise of 0.05 leaves 1e-3 of its variance
    // unexplained, more than the 1e-4 that may be left.
    Optimizer optimizer(cube(), structure_finding(10));
    EXPECT_EQ(points_until_learned(optimizer,
                                   [](const Trial& trial) {
                                       Rng rng = Rng::from_seed(5).stream("noise", {trial.id});
                                       return sum_of_pairs(trial) + 0.05 * rng.normal();
                                   }),
              whole_design);
}

TEST(DesignEnd, ANumberOfPointsThatWasGivenIsKept) {
    Options options = structure_finding(10);
    options.initial_points = 90;
    Optimizer optimizer(cube(), options);
    EXPECT_EQ(points_until_learned(optimizer, sum_of_pairs), 90);
}

TEST(DesignEnd, FailuresAreNoValuesToLearnFrom) {
    // Every third point fails: of 70 points 46 or 47 have values, fewer than the 2.5 a parameter that a look takes.
    Optimizer optimizer(cube(), structure_finding(10));
    EXPECT_EQ(
        points_until_learned(
            optimizer, [](const Trial& t) { return t.id % 3 == 0 ? Outcome(Failed{}) : Outcome(sum_of_pairs(t)); }),
        whole_design);
}

TEST(DesignEnd, AReplayAndASnapshotDecideAlikeWhenAnswersComeLate) {
    const Options options = structure_finding(7);
    Optimizer optimizer(cube(), options);
    Rng rng = Rng::from_seed(8);
    std::string before;  // a snapshot of the unfinished design
    while (optimizer.structure().groups.empty()) {
        before = optimizer.snapshot();
        (void)optimizer.ask();
        auto open = optimizer.pending();
        rng.shuffle(open);
        for (const Trial& trial : open)
            if (rng.coin(0.7)) optimizer.tell(trial.id, sum_of_pairs(trial));
    }
    const auto events = optimizer.history();
    const auto asked = std::count_if(events.begin(), events.end(),
                                     [](const Event& event) { return std::holds_alternative<Asked>(event); });
    EXPECT_LT(asked - options.batch_size, whole_design);  // the last ask was the planner's
    Optimizer same = optimizer;
    const auto expected = same.ask();
    for (const std::string& snapshot : {std::string(), before, optimizer.snapshot()}) {
        const auto points = Optimizer(cube(), options, optimizer.history(), snapshot).ask();
        ASSERT_EQ(points.size(), expected.size());
        for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].values, expected[i].values);
    }
}

/// The numbers of values at which a planner that is asked after every one of them looks for the end.
std::vector<Index> looks(const Options& options) {
    const SearchSpace space = cube();
    const Encoding encoding(space);
    const std::optional<Partition> unknown;
    const std::vector<Trial> trials = Optimizer(space, options).ask(whole_design);
    optimizer::DefaultPlanner planner{DefaultStrategy{}};
    optimizer::Data data;
    std::vector<Index> counts;
    for (Index count = 1; count < whole_design; ++count) {
        const Trial& trial = trials[static_cast<std::size_t>(count - 1)];
        data.X.conservativeResize(count, dimension);
        data.y.conservativeResize(count);
        data.X.row(count - 1) = encoding.encode(trial.values).transpose();
        data.y(count - 1) = no_sum(trial);
        data.order.push_back(count);
        const std::string before = planner.save();
        EXPECT_FALSE(planner.advance({.encoding = encoding,
                                      .options = options,
                                      .known = unknown,
                                      .root = Rng::from_seed(options.seed),
                                      .ask = count,
                                      .data = data,
                                      .in_design = true}));
        if (planner.save() != before) counts.push_back(count);  // it keeps count of its work
    }
    return counts;
}

TEST(DesignEnd, IsLookedForEveryTenValuesAndRarelyWhenEvaluationsAreCheap) {
    Options options = resolved(structure_finding(1));
    EXPECT_EQ(looks(options), (std::vector<Index>{50, 60}));
    options.evaluation_seconds = 1e-6;
    EXPECT_EQ(looks(options), (std::vector<Index>{50}));
}

}  // namespace
}  // namespace summand::design_end_test
