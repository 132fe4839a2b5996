// SPDX-License-Identifier: Apache-2.0
// Wrong values, and missing pairs where groups are sure.
#include "summand/base/random.hpp"
#include "summand/optimizer/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace summand::doubt_test {
namespace {

constexpr int dimension = 10;

SearchSpace cube() {
    std::vector<Parameter> parameters;
    for (int j = 0; j < dimension; ++j)
        parameters.push_back(Real{.name = "x" + std::to_string(j), .low = 0.0, .high = 1.0});
    return SearchSpace(parameters);
}

double separable(const Trial& trial) {
    double sum = 0;
    for (int j = 0; j < dimension; ++j) {
        const double from_best = trial.real("x" + std::to_string(j)) - 0.3 - 0.05 * j;
        sum += 1 - std::cos(2 * from_best) + 0.5 * from_best * from_best;
    }
    return sum;
}

/// Tells `count` values, the n-th changed by `spoil`; the least value without that change.
double least(Optimizer& optimizer, int count, const std::function<double(const Trial&)>& f,
             const std::function<double(int, double)>& spoil) {
    double found = std::numeric_limits<double>::infinity();
    for (int n = 0; n < count;)
        for (const Trial& trial : optimizer.ask()) {
            const double value = f(trial);
            found = std::min(found, value);
            optimizer.tell(trial.id, spoil(n++, value));
        }
    return found;
}

// A value far too bad in the design, one far too good and one of 1e4 later: the parts of the sum are still found. Shown to the
// models, they cost five orders of magnitude.
TEST(Doubt, WrongValuesDoNotSpoilWhatSureGroupsFind) {
    Optimizer optimizer(cube(), {.goal = Goal::minimize, .batch_size = 10, .seed = 51, .threads = 2, .budget = 200});
    const double found = least(optimizer, 200, separable, [](int n, double value) {
        return n == 12 ? value + 7.0 : n == 70 ? value - 7.0 : n == 95 ? value + 1e4 : value;
    });
    EXPECT_TRUE(optimizer.structure().found);
    EXPECT_LT(found, 1e-5);
}

/// No sum: the distance from a point, beyond a hundredth of it.
double cone(const Trial& trial) {
    double square = 1e-4;
    for (int j = 0; j < dimension; ++j) square += std::pow(trial.real("x" + std::to_string(j)) - 0.3 - 0.03 * j, 2);
    return std::sqrt(square);
}

// Two values far too good and one far too bad, of a function without groups. Those that would be the best of all are asked for once
// more, nothing else is, and the search goes on. Believed, they are searched around until the end.
TEST(Doubt, WrongValuesOfAFunctionThatIsNoSumDoNotDrawTheSearch) {
    for (const std::uint64_t seed : {3, 4}) {
        Optimizer optimizer(cube(),
                            {.goal = Goal::minimize, .batch_size = 5, .seed = seed, .threads = 2, .budget = 100});
        std::map<Point, int> times;
        std::map<std::int64_t, double> true_value;
        std::set<Point> too_good;
        for (int n = 0; n < 100;)
            for (const Trial& trial : optimizer.ask()) {
                ++times[trial.values];
                true_value[trial.id] = cone(trial);
                const double wrong = n == 12 ? 10.0 : n == 33 || n == 61 ? -10.0 : 0.0;
                if (wrong < 0) too_good.insert(trial.values);
                optimizer.tell(trial.id, true_value[trial.id] + wrong);
                ++n;
            }
        for (const auto& [point, count] : times) EXPECT_EQ(count, too_good.contains(point) ? 2 : 1) << "seed " << seed;
        EXPECT_LT(true_value.at(optimizer.recommended()->id), 0.15) << "seed " << seed;
        EXPECT_TRUE(optimizer.recommended()->best_doubted);
    }
}

/// Told `value` for a point of its own, far from the optimum, after 40 evaluations: how often it is asked for among the next 20 with
/// `answer` given for it, and how many of the 20 lie near it.
struct Surprise {
    int times = 0, near = 0;
};
Surprise after_a_surprise(double value, const Outcome& answer) {
    Optimizer optimizer(cube(), {.goal = Goal::minimize, .batch_size = 5, .seed = 5, .threads = 2, .budget = 100});
    least(optimizer, 40, cone, [](int, double right) { return right; });
    const Point surprising(dimension, 0.9);
    optimizer.add(surprising, value);
    Surprise result;
    for (int n = 0; n < 20;)
        for (const Trial& trial : optimizer.ask()) {
            ++n;
            double distance = 0;
            for (const Value& x : trial.values) distance = std::max(distance, std::abs(std::get<double>(x) - 0.9));
            result.times += distance == 0 ? 1 : 0;
            result.near += distance < 0.25 ? 1 : 0;
            if (distance > 0)
                optimizer.tell(trial.id, cone(trial));
            else if (const auto* told = std::get_if<double>(&answer))
                optimizer.tell(trial.id, *told);
            else
                optimizer.tell(trial.id, std::get<Failed>(answer));
        }
    return result;
}

TEST(Doubt, AValueTooGoodToBelieveIsAskedForOnceMoreAndBelievedIfToldAlike) {
    const Surprise confirmed = after_a_surprise(-10.0, -10.0);
    EXPECT_EQ(confirmed.times, 1);
    EXPECT_GT(confirmed.near, 5);
    const Surprise refuted = after_a_surprise(-10.0, 1.8);
    EXPECT_EQ(refuted.times, 1);
    EXPECT_LT(refuted.near, 3);
    // An evaluation that fails is an answer: the point is not asked for again and again.
    EXPECT_EQ(after_a_surprise(-10.0, Failed{"no luck"}).times, 1);
    // What is too bad is not worth another evaluation.
    EXPECT_EQ(after_a_surprise(10.0, 10.0).times, 0);
}

// A model that sees a part of the values may not see the one that refuted a doubted one.
TEST(Doubt, APointIsAskedForOnceMoreHoweverFewValuesAModelSees) {
    Optimizer optimizer(
        cube(), {.goal = Goal::minimize, .batch_size = 5, .seed = 3, .threads = 2, .budget = 100, .model_points = 30});
    std::map<Point, int> times;
    for (int n = 0; n < 130;)
        for (const Trial& trial : optimizer.ask()) {
            ++times[trial.values];
            optimizer.tell(trial.id, cone(trial) - (n == 33 ? 10.0 : 0.0));
            ++n;
        }
    int repeated = 0;
    for (const auto& [point, count] : times) {
        EXPECT_LE(count, 2);
        repeated += count == 2 ? 1 : 0;
    }
    EXPECT_EQ(repeated, 1);
}

// Whoever gives the second trial up is not asked for it again at once.
TEST(Doubt, APointWhoseRepetitionWasAbandonedIsNotAskedForAgain) {
    Optimizer optimizer(cube(), {.goal = Goal::minimize, .batch_size = 1, .seed = 5, .threads = 2, .budget = 100});
    least(optimizer, 40, cone, [](int, double right) { return right; });
    const Point surprising(dimension, 0.9);
    optimizer.add(surprising, -10.0);
    int times = 0;
    for (int n = 0; n < 5; ++n)
        for (const Trial& trial : optimizer.ask()) {
            times += trial.values == surprising ? 1 : 0;
            if (trial.values == surprising)
                optimizer.abandon(trial.id);
            else
                optimizer.tell(trial.id, cone(trial));
        }
    EXPECT_EQ(times, 1);
}

// All values withdrawn but one that no model is shown, and then that one too: nothing is known, and that is what is said.
TEST(Doubt, WithoutAValueThatIsBelievedNothingIsRecommended) {
    Optimizer optimizer(cube(), {.goal = Goal::minimize, .batch_size = 5, .seed = 5, .threads = 2, .budget = 100});
    least(optimizer, 40, cone, [](int, double right) { return right; });
    const std::int64_t doubted = optimizer.add(Point(dimension, 0.9), -10.0);
    optimizer.ask();
    ASSERT_TRUE(optimizer.recommended()->best_doubted);
    // At (0.9, .. 0.9) the function is nowhere below 1.3, whatever x0 is.
    const GroupSlice cut = optimizer.slice({"x0"}, 11);
    EXPECT_FALSE(cut.additive);
    EXPECT_LT(*std::min_element(cut.mean.begin(), cut.mean.end()), 0.8);
    for (std::int64_t id = 1; id <= 40; ++id) optimizer.reopen(id);
    for (const bool last : {false, true}) {
        if (last) optimizer.reopen(doubted);
        EXPECT_FALSE(optimizer.recommended());
        EXPECT_TRUE(optimizer.importance().empty());
        EXPECT_TRUE(optimizer.group_slices().empty());
        EXPECT_TRUE(optimizer.explain([](const ModelView&) { return std::vector<std::vector<std::string>>{}; }, 5, 100)
                        .importance.empty());
        EXPECT_EQ(Optimizer(optimizer).ask().size(), 5u);
    }
}

// x0 and x1 interact only in the middle, between the levels of the structure-finding design, where the best values are.
double with_a_hidden_pair(const Trial& trial) {
    const auto bump = [&](const char* name) { return std::max(0.0, 0.14 - std::abs(trial.real(name) - 0.5)); };
    double sum = 200.0 * bump("x0") * bump("x1");
    for (int j = 0; j < dimension; ++j) sum += 4.0 * std::pow(trial.real("x" + std::to_string(j)) - 0.5, 2);
    return sum;
}

bool joined(const Optimizer& optimizer) {
    const auto groups = optimizer.structure().groups;
    return std::any_of(groups.begin(), groups.end(), [](const std::vector<std::string>& group) {
        return std::count(group.begin(), group.end(), "x0") + std::count(group.begin(), group.end(), "x1") == 2;
    });
}

// Of seeds 1 to 8 all but 3 join the pair. Only 2 and 8 did when groups grew only if their own model led, and not if the equal one
// of every parameter alone did; none if they do not grow. Two seeds: a run takes a minute under sanitizers.
TEST(Doubt, GroupsFoundInADesignGrowByWhatItCouldNotShow) {
    int found = 0;
    for (const std::uint64_t seed : {1, 4}) {
        Optimizer optimizer(cube(),
                            {.goal = Goal::minimize, .batch_size = 10, .seed = seed, .threads = 2, .budget = 200});
        least(optimizer, 40, with_a_hidden_pair, [](int, double value) { return value; });
        optimizer.ask();
        EXPECT_TRUE(optimizer.structure().found) << optimizer.structure().verdict;
        EXPECT_FALSE(joined(optimizer));
        // The user's own data, where the design had none.
        Rng rng = Rng::from_seed(1);
        for (int i = 0; i < 40; ++i) {
            Trial own = optimizer.pending().front();
            for (std::size_t j = 0; j < own.values.size(); ++j)
                own.values[j] = j < 2 ? 0.4 + 0.2 * rng.uniform() : rng.uniform();
            optimizer.add(own.values, with_a_hidden_pair(own));
        }
        least(optimizer, 60, with_a_hidden_pair, [](int, double value) { return value; });
        found += joined(optimizer) ? 1 : 0;
    }
    EXPECT_EQ(found, 2);
}

}  // namespace
}  // namespace summand::doubt_test
