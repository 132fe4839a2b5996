// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/bounded_minimize.hpp"

#include "summand/base/error.hpp"
#include "summand/base/random.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand {
namespace {

double rosenbrock(const Vector& x, Vector& g) {
    g.setZero(x.size());
    double value = 0;
    for (Index i = 0; i + 1 < x.size(); ++i) {
        const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        value += 100 * a * a + b * b;
        g[i] += -400 * a * x[i] - 2 * b;
        g[i + 1] += 200 * a;
    }
    return value;
}

TEST(MinimizeBounded, FindsTheMinimumOfRosenbrockInsideTheBox) {
    for (const Index n : {2, 10, 30}) {
        const auto result =
            minimize_bounded(rosenbrock, Vector::Constant(n, -1.0), Vector::Constant(n, -2), Vector::Constant(n, 2),
                             {.max_evaluations = 1000, .gradient_tolerance = 1e-8, .value_tolerance = 0});
        EXPECT_TRUE(result.converged);
        EXPECT_LT(result.value, 1e-12) << n;
    }
}

TEST(MinimizeBounded, StopsOnTheFaceWhereTheMinimumOfAQuadraticLies) {
    Rng rng = Rng::from_seed(1);
    const Index n = 12;
    const Matrix G = Matrix::NullaryExpr(n, n, [&] { return rng.normal(); });
    const Matrix A = G * G.transpose() / n + Matrix::Identity(n, n);
    const Vector b = Vector::NullaryExpr(n, [&] { return 3 * rng.normal(); });
    const auto f = [&](const Vector& x, Vector& g) {
        g = A * x - b;
        return 0.5 * x.dot(A * x) - b.dot(x);
    };
    const Vector low = Vector::Zero(n), high = Vector::Constant(n, 0.5);
    const auto result =
        minimize_bounded(f, Vector::Constant(n, 0.2), low, high, {.gradient_tolerance = 1e-9, .value_tolerance = 0});
    EXPECT_TRUE(result.converged);
    // Karush-Kuhn-Tucker: the gradient is 0 inside, >= 0 at the lower bound, <= 0 at the upper one.
    const Vector g = A * result.x - b;
    for (Index i = 0; i < n; ++i) {
        EXPECT_GE(result.x[i], 0.0);
        EXPECT_LE(result.x[i], 0.5);
        EXPECT_TRUE(result.x[i] == 0 || g[i] < 1e-8);
        EXPECT_TRUE(result.x[i] == 0.5 || g[i] > -1e-8);
    }
}

TEST(MinimizeBounded, StepsBackFromWhereTheFunctionIsNotFinite) {
    const auto f = [](const Vector& x, Vector& g) {  // -log x + 2x: not a number below 0, minimum at 1/2
        g = Vector::Constant(1, -1 / x[0] + 2);
        return -std::log(x[0]) + 2 * x[0];
    };
    const auto result = minimize_bounded(f, Vector::Constant(1, 5.0), Vector::Constant(1, -10), Vector::Constant(1, 10),
                                         {.first_step = 0.9});
    EXPECT_NEAR(result.x[0], 0.5, 1e-5);
}

TEST(MinimizeBounded, NeverExceedsItsBudgetAndReturnsTheBestPointSeen) {
    double best = std::numeric_limits<double>::infinity();
    int calls = 0;
    const auto f = [&](const Vector& x, Vector& g) {
        ++calls;
        const double value = rosenbrock(x, g);
        best = std::min(best, value);
        return value;
    };
    const auto result = minimize_bounded(f, Vector::Constant(5, -1.5), Vector::Constant(5, -2), Vector::Constant(5, 2),
                                         {.max_evaluations = 17});
    EXPECT_EQ(calls, 17);
    EXPECT_EQ(result.evaluations, 17);
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.value, best);
}

TEST(MinimizeBounded, MovesTheStartIntoTheBoxAndKeepsFixedCoordinates) {
    const auto f = [](const Vector& x, Vector& g) {
        g = 2 * x;
        return x.squaredNorm();
    };
    Vector low(2), high(2), start(2);
    low << 1, -3;
    high << 1, 3;
    start << 7, 9;
    const auto result = minimize_bounded(f, start, low, high);
    EXPECT_EQ(result.x[0], 1.0);
    EXPECT_NEAR(result.x[1], 0.0, 1e-6);
}

TEST(MinimizeBounded, AWrongGradientEndsWithoutHarm) {
    const auto f = [](const Vector& x, Vector& g) {
        g = -2 * x;  // uphill
        return x.squaredNorm();
    };
    const auto result = minimize_bounded(f, Vector::Ones(3), Vector::Constant(3, -2), Vector::Constant(3, 2));
    EXPECT_EQ(result.value, 3.0);
}

TEST(MinimizeBounded, RefusesBoxesThatMakeNoSense) {
    const auto f = [](const Vector&, Vector&) { return 0.0; };
    EXPECT_THROW(minimize_bounded(f, Vector::Zero(2), Vector::Zero(3), Vector::Ones(2)), InvalidArgument);
    EXPECT_THROW(minimize_bounded(f, Vector::Zero(1), Vector::Ones(1), Vector::Zero(1)), InvalidArgument);
    EXPECT_THROW(minimize_bounded(f, Vector::Constant(1, std::nan("")), Vector::Zero(1), Vector::Ones(1)),
                 InvalidArgument);
}

}  // namespace
}  // namespace summand
