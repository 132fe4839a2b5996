// SPDX-License-Identifier: Apache-2.0
// The formulas of mean and standard deviation, each against a second road to the same number.
#include "summand/acquisition/ei.hpp"
#include "summand/acquisition/mes.hpp"
#include "summand/acquisition/pi.hpp"
#include "summand/acquisition/ucb.hpp"
#include "summand/base/error.hpp"
#include "summand/numeric/normal.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace summand {
namespace {

TEST(Ucb, BetaFollowsThePapersSchedules) {
    EXPECT_DOUBLE_EQ(beta_at(PaperBeta{}, 3, 7), 3 * std::log(14.0));
    EXPECT_DOUBLE_EQ(beta_at(PaperBeta{0.2}, 3, 7), 3 * std::log(14.0) / 5);
    EXPECT_DOUBLE_EQ(beta_at(ConstantBeta{2.5}, 3, 7), 2.5);
    EXPECT_THROW(beta_at(PaperBeta{}, 3, 0), InvalidArgument);
    EXPECT_THROW(beta_at(PaperBeta{-1}, 3, 1), InvalidArgument);
    EXPECT_THROW(beta_at(ConstantBeta{NAN}, 3, 1), InvalidArgument);
}

TEST(ExpectedImprovement, IsTheMeanOfSimulatedImprovements) {
    Rng rng = Rng::from_seed(5);
    for (const double u : {-2.0, -0.5, 0.0, 1.5}) {
        const double mean = 2.0 + u * 0.7, stddev = 0.7, threshold = 2.0;
        const int draws = 200'000;
        double sum = 0, squares = 0;
        for (int i = 0; i < draws; ++i) {
            const double gain = std::max(0.0, mean + stddev * rng.normal() - threshold);
            sum += gain;
            squares += gain * gain;
        }
        const double average = sum / draws, error = std::sqrt((squares / draws - average * average) / draws);
        // A right formula is within 5.5 standard errors for all but 4 in 10⁸ cases.
        EXPECT_NEAR(std::exp(ei_score(mean, stddev, threshold).value), average, 5.5 * error) << u;
        // Power: the threshold confused with the mean of another point fails.
        EXPECT_GT(std::abs(std::exp(ei_score(mean + 0.05, stddev, threshold).value) - average), 5.5 * error) << u;
    }
}

TEST(ExpectedImprovement, StaysFiniteWhereThePlainFormulaIsZero) {
    const Score far = ei_score(0.0, 1e-3, 10.0);
    EXPECT_TRUE(std::isfinite(far.value));
    EXPECT_GT(far.by_mean, 0.0);
    EXPECT_GT(far.by_stddev, 0.0);
}

TEST(ProbabilityOfImprovement, IsTheNormalTail) {
    EXPECT_NEAR(pi_score(1.0, 2.0, 1.0).value, std::log(0.5), 1e-15);
    EXPECT_NEAR(std::exp(pi_score(1.0, 2.0, 2.0).value), normal_cdf(-0.5), 1e-15);
    EXPECT_TRUE(std::isfinite(pi_score(0.0, 1e-3, 10.0).value));
}

// The entropy of a normal variable minus that of the same variable cut off at y*, by numerical integration.
double entropy_reduction(double mean, double stddev, double maximum) {
    const int steps = 200'000;
    const double low = mean - 12 * stddev, width = (maximum - low) / steps;
    const double mass = normal_cdf((maximum - mean) / stddev);
    double truncated = 0;
    for (int i = 0; i < steps; ++i) {
        const double density = normal_pdf((low + (i + 0.5) * width - mean) / stddev) / stddev / mass;
        if (density > 0) truncated -= density * std::log(density) * width;
    }
    return 0.5 * std::log(2 * M_PI * M_E * stddev * stddev) - truncated;
}

TEST(MaxValueEntropy, IsTheFallInEntropyWhenTheMaximumIsKnown) {
    for (const double maximum : {0.3, 1.0, 2.5})
        // The midpoint rule on 200,000 steps of a smooth density leaves about 1e-9.
        EXPECT_NEAR(mes_score(0.4, 0.8, {maximum}).value, entropy_reduction(0.4, 0.8, maximum), 1e-7) << maximum;
    const double both = 0.5 * (mes_score(0.4, 0.8, {1.0}).value + mes_score(0.4, 0.8, {2.5}).value);
    EXPECT_NEAR(mes_score(0.4, 0.8, {1.0, 2.5}).value, both, 1e-15);
}

TEST(Scores, DerivativesEqualCentralDifferences) {
    const std::vector<std::function<Score(double, double)>> scores{
        [](double m, double s) { return ei_score(m, s, 0.3); }, [](double m, double s) { return pi_score(m, s, 0.3); },
        [](double m, double s) {
            return mes_score(m, s, {0.9, 1.4});
        }};
    // h = ε^(1/3) balances truncation h² against rounding ε/h: 1e-10 of values and third derivatives below 100.
    const double h = 6e-6;
    for (const auto& score : scores)
        for (const double mean : {-1.5, 0.0, 0.8})
            for (const double stddev : {0.2, 1.1}) {
                const Score at = score(mean, stddev);
                const double by_mean = (score(mean + h, stddev).value - score(mean - h, stddev).value) / (2 * h);
                const double by_stddev = (score(mean, stddev + h).value - score(mean, stddev - h).value) / (2 * h);
                EXPECT_NEAR(at.by_mean, by_mean, 1e-7 * (1 + std::abs(by_mean)));
                EXPECT_NEAR(at.by_stddev, by_stddev, 1e-7 * (1 + std::abs(by_stddev)));
            }
}

}  // namespace
}  // namespace summand
