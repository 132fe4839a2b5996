// SPDX-License-Identifier: Apache-2.0
// The fast path of kernel.hpp: distances and kernels over runs of points, written so that every loop becomes vector
// instructions. Each loop exists twice on x86: for the instructions of the build, and for 512-bit vectors where the machine
// has them (a third faster; g++ only). Both do the same operations in the same order to every element, so results are the same bits.
#include "summand/model/kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__AVX2__) && !defined(__AVX512F__)
#define SUMMAND_WIDE __attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#define SUMMAND_INLINE [[gnu::always_inline]] inline

namespace summand {
namespace {

// a b + c in one rounding where the machine has it. Written out because contraction is off: the compiler would otherwise be
// free to contract a vector loop and its remainder differently.
SUMMAND_INLINE double multiply_add(double a, double b, double c) {
#ifdef __FMA__
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}

// 2^(scale x) for x >= 0 and scale < 0, written so that a loop over it becomes vector instructions: scale x = n + f with n
// the nearest integer, a polynomial of degree 11 for 2^f (Chebyshev fit, relative error 2e-17, exact at 0) as even and odd
// half, and n added to the exponent's bits. The product enters f with one rounding, so that the relative error is below
// 2 units in the last place plus 1.5e-17 log(1/result), the rounding of log2(e) in the scales below.
// Equal bits for equal arguments wherever they stand in a run.
SUMMAND_INLINE double power_of_two(double scale, double x) {
    constexpr double round_to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    x = std::min(x, -1021.0 / scale);              // 2^-1021 is still a normal number
    const double shifted = multiply_add(scale, x, round_to_integer);
    const double f = multiply_add(scale, x, round_to_integer - shifted), f2 = f * f;
    double even = multiply_add(0x1.e6063f7217bc6p-28, f2, 0x1.62bfd47773353p-20);
    double odd = multiply_add(0x1.e9d3fe3952179p-32, f2, 0x1.b524fae627834p-24);
    even = multiply_add(even, f2, 0x1.430913096fd9fp-13);
    odd = multiply_add(odd, f2, 0x1.ffcbfc670dcd4p-17);
    even = multiply_add(even, f2, 0x1.3b2ab6fba1ddap-7);
    odd = multiply_add(odd, f2, 0x1.5d87fe78a5276p-10);
    even = multiply_add(even, f2, 0x1.ebfbdff82c598p-3);
    odd = multiply_add(odd, f2, 0x1.c6b08d704a0c2p-5);
    even = multiply_add(even, f2, 1.0);
    odd = multiply_add(odd, f2, 0x1.62e42fefa39efp-1);
    const double p = multiply_add(odd, f, even);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}
constexpr double log2_e = 0x1.71547652b82fep+0;

template <KernelFamily family>
SUMMAND_INLINE double shape(double r2) {
    if constexpr (family == KernelFamily::squared_exponential) return power_of_two(-0.5 * log2_e, r2);
    const double s = std::sqrt(5.0 * r2);
    return multiply_add(r2, 5.0 / 3.0, 1.0 + s) * power_of_two(-log2_e, s);
}

// Calls body with the family as a constant of the compiler's.
template <typename Body>
auto with_family(KernelFamily family, const Body& body) {
    using enum KernelFamily;
    if (family == squared_exponential) return body(std::integral_constant<KernelFamily, squared_exponential>{});
    return body(std::integral_constant<KernelFamily, matern52>{});
}

#ifdef SUMMAND_WIDE
bool machine_is_wide() {
    static const bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide;
}
template <typename Loop>
SUMMAND_WIDE void run_wide(const Loop& loop) {
    loop();
}
#endif

// Runs a loop, in 512-bit vectors where the machine has them. The loop is a function object that is always inlined.
template <typename Loop>
void run(const Loop& loop) {
#ifdef SUMMAND_WIDE
    if (machine_is_wide()) return run_wide(loop);
#endif
    loop();
}

template <KernelFamily family>
struct ApplyLoop {
    double variance;
    Index count;
    double* values;
    SUMMAND_INLINE void operator()() const {
        for (Index i = 0; i < count; ++i) values[i] = variance * shape<family>(values[i]);
    }
};

// With s = √5 r: k = (1 + s + s²/3) e⁻ˢ and dk/d(r²) = -(5/6) (1 + s) e⁻ˢ; the 1/r of ds/d(r²) has cancelled.
template <KernelFamily family>
struct SlopeLoop {
    double variance;
    Index count;
    double* kernel;
    double* slope;
    SUMMAND_INLINE void operator()() const {
        double* __restrict k = kernel;
        double* __restrict dk = slope;
        const double v = variance;
        for (Index i = 0; i < count; ++i) {
            const double r2 = k[i];
            if constexpr (family == KernelFamily::squared_exponential) {
                k[i] = v * shape<family>(r2);
                dk[i] = -0.5 * k[i];
            } else {
                const double s = std::sqrt(5.0 * r2), decay = v * power_of_two(-log2_e, s);
                k[i] = multiply_add(r2, 5.0 / 3.0, 1.0 + s) * decay;
                dk[i] = (-5.0 / 6.0) * (1.0 + s) * decay;
            }
        }
    }
};

// Distances of some numeric columns and the kernel of them in one pass, added to what is there or written over it.
template <KernelFamily family, int columns, bool add>
struct PassLoop {
    const double* u[columns];
    double p[columns];
    double variance;
    Index count;
    double* out;
    SUMMAND_INLINE void operator()() const {
        const PassLoop self = *this;  // in registers
        double* __restrict target = self.out;
        for (Index i = 0; i < self.count; ++i) {
            double r2 = 0.0;
            for (int k = 0; k < columns; ++k) {
                const double d = self.u[k][i] - self.p[k];
                r2 = multiply_add(d, d, r2);
            }
            const double value = self.variance * shape<family>(r2);
            target[i] = add ? target[i] + value : value;
        }
    }
};

// Up to four numeric columns are handled in one pass over a run: how many from here on, 0 if this one is a choice.
std::size_t numbers_from(const ScaledInputs& inputs, const std::vector<Index>& group, std::size_t k) {
    std::size_t count = 0;
    while (count < 4 && k + count < group.size() && inputs.mismatch[group[k + count]] == 0) ++count;
    return count;
}

// r² of some numeric columns, added to what is there or (first) written over it.
template <int columns>
void sum_columns(const ScaledInputs& inputs, const Index* column, Index row, Index count, const double* point,
                 bool first, double* r2) {
    const double* u[columns];
    double p[columns];
    for (int k = 0; k < columns; ++k) {
        u[k] = inputs.U.col(column[k]).data() + row;
        p[k] = point[column[k]];
    }
    for (Index i = 0; i < count; ++i) {
        double sum = first ? 0.0 : r2[i];
        for (int k = 0; k < columns; ++k) sum = multiply_add(u[k][i] - p[k], u[k][i] - p[k], sum);
        r2[i] = sum;
    }
}

template <KernelFamily family, int columns, bool add>
void pass(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count, const double* point,
          double variance, double* out) {
    PassLoop<family, columns, add> loop{{}, {}, variance, count, out};
    for (int k = 0; k < columns; ++k) {
        loop.u[k] = inputs.U.col(group[static_cast<std::size_t>(k)]).data() + row;
        loop.p[k] = point[group[static_cast<std::size_t>(k)]];
    }
    run(loop);
}

// One pass, if the group is one of up to four numbers.
template <bool add>
bool try_pass(KernelFamily family, const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
              const double* point, double variance, double* out) {
    if (group.empty() || numbers_from(inputs, group, 0) != group.size()) return false;
    with_family(family, [&](auto known) {
        constexpr KernelFamily f = known;
        const auto one_pass = group.size() == 1   ? pass<f, 1, add>
                              : group.size() == 2 ? pass<f, 2, add>
                              : group.size() == 3 ? pass<f, 3, add>
                                                  : pass<f, 4, add>;
        one_pass(inputs, group, row, count, point, variance, out);
    });
    return true;
}

}  // namespace

void squared_distances(const ScaledInputs& inputs, const std::vector<Index>& group, Index row, Index count,
                       const double* point, double* r2) {
    bool first = true;
    for (std::size_t k = 0; k < group.size(); first = false) {
        const std::size_t numbers = numbers_from(inputs, group, k);
        const Index* column = group.data() + k;
        k += std::max<std::size_t>(numbers, 1);
        switch (numbers) {
            case 0: {
                const double* u = inputs.U.col(*column).data() + row;
                const double p = point[*column], weight = inputs.mismatch[*column];
                for (Index i = 0; i < count; ++i) r2[i] = (first ? 0.0 : r2[i]) + (u[i] == p ? 0.0 : weight);
                break;
            }
            case 1:
                sum_columns<1>(inputs, column, row, count, point, first, r2);
                break;
            case 2:
                sum_columns<2>(inputs, column, row, count, point, first, r2);
                break;
            case 3:
                sum_columns<3>(inputs, column, row, count, point, first, r2);
                break;
            default:
                sum_columns<4>(inputs, column, row, count, point, first, r2);
        }
    }
    if (first) std::fill(r2, r2 + count, 0.0);  // an empty group
}

void write_kernel(KernelFamily family, double variance, const ScaledInputs& inputs, const std::vector<Index>& group,
                  Index row, Index count, const double* point, double* out) {
    if (try_pass<false>(family, inputs, group, row, count, point, variance, out)) return;
    squared_distances(inputs, group, row, count, point, out);
    apply_kernel(family, variance, count, out);
}

void add_kernel(KernelFamily family, double variance, const ScaledInputs& inputs, const std::vector<Index>& group,
                Index row, Index count, const double* point, double* out) {
    if (try_pass<true>(family, inputs, group, row, count, point, variance, out)) return;
    Vector run(count);
    squared_distances(inputs, group, row, count, point, run.data());
    apply_kernel(family, variance, count, run.data());
    Eigen::Map<Vector>(out, count) += run;
}

void apply_kernel(KernelFamily family, double variance, Index count, double* values) {
    with_family(family, [&](auto known) { run(ApplyLoop<known>{variance, count, values}); });
}

void apply_kernel_and_slope(KernelFamily family, double variance, Index count, double* kernel, double* slope) {
    with_family(family, [&](auto known) { run(SlopeLoop<known>{variance, count, kernel, slope}); });
}

}  // namespace summand
