// SPDX-License-Identifier: Apache-2.0
#include "summand/model/kernel.hpp"

#include "model/dense_reference.hpp"
#include "summand/base/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand {
namespace {

using test::families;
using test::mixed_problem;

TEST(Kernel, GroupGramEqualsTheFormula) {
    for (const KernelFamily family : families) {
        const auto p = mixed_problem(family, 23, 1);
        for (Index m = 0; m < 3; ++m) {
            const Matrix gram = group_gram(family, p.partition.group(m), p.hyperparameters.variance[m],
                                           p.hyperparameters.lengthscale, p.unordered, p.X, p.X.topRows(9));
            // A few roundings of r² and of the exponential, on values up to 2.
            EXPECT_LT((gram - dense_gram(p, m, p.X, p.X.topRows(9))).cwiseAbs().maxCoeff(), 1e-14);
        }
    }
}

TEST(Kernel, ExponentialIsAccurateOverItsWholeRange) {
    for (double r2 = 0; r2 < 1400; r2 += 0.173) {
        double value = r2;
        apply_kernel(KernelFamily::squared_exponential, 1.0, 1, &value);
        // Two roundings in the polynomial and one in the product: below 2 units in the last place (4.4e-16); and the
        // rounding of log2(e), 1.41e-17 of it, times the exponent.
        EXPECT_NEAR(value / std::exp(-r2 / 2), 1.0, 4.5e-16 + 1.42e-17 * r2 / 2) << r2;
    }
    double far = 1e9;
    apply_kernel(KernelFamily::squared_exponential, 1.0, 1, &far);
    EXPECT_LT(far, 1e-300);
    far = 1e9;
    apply_kernel(KernelFamily::matern52, 1.0, 1, &far);
    EXPECT_LT(far, 1e-290);
}

TEST(Kernel, EqualDistancesGiveEqualBitsWhereverTheyStand) {
    for (const KernelFamily family : families) {
        Vector run = Vector::Constant(37, 0.7314), alone = Vector::Constant(1, 0.7314);
        apply_kernel(family, 1.3, run.size(), run.data());
        apply_kernel(family, 1.3, 1, alone.data());
        for (Index i = 0; i < run.size(); ++i) EXPECT_EQ(run[i], alone[0]);
    }
}

TEST(Kernel, SlopeEqualsCentralDifferencesAndIsFiniteAtZero) {
    for (const KernelFamily family : families) {
        const auto value = [&](double r2) {
            apply_kernel(family, 1.7, 1, &r2);
            return r2;
        };
        for (const double r2 : {0.01, 0.3, 1.0, 4.0, 20.0}) {
            double kernel = r2, slope = 0;
            apply_kernel_and_slope(family, 1.7, 1, &kernel, &slope);
            EXPECT_NEAR(kernel, value(r2), 1e-15);
            // Truncation h² k'''/6 with h = 1e-5 r² (k''' grows like r⁻³ at worst) and rounding 2e-16 / h.
            const double h = 1e-5 * r2;
            EXPECT_NEAR(slope, (value(r2 + h) - value(r2 - h)) / (2 * h), 1e-9 + 4e-16 / h);
        }
        double kernel = 0, slope = 0;
        apply_kernel_and_slope(family, 1.7, 1, &kernel, &slope);
        EXPECT_EQ(kernel, 1.7);
        const double at_zero = family == KernelFamily::squared_exponential ? -1.0 / 2
                               : family == KernelFamily::matern52          ? -5.0 / 6
                                                                           : 0.8 * (-1.0 / 200) + 0.2 * (-5.0 / 6);
        EXPECT_NEAR(slope, 1.7 * at_zero, 1e-15);
    }
}

TEST(Kernel, AChoiceKnowsEqualityOnly) {
    Matrix X(3, 1);
    X << 0.1, 0.5, 0.9;
    const Matrix gram = group_gram(KernelFamily::matern52, {0}, 1.0, Vector::Constant(1, 0.8), {true}, X, X);
    EXPECT_EQ(gram(0, 1), gram(0, 2));
    EXPECT_EQ(gram(0, 0), 1.0);
    EXPECT_LT(gram(0, 1), 1.0);
}

TEST(Kernel, LowerTriangleOfAGroupIsAddedToWhatIsThere) {
    const auto p = mixed_problem(KernelFamily::matern52, 17, 2);
    const auto inputs = scale_inputs(p.X, p.hyperparameters.lengthscale, p.unordered);
    Matrix K = Matrix::Constant(17, 17, 5.0);
    add_group_gram(p.family, p.partition.group(2), p.hyperparameters.variance[2], inputs, K);
    const Matrix expected = dense_gram(p, 2, p.X, p.X).array() + 5.0;
    for (Index i = 0; i < 17; ++i)
        for (Index j = 0; j <= i; ++j) EXPECT_NEAR(K(i, j), expected(i, j), 1e-14);
    EXPECT_EQ(K(0, 1), 5.0);
}

TEST(Hyperparameters, MistakesAreRefusedWithASentence) {
    const auto p = mixed_problem(KernelFamily::matern52, 3, 3);
    const auto message = [&](auto change) -> std::string {
        Hyperparameters h = p.hyperparameters;
        change(h);
        try {
            check_hyperparameters(h, p.partition, "Here");
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message([](auto&) {}), "");
    EXPECT_NE(message([](auto& h) { h.lengthscale[2] = 0; }).find("Here: lengthscale 2 is 0"), std::string::npos);
    EXPECT_NE(message([](auto& h) { h.variance[1] = std::nan(""); }).find("variance 1 is nan"), std::string::npos);
    EXPECT_NE(message([](auto& h) { h.noise_variance = -1; }).find("noise variance is -1"), std::string::npos);
    EXPECT_NE(message([](auto& h) { h.mean = INFINITY; }).find("prior mean is inf"), std::string::npos);
    EXPECT_NE(message([](auto& h) { h.variance = Vector::Ones(2); }).find("one variance a group"), std::string::npos);
}

}  // namespace
}  // namespace summand
