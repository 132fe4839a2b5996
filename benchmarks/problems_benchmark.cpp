// SPDX-License-Identifier: Apache-2.0
// One evaluation at random points. Names: problem/NAME. Targets: robot-push 1 ms, walker 5 ms, rover and additive-50 0.2 ms.
#include "problems/problem.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace summand;

void evaluate(benchmark::State& state, const std::string& name) {
    const problems::Problem problem = problems::make(name, {.seed = 1});
    Rng rng = Rng::from_seed(2);
    Matrix points(problem.dimension(), 64);
    for (double& u : points.reshaped()) u = rng.uniform();
    Index i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(problem.evaluate_unit(points.col(i++ % 64)));
}

/// A regular walk is the walker's slowest input: it lasts for the whole 5 s.
void regular_walk(benchmark::State& state) {
    const problems::Problem problem = problems::make("walker");
    Vector p(25);
    p[0] = 2.0;
    const double set[] = {0.512, 0.073, 0.035, -0.819, -2.0, 2.0, 2.0, 1.89};
    for (Index k = 0; k < 24; ++k) p[1 + k] = set[k / 3];
    for (auto _ : state) benchmark::DoNotOptimize(problem.evaluate(p));
}

void make_additive(benchmark::State& state) {
    std::uint64_t seed = 0;
    for (auto _ : state) benchmark::DoNotOptimize(problems::make("additive-50", {.seed = seed++}));
}

void additive_maximum(benchmark::State& state) {
    std::uint64_t seed = 0;
    for (auto _ : state) benchmark::DoNotOptimize(problems::make("additive-50", {.seed = seed++}).best());
}

const bool registered = [] {
    for (const std::string& name : problems::names())
        benchmark::RegisterBenchmark(("problem/" + name).c_str(), evaluate, name)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("problem/additive-50", evaluate, "additive-50")->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("problem/additive-100", evaluate, "additive-100")->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("problem/walker/regular", regular_walk)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("problem/additive-50/make", make_additive)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("problem/additive-50/maximum", additive_maximum)->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
