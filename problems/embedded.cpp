// SPDX-License-Identifier: Apache-2.0
#include "problems/classics.hpp"
#include "problems/parameters.hpp"
#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

// Branin and Hartmann-6, alone and as functions of a few among many parameters.
namespace summand::problems {
namespace {

using std::numbers::pi;

double branin(const Vector& x) {
    const double valley = x[1] - 5.1 / (4.0 * pi * pi) * x[0] * x[0] + 5.0 / pi * x[0] - 6.0;
    return valley * valley + 10.0 * (1.0 - 1.0 / (8.0 * pi)) * std::cos(x[0]) + 10.0;
}

// -Σ_i c_i exp(-Σ_j A_ij (x_j - P_ij)²)   [Dixon1978]
double hartmann6(const Vector& x) {
    static constexpr double c[4] = {1.0, 1.2, 3.0, 3.2};
    static constexpr double A[4][6] = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
    static constexpr double P[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                       {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                       {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                       {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        double exponent = 0.0;
        for (int j = 0; j < 6; ++j) exponent += A[i][j] * (x[j] - P[i][j]) * (x[j] - P[i][j]);
        sum -= c[i] * std::exp(-exponent);
    }
    return sum;
}

/// A function of few parameters, with one of its minimisers.
struct Small {
    std::vector<Range> ranges;
    double (*function)(const Vector&);
    std::vector<double> at;
};

Small small_branin() {
    return {{{"x1", -5.0, 10.0}, {"x2", 0.0, 15.0}}, branin, {pi, 2.275}};
}

Small small_hartmann6() {
    return {numbered(6, 0.0, 1.0),
            hartmann6,
            {0.2016895108, 0.1500106919, 0.4768739742, 0.2753324305, 0.3116516165, 0.6573005340}};
}

Vector to_vector(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

Problem alone(const std::string& name, const Options& options, const Small& small) {
    const Vector at = to_vector(small.at);
    return Problem(name, make_space(small.ranges, options), options, with_value_noise(small.function, options),
                   [at, f = small.function] {
                       return Best{f(at), Best::Kind::optimum, at};
                   });
}

/// The first |A| entries of a random order of 0 .. D-1: which parameter plays which part.
std::vector<Index> active_parameters(Index D, std::size_t count, std::uint64_t seed) {
    const auto order = Rng::from_seed(seed).stream("problem/embedding").permutation(D);
    return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)};
}

Partition one_group(Index D, const std::vector<Index>& together) {
    std::vector<int> label(static_cast<std::size_t>(D));
    for (std::size_t j = 0; j < label.size(); ++j) label[j] = static_cast<int>(j) + 1;
    for (const Index j : together) label[static_cast<std::size_t>(j)] = 0;
    return Partition::from_labels(label);
}

Problem embedded(const std::string& name, const Options& options, const Small& small) {
    const Index D = options.dimension.value();
    if (D < static_cast<Index>(small.ranges.size()))
        throw InvalidArgument("problem \"" + name + "\": dimension " + std::to_string(D) +
                              " was given, but the function inside has " + std::to_string(small.ranges.size()) +
                              " parameters; give at least as many");
    const std::vector<Index> active = active_parameters(D, small.ranges.size(), options.seed);
    const auto inner = [small, active](const Vector& x) {
        Vector z(static_cast<Index>(active.size()));
        for (std::size_t i = 0; i < active.size(); ++i)
            z[static_cast<Index>(i)] =
                small.ranges[i].low + (small.ranges[i].high - small.ranges[i].low) * x[active[i]];
        return small.function(z);
    };
    Vector at = Vector::Constant(D, 0.5);
    for (std::size_t i = 0; i < active.size(); ++i)
        at[active[i]] = (small.at[i] - small.ranges[i].low) / (small.ranges[i].high - small.ranges[i].low);
    const double minimum = small.function(to_vector(small.at));
    Problem problem(name, make_space(numbered(D, 0.0, 1.0), options), options, with_value_noise(inner, options),
                    [minimum, at] {
                        return Best{minimum, Best::Kind::optimum, at};
                    });
    problem.true_partition = one_group(D, active);
    return problem;
}

}  // namespace

Problem make_branin(const std::string& name, const Options& options) {
    return alone(name, options, small_branin());
}
Problem make_hartmann6(const std::string& name, const Options& options) {
    return alone(name, options, small_hartmann6());
}
Problem make_embedded_branin(const std::string& name, const Options& options) {
    return embedded(name, options, small_branin());
}
Problem make_embedded_hartmann6(const std::string& name, const Options& options) {
    return embedded(name, options, small_hartmann6());
}

}  // namespace summand::problems
