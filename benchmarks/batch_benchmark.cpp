// SPDX-License-Identifier: Apache-2.0
// The choice of a batch with the structure given. Names: select/METHOD/D/N (10 points, 2 threads), select-one/METHOD/D/N.
// The CPU column adds up both threads: half of it is the time on two idle cores.
#include "summand/batch/kdpp.hpp"
#include "summand/batch/select.hpp"

#include <cmath>
#include <string>

#include <benchmark/benchmark.h>

namespace {

using namespace summand;

// Groups of 2, 3, 1, 2, 2, 2, 1, 2, 2, 3 parameters, over and over: about half of D groups, as in the paper's functions.
Partition groups_of(Index D) {
    const int sizes[] = {2, 3, 1, 2, 2, 2, 1, 2, 2, 3};
    std::vector<int> label;
    for (int m = 0; static_cast<Index>(label.size()) < D; ++m)
        for (int i = 0; i < sizes[m % 10] && static_cast<Index>(label.size()) < D; ++i) label.push_back(m);
    return Partition::from_labels(label);
}

AdditiveGp posterior(Index D, Index N, KernelFamily family, double lengthscale) {
    Rng rng = Rng::from_seed(1);
    Matrix X(N, D);
    for (Index i = 0; i < X.size(); ++i) X.data()[i] = rng.uniform();
    Vector y = Vector::Zero(N);
    for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < D; ++j)
            y(i) += std::sin(7 * X(i, j) + static_cast<double>(j)) + std::cos(9 * X(i, j) * X(i, (j + 1) % D));
    const Partition partition = groups_of(D);
    return AdditiveGp(family, partition, Hyperparameters::isotropic(partition, lengthscale, 5.0, 1e-2), X, y);
}

void select_method(benchmark::State& state, BatchMethod method, Index count, KernelFamily family, double lengthscale) {
    const Index D = state.range(0);
    const AdditiveGp gp = posterior(D, state.range(1), family, lengthscale);
    const Domain domain = Domain::cube(D);
    const Matrix incumbents = gp.inputs().topRows(8);
    batch::DiverseOptions options{.method = method, .threads = 2};
    std::int64_t round = 0;
    for (auto _ : state) {
        ++round;
        benchmark::DoNotOptimize(batch::select_diverse(gp, domain, count, 10, incumbents, options,
                                                       Rng::from_seed(static_cast<std::uint64_t>(round))));
    }
}

void select_thompson(benchmark::State& state, Index count, KernelFamily family) {
    const Index D = state.range(0);
    const std::vector<batch::Weighted> models{{posterior(D, state.range(1), family, 0.3), 1.0}};
    const Domain domain = Domain::cube(D);
    const Matrix incumbents = models[0].gp.inputs().topRows(8);
    std::uint64_t round = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(batch::select_thompson(models, domain, count, incumbents,
                                                        {.follow = 0.6, .threads = 2}, Rng::from_seed(++round)));
}

void kdpp(benchmark::State& state) {
    Rng rng = Rng::from_seed(2);
    const Index n = state.range(0);
    Matrix A(n, n);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = rng.normal();
    const Matrix L = A * A.transpose() / static_cast<double>(n);
    for (auto _ : state) benchmark::DoNotOptimize(batch::sample_kdpp(L, state.range(1), rng));
}

constexpr auto se = KernelFamily::squared_exponential;
constexpr auto matern = KernelFamily::matern52;

void sizes(benchmark::internal::Benchmark* b) {
    b->Args({20, 250})
        ->Args({25, 1000})
        ->Args({50, 1000})
        ->Args({100, 1000})
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
}

}  // namespace

BENCHMARK_CAPTURE(select_method, rand, BatchMethod::rand, 10, se, 0.1)->Name("select/rand")->Apply(sizes);
BENCHMARK_CAPTURE(select_method, ucb_pe, BatchMethod::ucb_pe, 10, se, 0.1)->Name("select/ucb-pe")->Apply(sizes);
BENCHMARK_CAPTURE(select_method, ucb_dpp, BatchMethod::ucb_dpp, 10, se, 0.1)->Name("select/ucb-dpp")->Apply(sizes);
BENCHMARK_CAPTURE(select_method, ucb_pe_fnc, BatchMethod::ucb_pe_fnc, 10, se, 0.1)
    ->Name("select/ucb-pe-fnc")
    ->Apply(sizes);
BENCHMARK_CAPTURE(select_method, ucb_dpp_fnc, BatchMethod::ucb_dpp_fnc, 10, se, 0.1)
    ->Name("select/ucb-dpp-fnc")
    ->Apply(sizes);
BENCHMARK_CAPTURE(select_method, matern, BatchMethod::ucb_dpp_fnc, 10, matern, 0.3)
    ->Name("select/ucb-dpp-fnc-matern")
    ->Apply(sizes);
BENCHMARK_CAPTURE(select_thompson, matern, 10, matern)->Name("select/thompson")->Apply(sizes);
BENCHMARK_CAPTURE(select_method, one, BatchMethod::ucb_dpp, 1, se, 0.1)->Name("select-one/ucb")->Apply(sizes);
BENCHMARK(kdpp)->Name("kdpp")->Args({256, 9})->Args({500, 9})->Args({2000, 50})->Unit(benchmark::kMillisecond);
