// SPDX-License-Identifier: Apache-2.0
// The hot paths of the model beside the linear algebra they cannot do without (docs/benchmarks.md).
#include "side_by_side.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/model/fit.hpp"
#include "summand/model/gram_cache.hpp"
#include "summand/model/likelihood.hpp"
#include "summand/numeric/cholesky.hpp"

#include <malloc.h>

namespace {

using namespace summand;
using namespace summand::benchmarks;

// Groups of 3 of D parameters in order, as learned structures have; lengthscale 0.3, noise 1e-2.
struct Setting {
    Partition partition;
    Hyperparameters hyperparameters;
    Matrix X;
    Vector y;
};

Setting setting(Index n, Index dimension) {
    std::vector<int> label(static_cast<std::size_t>(dimension));
    for (std::size_t j = 0; j < label.size(); ++j) label[j] = static_cast<int>(j / 3);
    const Partition partition = Partition::from_labels(label);
    Rng rng = Rng::from_seed(1);
    return {partition, Hyperparameters::isotropic(partition, 0.3, 1.0, 1e-2),
            Matrix::NullaryExpr(n, dimension, [&] { return rng.uniform(); }),
            Vector::NullaryExpr(n, [&] { return rng.normal(); })};
}

void write_covariance(KernelFamily family, const Setting& s, Matrix& K) {
    sum_gram(family, s.partition, s.hyperparameters.variance, scale_inputs(s.X, s.hyperparameters.lengthscale, {}),
             s.hyperparameters.noise_variance, K);
}

Matrix covariance(KernelFamily family, const Setting& s) {
    Matrix K(s.X.rows(), s.X.rows());
    write_covariance(family, s, K);
    return K;
}

double cholesky_flops(Index n) {
    const auto side = static_cast<double>(n);
    return side * side * side / 3;
}

KernelFamily family_of(std::int64_t argument) {
    return argument == 0 ? KernelFamily::squared_exponential : KernelFamily::matern52;
}

// A bare factorisation: in place, of a covariance that is there.
struct Bare {
    Matrix K, work;
    void prepare() { work = K; }
    void factor() {
        auto result = Cholesky::try_factor(std::move(work));
        benchmark::DoNotOptimize(result);
    }
};

// One likelihood of a partition in which one parameter has moved to another group, through the Gram cache: what
// structure learning does thousands of times. Assembling the covariance is part of it.
void likelihood_of_a_move(benchmark::State& state) {
    const Index n = state.range(0);
    const KernelFamily family = family_of(state.range(1));
    const Setting s = setting(n, 20);
    Bare bare{covariance(family, s), {}};
    GramCache cache(family, s.X, s.hyperparameters.lengthscale, {}, 20);
    for (Index m = 0; m < s.partition.group_count(); ++m) {
        auto group = s.partition.group(m);
        if (m == 0) group.pop_back();  // parameter 2 is taken out
        cache.place(m, group);
    }
    cache.prepare(2);
    Matrix work(n, n);
    Vector y(n);
    side_by_side(
        state, cholesky_flops(n), [&] { bare.prepare(); }, [&] { bare.factor(); },
        [&] {
            cache.assemble_with(4, 1e-2, work);
            y = s.y;
            auto terms = factor_and_solve_in_place(work, y);
            benchmark::DoNotOptimize(terms);
        });
}
BENCHMARK(likelihood_of_a_move)->ArgNames({"N", "matern"})->ArgsProduct({{250, 450, 1000}, {0, 1}})->UseManualTime();

// One likelihood at new hyperparameters, nothing cached: all group kernels are evaluated.
void likelihood_from_scratch(benchmark::State& state) {
    const Index n = state.range(0);
    const KernelFamily family = family_of(state.range(1));
    const Setting s = setting(n, 20);
    Bare bare{covariance(family, s), {}};
    Matrix K(n, n);  // memory is taken once, as for the reference
    side_by_side(
        state, cholesky_flops(n), [&] { bare.prepare(); }, [&] { bare.factor(); },
        [&] {
            write_covariance(family, s, K);
            Vector y = s.y;
            auto terms = factor_and_solve_in_place(K, y);
            benchmark::DoNotOptimize(terms);
        });
}
BENCHMARK(likelihood_from_scratch)->ArgNames({"N", "matern"})->ArgsProduct({{250, 450, 1000}, {0, 1}})->UseManualTime();

// A likelihood with its gradient in all hyperparameters: what fitting does. groups: 1 = one of all 50 parameters.
void likelihood_gradient(benchmark::State& state) {
    const Index n = state.range(0);
    Setting s = setting(n, 50);
    if (state.range(1) == 1) {
        s.partition = Partition::single(50);
        s.hyperparameters = Hyperparameters::isotropic(s.partition, 1.5, 1.0, 1e-2);
    }
    Bare bare{covariance(KernelFamily::matern52, s), {}};
    const std::vector<bool> unordered;
    side_by_side(
        state, cholesky_flops(n), [&] { bare.prepare(); }, [&] { bare.factor(); },
        [&] {
            auto terms =
                likelihood_terms({KernelFamily::matern52, s.partition, s.X, s.y, unordered}, s.hyperparameters, true);
            benchmark::DoNotOptimize(terms);
        });
}
BENCHMARK(likelihood_gradient)->ArgNames({"N", "groups"})->ArgsProduct({{200, 400}, {1, 17}})->UseManualTime();

// Mean and variance of 10,000 points in a group of 3, against the triangular solve with as many right-hand sides, 250 at
// a time (all at once they leave the caches, and it takes twice as long).
void posterior_of_10000_points(benchmark::State& state) {
    const Index n = state.range(0), count = 10000;
    const Setting s = setting(n, 20);
    const AdditiveGp gp(KernelFamily::matern52, s.partition, s.hyperparameters, s.X, s.y);
    const auto factor = Cholesky::try_factor(covariance(KernelFamily::matern52, s));
    Rng rng = Rng::from_seed(2);
    const Matrix Z = Matrix::NullaryExpr(count, 3, [&] { return rng.uniform(); });
    const Matrix right = Matrix::NullaryExpr(n, count, [&] { return rng.uniform(); });
    Matrix work(n, count);
    side_by_side(
        state, static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(count), [&] { work = right; },
        [&] {
            for (Index c = 0; c < count; c += 250) factor->forward_in_place(work.middleCols(c, 250));
        },
        [&] {
            auto marginals = gp.group_marginals(0, Z);
            benchmark::DoNotOptimize(marginals);
        });
}
BENCHMARK(posterior_of_10000_points)->ArgName("N")->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond);

// One observation more: the reference is factoring anew.
void append_observation(benchmark::State& state) {
    const Index n = state.range(0);
    const Setting s = setting(n + 1, 20);
    Bare bare{covariance(KernelFamily::matern52, s), {}};
    const AdditiveGp start(KernelFamily::matern52, s.partition, s.hyperparameters, s.X.topRows(n), s.y.head(n));
    AdditiveGp gp = start;
    gp.append(s.X.row(n), s.y[n]);  // makes room, as one append in n/5 does
    const Vector x = s.X.row(n);
    side_by_side(
        state, cholesky_flops(n),
        [&] {
            bare.prepare();
            if (gp.size() > n + 50) {
                gp = start;
                gp.append(x, 0.0);
            }
        },
        [&] { bare.factor(); }, [&] { gp.append(x, 1.0); });
}
BENCHMARK(append_observation)->ArgName("N")->Arg(1000)->UseManualTime();

// Bytes held, as multiples of N² numbers: they must not grow with the number of parameters.
std::size_t heap_bytes() {
    const auto usage = mallinfo2();
    return usage.uordblks + usage.hblkhd;
}

void memory_held(benchmark::State& state) {
    const Index n = 1000, dimension = state.range(0);
    const Setting s = setting(n, dimension);
    const auto in_squares = [&](std::size_t bytes) {
        return static_cast<double>(bytes) / 8 / static_cast<double>(n * n);
    };
    for (auto _ : state) {
        const std::size_t empty = heap_bytes();
        const AdditiveGp gp(KernelFamily::matern52, s.partition, s.hyperparameters, s.X, s.y);
        const std::size_t with_model = heap_bytes();
        GramCache cache(KernelFamily::matern52, s.X, s.hyperparameters.lengthscale, {}, dimension);
        for (Index j = 0; j < dimension; ++j) cache.place(j, {j});  // every parameter on its own: the most groups
        cache.prepare(0);
        state.counters["model_N2"] = in_squares(with_model - empty);
        state.counters["gram_cache_N2"] = in_squares(heap_bytes() - with_model);
    }
}
BENCHMARK(memory_held)->ArgName("D")->Arg(20)->Arg(100)->Iterations(1);

}  // namespace
