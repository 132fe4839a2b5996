// SPDX-License-Identifier: Apache-2.0
#include "report/sample.hpp"
#include "summand/report/page.hpp"

#include <benchmark/benchmark.h>

namespace summand {
namespace {

// The page of 10,000 trials; the argument is the number of real parameters (and about as many maps).
void render_report(benchmark::State& state) {
    const report::ReportData data = testing::sample_report(10'000, static_cast<int>(state.range(0)));
    std::size_t size = 0;
    for (auto _ : state) size = report::render_page(data).size();
    state.counters["bytes"] = static_cast<double>(size);
}
BENCHMARK(render_report)->Arg(10)->Arg(96)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace summand
