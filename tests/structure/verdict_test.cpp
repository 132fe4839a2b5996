// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/verdict.hpp"

#include "problems/problem.hpp"
#include "summand/structure/two_level.hpp"

#include <gtest/gtest.h>

namespace summand::structure {
namespace {

StructurePosterior learned(const std::string& name, Index points, int seed, problems::Options options = {}) {
    const problems::Problem problem = problems::make(name, options);
    const Rng rng = Rng::from_seed(static_cast<unsigned>(seed));
    const Matrix X = two_level_design(rng.stream("points"), problem.dimension(), points);
    Vector y(points);
    for (Index i = 0; i < points; ++i) y(i) = problem.evaluate_unit(X.row(i).transpose());
    return learn_structure(X, y, AnnealedChains{}, rng.stream("learn"));
}

TEST(Verdict, SeparableFunctionsAreFoundToBeSeparable) {
    for (const auto& [name, points] : {std::pair{"levy-30", 120}, {"griewank-20", 100}, {"styblinski-tang-20", 80}})
        for (int seed = 0; seed < 2; ++seed) {
            const auto posterior = learned(name, points, seed);
            EXPECT_EQ(posterior.verdict, Verdict::structure_found) << name << ": " << posterior.verdict_text;
            EXPECT_EQ(posterior.consensus.largest_group(), 1) << name;
        }
}

TEST(Verdict, FunctionsThatDisjointGroupsCannotDescribeAreNeverCalledFound) {
    for (const auto& [name, points] :
         {std::pair{"rosenbrock-20", 100}, {"rosenbrock-20", 250}, {"ackley-20", 100}, {"ackley-20", 200}})
        for (int seed = 0; seed < 2; ++seed)
            EXPECT_NE(learned(name, points, seed).verdict, Verdict::structure_found) << name;
}

TEST(Verdict, EverySignThatIsBadMakesItCautious) {
    const VerdictInputs good{.chains = 2,
                             .noise_share = 1e-4,
                             .agreement = 1.0,
                             .probability = 0.99,
                             .points_per_coefficient = 2.0,
                             .leftover_pairs = 0};
    EXPECT_EQ(judge(good).verdict, Verdict::structure_found);
    const auto with = [&](auto&& change) {
        VerdictInputs inputs = good;
        change(inputs);
        return judge(inputs).verdict;
    };
    EXPECT_EQ(with([](VerdictInputs& s) { s.chains = 1; }), Verdict::arbitrary_pairs);
    EXPECT_EQ(with([](VerdictInputs& s) { s.agreement = 0.3; }), Verdict::arbitrary_pairs);
    EXPECT_EQ(with([](VerdictInputs& s) { s.probability = 0.9; }), Verdict::arbitrary_pairs);
    EXPECT_EQ(with([](VerdictInputs& s) { s.at_limit = true; }), Verdict::arbitrary_pairs);
    EXPECT_EQ(with([](VerdictInputs& s) { s.leftover_pairs = 3; }), Verdict::overlapping_groups_suspected);
    EXPECT_EQ(with([](VerdictInputs& s) { s.signal_nats = 1.0; }), Verdict::not_additive_or_too_few_points);
    EXPECT_EQ(with([](VerdictInputs& s) { s.one_group = true; }), Verdict::not_additive_or_too_few_points);
    EXPECT_EQ(with([](VerdictInputs& s) { s.points_per_coefficient = 1.1; }), Verdict::not_additive_or_too_few_points);
    EXPECT_EQ(with([](VerdictInputs& s) { s.noise_share = 0.1; }),
              Verdict::structure_found);  // noise, as nothing is left over
    EXPECT_EQ(with([](VerdictInputs& s) { s.noise_share = 0.1, s.agreement = 0.3; }),
              Verdict::not_additive_or_too_few_points);
    EXPECT_EQ(with([](VerdictInputs& s) { s.noise_share = 0.3; }), Verdict::not_additive_or_too_few_points);
    // General points show no leftover interaction, so unexplained variance is never taken for noise, unless it was given.
    EXPECT_EQ(with([](VerdictInputs& s) { s.noise_share = 0.1, s.leftover_pairs = {}; }),
              Verdict::not_additive_or_too_few_points);
    EXPECT_EQ(with([](VerdictInputs& s) { s.noise_share = 0.1, s.leftover_pairs = {}, s.given_noise_share = 0.05; }),
              Verdict::arbitrary_pairs);
}

}  // namespace
}  // namespace summand::structure
