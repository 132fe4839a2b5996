// SPDX-License-Identifier: Apache-2.0
// ask/METHOD/D/N: ask(10) after N told points with the structure given (groups of two). suggest/METHOD/D/N: tell and ask(1).
#include "summand/base/random.hpp"
#include "summand/optimizer/optimizer.hpp"

#include <cmath>
#include <string>

#include <benchmark/benchmark.h>

namespace summand {
namespace {

SearchSpace cube(int dimension) {
    std::vector<Parameter> parameters;
    for (int j = 0; j < dimension; ++j) parameters.push_back(Real{.name = "x" + std::to_string(j)});
    return SearchSpace(parameters);
}

double value_of(const Point& point) {
    double sum = 0.0;
    for (std::size_t j = 0; j + 1 < point.size(); j += 2)
        sum += std::sin(9.0 * std::get<double>(point[j])) * std::cos(7.0 * std::get<double>(point[j + 1]));
    return sum;
}

Options options_for(const std::string& method, int dimension) {
    Options options{.goal = Goal::maximize, .batch_size = 10, .seed = 1, .initial_points = 1};
    for (int j = 0; j + 1 < dimension; j += 2)
        options.groups.push_back({"x" + std::to_string(j), "x" + std::to_string(j + 1)});
    if (method != "default") {
        PaperStrategy strategy{.learner = LearnerName::known, .lengthscale = 0.2, .variance = 0.5};
        strategy.batch_method = from_string<BatchName>(method, "method");
        options.strategy = strategy;
    }
    return options;
}

/// An optimiser that has been told N points and has asked and been answered once, so that what only happens once is over.
Optimizer told(const std::string& method, int dimension, int points) {
    const SearchSpace space = cube(dimension);
    Optimizer optimizer(space, options_for(method, dimension));
    Rng rng = Rng::from_seed(2);
    for (int i = 0; i < points - 10; ++i) {
        Point point;
        for (int j = 0; j < dimension; ++j) point.emplace_back(rng.uniform());
        optimizer.add(point, value_of(point));
    }
    for (const Trial& trial : optimizer.ask(10)) optimizer.tell(trial.id, value_of(trial.values));
    return optimizer;
}

void ask(benchmark::State& state, const std::string& method, int dimension, int points) {
    const Optimizer ready = told(method, dimension, points);
    for (auto _ : state) {
        state.PauseTiming();
        Optimizer optimizer = ready;
        state.ResumeTiming();
        benchmark::DoNotOptimize(optimizer.ask(10));
    }
}

void suggest(benchmark::State& state, const std::string& method, int dimension, int points) {
    Optimizer ready = told(method, dimension, points);
    const Trial open = ready.ask(1).front();
    for (auto _ : state) {
        state.PauseTiming();
        Optimizer optimizer = ready;
        state.ResumeTiming();
        optimizer.tell(open.id, value_of(open.values));
        benchmark::DoNotOptimize(optimizer.ask(1));
    }
}

using Body = void (*)(benchmark::State&, const std::string&, int, int);

void add(const char* kind, Body body, const std::string& method, int dimension, int points) {
    const std::string name =
        std::string(kind) + "/" + method + "/" + std::to_string(dimension) + "/" + std::to_string(points);
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { body(state, method, dimension, points); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->MeasureProcessCPUTime()  // all threads: the cost on one core
        ->Iterations(3);
}

const bool registered = [] {
    std::vector<std::string> methods = words_of<BatchName>();
    methods.emplace_back("default");
    for (const std::string& method : methods) add("ask", ask, method, 50, 1000);
    // Growth in D at the same N: every doubling should double the time.
    for (const int dimension : {10, 20, 40, 80}) add("ask", ask, "ucb-dpp-fnc", dimension, 500);
    add("suggest", suggest, "ucb-dpp-fnc", 20, 250);
    add("suggest", suggest, "default", 20, 250);
    add("ask", ask, "default", 20, 500);
    return true;
}();

}  // namespace
}  // namespace summand
