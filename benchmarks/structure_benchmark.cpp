// SPDX-License-Identifier: Apache-2.0
// Learning structures. Each benchmark reports a ratio measured in the same run; docs/structure.md has the figures and limits.
#include "side_by_side.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/structure/gram_evidence.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/sampler.hpp"
#include "summand/structure/two_level.hpp"
#include "summand/structure/walsh_evidence.hpp"

#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

namespace {

using namespace summand;
using namespace summand::structure;
using summand::benchmarks::median;
using summand::benchmarks::seconds_of;

// Groups of 2, 3 and 1 parameters in turn.
Partition groups_of(Index D) {
    std::vector<int> label;
    for (int m = 0; static_cast<Index>(label.size()) < D; ++m)
        for (int i = 0; i < (m % 3 == 0 ? 2 : m % 3 == 1 ? 3 : 1) && static_cast<Index>(label.size()) < D; ++i)
            label.push_back(m);
    return Partition::from_labels(label);
}

Matrix uniform_points(Index N, Index D) {
    Rng rng = Rng::from_seed(1);
    Matrix X(N, D);
    for (double& value : X.reshaped()) value = rng.uniform();
    return X;
}

// A draw of the paper's model: lengthscale 0.1, variance 5 a group, noise sd 0.01, then mean 0 and variance 1.
Vector standardised_draw(const Matrix& X, const Partition& groups) {
    Rng rng = Rng::from_seed(2);
    Matrix K = Matrix::Zero(X.rows(), X.rows());
    for (const auto& group : groups.groups())
        K += group_gram(KernelFamily::squared_exponential, group, 5.0, Vector::Constant(X.cols(), 0.1), {}, X, X);
    K.diagonal().array() += 1e-4;
    Vector white(X.rows());
    for (double& value : white) value = rng.normal();
    Vector y = Cholesky::try_factor(std::move(K)).value().times_lower(white);
    y.array() -= y.mean();
    return y / std::sqrt(y.squaredNorm() / static_cast<double>(y.size()));
}

Setting true_setting(Index D) {
    const double groups = static_cast<double>(groups_of(D).group_count());
    return {Vector::Constant(D, 0.1), 1.0 / groups, 2e-5 / groups};
}

// Processor seconds of one bare factorisation with its solve, the least any likelihood costs.
double bare_factorisation(const Matrix& X, const Vector& y) {
    const Index D = X.cols();
    GramCache cache(KernelFamily::squared_exponential, X, Vector::Constant(D, 0.1), {}, D);
    for (Index m = 0; m < groups_of(D).group_count(); ++m) cache.place(m, groups_of(D).group(m));
    std::vector<double> times;
    Matrix K;
    for (int i = 0; i < 15; ++i) {
        cache.assemble(1e-3, K);
        Vector b = y;
        times.push_back(seconds_of([&] { benchmark::DoNotOptimize(factor_and_solve_in_place(K, b)); }));
    }
    return median(times);
}

double wall_seconds(const auto& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// An exact sweep from a random labelling. times_factorisations: over its distinct factorisations alone (limit 1.3).
void gibbs_sweep(benchmark::State& state) {
    const Index D = state.range(0), N = state.range(1);
    const int threads = static_cast<int>(state.range(2));
    const Matrix X = uniform_points(N, D);
    const Vector y = standardised_draw(X, groups_of(D));
    const AssignmentPrior prior({}, D);
    GramEvidence evidence(KernelFamily::squared_exponential, X, y, {}, D, true_setting(D), threads);
    std::vector<double> ratios;
    for (auto _ : state) {
        RememberedEvidence remembered(evidence);
        Sampler sampler(prior, remembered, D);
        Rng rng = Rng::from_seed(3);
        Assignment z(draw_partition(prior, D, D, rng), D);
        const long before = evidence.factorisations();
        const double bare = bare_factorisation(X, y);
        const auto sweep = [&] { sampler.sweep(z, rng); };
        const double seconds = threads == 1 ? seconds_of(sweep) : wall_seconds(sweep);
        const auto count = static_cast<double>(evidence.factorisations() - before);
        ratios.push_back(seconds / (count * 0.5 * (bare + bare_factorisation(X, y))));
        state.SetIterationTime(seconds);
        state.counters["factorisations"] = count;
    }
    state.counters["times_factorisations"] = median(ratios);
}
BENCHMARK(gibbs_sweep)
    ->Args({50, 450, 1})
    ->Args({50, 450, 2})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

// An exact sweep on two-level points against one N x N factorisation for each candidate.
void two_level_sweep(benchmark::State& state) {
    const Index D = state.range(0), N = state.range(1);
    const Matrix X = two_level_design(Rng::from_seed(1), D, N, {.blocks = 1});
    const Vector y = standardised_draw(X, groups_of(D));
    const AssignmentPrior prior({}, D);
    WalshEvidence evidence(find_two_level_rows(X), y, {{}, 1.0 / static_cast<double>(D), 0.1});
    const double bare = bare_factorisation(X, y);
    std::vector<double> times;
    double candidates = 0;
    for (auto _ : state) {
        RememberedEvidence remembered(evidence);
        Sampler sampler(prior, remembered, 3);
        Rng rng = Rng::from_seed(3);
        Assignment z(draw_partition(prior, D, 3, rng), D);
        sampler.sweep(z, rng);
        const long before = remembered.asked();
        times.push_back(seconds_of([&] { sampler.sweep(z, rng); }));
        candidates = static_cast<double>(remembered.asked() - before);
        state.SetIterationTime(times.back());
    }
    state.counters["candidates"] = candidates;
    state.counters["times_faster"] = candidates * bare / median(times);
}
BENCHMARK(two_level_sweep)
    ->Args({50, 200})
    ->Args({100, 400})
    ->Args({200, 900})
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

// Everything: chains, samples, diagnostics, verdict. Limit at 100, 450: 20 s on one core.
void whole_structure(benchmark::State& state) {
    const Index D = state.range(0), N = state.range(1);
    const Matrix X = two_level_design(Rng::from_seed(1), D, N);
    const Vector y = standardised_draw(X, groups_of(D));
    for (auto _ : state) {
        StructurePosterior found;
        state.SetIterationTime(seconds_of([&] { found = learn_structure(X, y, AnnealedChains{}, Rng::from_seed(4)); }));
        state.counters["together"] = compare(found.best, groups_of(D)).together;
    }
}
BENCHMARK(whole_structure)
    ->Args({20, 70})
    ->Args({50, 200})
    ->Args({100, 450})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

// A chain of 100 sweeps that has settled against 100 first sweeps (limit: 5 times less). Started at the truth.
void settled_chain(benchmark::State& state) {
    const Index D = state.range(0), N = state.range(1);
    const Matrix X = uniform_points(N, D);
    const Vector y = standardised_draw(X, groups_of(D));
    const AssignmentPrior prior({}, D);
    for (auto _ : state) {
        GramEvidence evidence(KernelFamily::squared_exponential, X, y, {}, D, true_setting(D), 1);
        RememberedEvidence remembered(evidence);
        Sampler sampler(prior, remembered, D);
        Rng rng = Rng::from_seed(3);
        Assignment z(groups_of(D), D);
        const double first = seconds_of([&] { sampler.sweep(z, rng); });
        const double rest = seconds_of([&] {
            for (int i = 1; i < 100; ++i) sampler.sweep(z, rng);
        });
        state.SetIterationTime(first + rest);
        state.counters["times_less"] = 100 * first / (first + rest);
    }
}
BENCHMARK(settled_chain)->Args({20, 450})->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

// Three sweeps of a warm chain after 10 new observations on two threads (limit at 50, 1000: 5 s), and peak memory. The time
// is wall time; processor_seconds / 2 is what two idle cores would need.
void warm_update(benchmark::State& state) {
    const Index D = state.range(0), N = state.range(1);
    const Matrix X = uniform_points(N, D);
    const Vector y = standardised_draw(X, groups_of(D));
    LearnOptions options;
    options.threads = 2;
    options.warm_start = {groups_of(D)};
    const Setting setting = true_setting(D);
    options.hyperparameters = GivenHyperparameters{
        .lengthscale = setting.lengthscale, .variance = setting.variance, .noise_variance = setting.noise_variance};
    const std::clock_t before = std::clock();
    for (auto _ : state)
        state.SetIterationTime(wall_seconds([&] {
            benchmark::DoNotOptimize(
                learn_structure(X, y, AnnealedChains{.chains = 1, .samples = 3}, Rng::from_seed(5), options));
        }));
    state.counters["processor_seconds"] = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}
BENCHMARK(warm_update)
    ->Args({50, 1000})
    ->Args({100, 1000})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
