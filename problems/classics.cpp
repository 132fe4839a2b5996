// SPDX-License-Identifier: Apache-2.0
#include "problems/classics.hpp"

#include "problems/parameters.hpp"
#include "summand/base/error.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace summand::problems {
namespace {

using std::numbers::pi;

/// A function of any dimension on a cube, with its minimum at the same number in every coordinate.
struct Classic {
    double low = 0.0, high = 1.0;
    double at = 0.0;
    double minimum = 0.0;
    bool separable = false;  ///< a sum of functions of one parameter each
};

std::pair<double, double> domain(const Classic& classic, const Options& options) {
    return {options.low.value_or(classic.low), options.high.value_or(classic.high)};
}

Problem make_classic(const std::string& name, const Options& options, const Classic& classic,
                     std::function<double(const Vector&)> function) {
    const Index D = options.dimension.value();
    const auto [low, high] = domain(classic, options);
    std::optional<Best> best;
    if (low <= classic.at && classic.at <= high)
        best = Best{classic.minimum, Best::Kind::optimum, Vector::Constant(D, classic.at)};
    Problem problem(name, make_space(numbered(D, low, high), options), options,
                    with_value_noise(std::move(function), options), [best] { return best; });
    if (classic.separable) problem.true_partition = Partition::singletons(D);
    return problem;
}

double ackley(const Vector& x) {
    const double D = static_cast<double>(x.size());
    return -20.0 * std::exp(-0.2 * std::sqrt(x.squaredNorm() / D)) - std::exp((2.0 * pi * x.array()).cos().sum() / D) +
           20.0 + std::numbers::e;
}

// With w = 1 + (x - 1)/4: sin²(πw_1) + Σ_{j<D} (w_j - 1)² (1 + 10 sin²(πw_j + 1)) + (w_D - 1)² (1 + sin²(2πw_D)).
double levy(const Vector& x) {
    const auto squared = [](double t) { return t * t; };
    const Index D = x.size();
    const Vector w = (1.0 + (x.array() - 1.0) / 4.0).matrix();
    double sum = squared(std::sin(pi * w[0]));
    for (Index j = 0; j + 1 < D; ++j) sum += squared(w[j] - 1.0) * (1.0 + 10.0 * squared(std::sin(pi * w[j] + 1.0)));
    return sum + squared(w[D - 1] - 1.0) * (1.0 + squared(std::sin(2.0 * pi * w[D - 1])));
}

double rastrigin(const Vector& x) {
    return 10.0 * static_cast<double>(x.size()) + (x.array().square() - 10.0 * (2.0 * pi * x.array()).cos()).sum();
}

double rosenbrock(const Vector& x) {
    double sum = 0.0;
    for (Index j = 0; j + 1 < x.size(); ++j) {
        const double valley = x[j + 1] - x[j] * x[j];
        sum += 100.0 * valley * valley + (1.0 - x[j]) * (1.0 - x[j]);
    }
    return sum;
}

double styblinski_tang(const Vector& x) {
    return 0.5 * (x.array().square().square() - 16.0 * x.array().square() + 5.0 * x.array()).sum();
}

double griewank(const Vector& x) {
    double product = 1.0;
    for (Index j = 0; j < x.size(); ++j) product *= std::cos(x[j] / std::sqrt(static_cast<double>(j + 1)));
    return x.squaredNorm() / 4000.0 - product + 1.0;
}

/// Coordinate j = 1 .. D of Michalewicz: -sin(x) sin(j x² / π)^20.
double michalewicz_term(Index j, double x) {
    return -std::sin(x) * std::pow(std::sin(static_cast<double>(j) * x * x / pi), 20);
}

double golden_section(const std::function<double(double)>& f, double low, double high) {
    const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
    while (high - low > 1e-9) {
        const double left = high - ratio * (high - low), right = low + ratio * (high - low);
        f(left) < f(right) ? high = right : low = left;
    }
    return (low + high) / 2.0;
}

/// Between two zeros of sin(j x²/π), at x = π √(k/j), lies one dip: the minimum is the lowest of j dips.
double michalewicz_argument(Index j) {
    const auto f = [j](double x) { return michalewicz_term(j, x); };
    double best = 0.0;
    for (Index k = 0; k < j; ++k) {
        const double J = static_cast<double>(j), K = static_cast<double>(k);
        const double x = golden_section(f, pi * std::sqrt(K / J), pi * std::sqrt((K + 1.0) / J));
        if (f(x) < f(best)) best = x;
    }
    return best;
}

}  // namespace

Problem make_ackley(const std::string& name, const Options& options) {
    return make_classic(name, options, {.low = -5.0, .high = 10.0}, ackley);
}

Problem make_levy(const std::string& name, const Options& options) {
    return make_classic(name, options, {.low = -10.0, .high = 10.0, .at = 1.0, .separable = true}, levy);
}

Problem make_rastrigin(const std::string& name, const Options& options) {
    return make_classic(name, options, {.low = -5.12, .high = 5.12, .separable = true}, rastrigin);
}

Problem make_rosenbrock(const std::string& name, const Options& options) {
    if (options.dimension.value() < 2)
        throw InvalidArgument(
            "problem \"rosenbrock\": dimension 1 was given; it couples neighbours, so give at least 2");
    return make_classic(name, options, {.low = -5.0, .high = 10.0, .at = 1.0}, rosenbrock);
}

Problem make_styblinski_tang(const std::string& name, const Options& options) {
    // The root near -2.9 of 4x³ - 32x + 5 = 0, twice the derivative of a term.
    const double at = -2.9035340277711771;
    const double minimum = static_cast<double>(options.dimension.value()) * -39.166165703771419;
    return make_classic(name, options, {.low = -5.0, .high = 5.0, .at = at, .minimum = minimum, .separable = true},
                        styblinski_tang);
}

Problem make_griewank(const std::string& name, const Options& options) {
    return make_classic(name, options, {.low = -600.0, .high = 600.0}, griewank);
}

Problem make_michalewicz(const std::string& name, const Options& options) {
    const Index D = options.dimension.value();
    const double low = options.low.value_or(0.0), high = options.high.value_or(pi);
    const auto function = [](const Vector& x) {
        double sum = 0.0;
        for (Index j = 0; j < x.size(); ++j) sum += michalewicz_term(j + 1, x[j]);
        return sum;
    };
    const auto best = [=]() -> std::optional<Best> {
        if (low != 0.0 || high != pi) return std::nullopt;
        Vector at(D);
        for (Index j = 0; j < D; ++j) at[j] = michalewicz_argument(j + 1);
        return Best{function(at), Best::Kind::optimum, at};
    };
    Problem problem(name, make_space(numbered(D, low, high), options), options, with_value_noise(function, options),
                    best);
    problem.true_partition = Partition::singletons(D);
    return problem;
}

}  // namespace summand::problems
