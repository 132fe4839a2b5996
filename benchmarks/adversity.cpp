// SPDX-License-Identifier: Apache-2.0
// summand_adversity [--noise] PROBLEM EVALUATIONS SEED [SEED ...]: what the default loses when evaluations are noisy (sd 10 % of the
// values' own), now and then wrong (2 %, off by 10 sd of the values either way), fail (5 %), are answered one by one in random
// order, or parameters are integers and choices. Regret of the best point told (with noise and wrong values, of the recommended
// one), by its true value; the median over the seeds, and its ratio to the clean run's. --noise: the first three conditions only.
// docs/results/.
#include "problems/problem.hpp"
#include "summand/base/parallel.hpp"
#include "summand/space/encoding.hpp"
#include "summand/summand.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace summand;
constexpr int batch = 10;

/// Every third parameter an integer with 11 values, every third a choice of 4, spread over the same range.
struct Mixed {
    const problems::Problem& problem;
    static constexpr int integers = 10, choices = 4;

    SearchSpace space() const {
        std::vector<Parameter> parameters = problem.space().parameters();
        for (std::size_t j = 0; j < parameters.size(); ++j) {
            const std::string name = name_of(parameters[j]);
            if (j % 3 == 1) parameters[j] = Integer{.name = name, .low = 0, .high = integers};
            if (j % 3 == 2) parameters[j] = Choice{.name = name, .values = {"a", "b", "c", "d"}};
        }
        return SearchSpace(parameters);
    }
    Point original(const Point& point) const {
        Point result = point;
        for (std::size_t j = 0; j < point.size(); ++j) {
            const auto& real = std::get<Real>(problem.space()[j]);
            double share = 0.0;
            if (j % 3 == 1)
                share = static_cast<double>(std::get<std::int64_t>(point[j])) / integers;
            else if (j % 3 == 2)
                share = (std::get<std::string>(point[j])[0] - 'a') / (choices - 1.0);
            else
                continue;
            result[j] = real.low + share * (real.high - real.low);
        }
        return result;
    }
};

struct Conditions {
    std::string name;
    double noise = 0.0;    ///< share of the standard deviation of values at random points
    double wrong = 0.0;    ///< share of evaluations
    double failing = 0.0;  ///< likewise
    bool one_by_one = false;
    bool mixed = false;
    bool random_search = false;
};

double spread_of_values(const problems::Problem& problem, Rng rng) {
    const Encoding encoding(problem.space());
    Vector values(200);
    for (Index i = 0; i < values.size(); ++i) values(i) = problem.evaluate(encoding.decode(encoding.random(rng)));
    return std::sqrt((values.array() - values.mean()).square().mean());
}

/// The value of the best point told; where values are not true, the true one of the recommended point.
double run(const problems::Problem& problem, const Conditions& conditions, int evaluations, std::uint64_t seed) {
    const Mixed mixed{problem};
    Options options{.goal = problem.goal, .batch_size = batch, .seed = seed, .threads = 1, .budget = evaluations};
    if (conditions.random_search) options.initial_points = evaluations, options.initial_design = InitialDesign::uniform;
    Optimizer optimizer(conditions.mixed ? mixed.space() : problem.space(), options);
    Rng rng = Rng::from_seed(seed).stream("adversity");
    const bool untrue = conditions.noise > 0 || conditions.wrong > 0;
    const double spread = untrue ? spread_of_values(problem, rng.stream("spread")) : 0.0;
    constexpr double wrong_by = 10.0;
    const double sign = problem.goal == Goal::maximize ? 1.0 : -1.0;
    double best_told = -HUGE_VAL, its_value = -HUGE_VAL;
    std::map<std::int64_t, double> true_value;
    std::vector<Trial> waiting;
    for (int done = 0; done < evaluations;) {
        const int free = batch - static_cast<int>(waiting.size());
        if (waiting.empty() || conditions.one_by_one)
            for (Trial& trial : optimizer.ask(std::min(free, evaluations - done))) waiting.push_back(std::move(trial));
        const auto next = waiting.begin() + rng.below(static_cast<Index>(waiting.size()));
        const Trial trial = *next;
        waiting.erase(next);
        ++done;
        if (rng.uniform() < conditions.failing) {
            optimizer.tell(trial.id, Failed{"made to fail"});
            continue;
        }
        const double value = problem.evaluate(conditions.mixed ? mixed.original(trial.values) : trial.values);
        double told = value + conditions.noise * spread * rng.normal();
        if (rng.coin(conditions.wrong)) told += (rng.coin(0.5) ? wrong_by : -wrong_by) * spread;
        optimizer.tell(trial.id, told);
        true_value[trial.id] = sign * value;
        if (sign * told > best_told) best_told = sign * told, its_value = sign * value;
    }
    const auto recommended = optimizer.recommended();
    return untrue && recommended ? true_value.at(recommended->id) : its_value;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

void table(const std::string& name, int evaluations, const std::vector<std::uint64_t>& seeds, bool noise_only) {
    std::vector<Conditions> all = {{.name = "clean"},
                                   {.name = "noise 10 %", .noise = 0.1},
                                   {.name = "2 % wrong", .wrong = 0.02},
                                   {.name = "5 % fail", .failing = 0.05},
                                   {.name = "one by one, random order", .one_by_one = true},
                                   {.name = "mixed space", .mixed = true},
                                   {.name = "mixed space, random points", .mixed = true, .random_search = true}};
    if (noise_only) all.resize(3);
    const std::size_t runs = all.size() * seeds.size();
    std::vector<double> regret(runs);
    parallel_for(static_cast<std::int64_t>(runs), resolve_threads({}), [&](std::int64_t r) {
        const auto c = static_cast<std::size_t>(r) / seeds.size(), s = static_cast<std::size_t>(r) % seeds.size();
        const auto problem = problems::make(name, {.seed = seeds[s]});
        const double known =
            problem.best_known() ? (problem.goal == Goal::maximize ? 1.0 : -1.0) * *problem.best_known() : 0.0;
        regret[static_cast<std::size_t>(r)] = known - run(problem, all[c], evaluations, seeds[s]);
        std::cerr << '.' << std::flush;
    });
    std::cerr << '\n';
    double clean = 0.0;
    for (std::size_t c = 0; c < all.size(); ++c) {
        const auto first = regret.begin() + static_cast<std::ptrdiff_t>(c * seeds.size());
        const std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(seeds.size()));
        if (c == 0) clean = median(own);
        std::printf("| %s, %d | %s | %.3g | %.2f |", name.c_str(), evaluations, all[c].name.c_str(), median(own),
                    median(own) / clean);
        for (const double value : own) std::printf(" %.3g", value);
        std::printf(" |\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bool noise_only = argc > 1 && std::string(argv[1]) == "--noise";
    if (noise_only) --argc, ++argv;
    if (argc < 4) {
        std::cerr << "usage: summand_adversity [--noise] PROBLEM EVALUATIONS SEED [SEED ...]\n";
        return 2;
    }
    try {
        std::vector<std::uint64_t> seeds;
        for (int i = 3; i < argc; ++i) seeds.push_back(std::stoull(argv[i]));
        table(argv[1], std::stoi(argv[2]), seeds, noise_only);
    } catch (const std::exception& error) {
        std::cerr << "summand_adversity: " << error.what() << '\n';
        return 1;
    }
}
