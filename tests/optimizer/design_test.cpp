// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/design.hpp"

#include "summand/structure/two_level.hpp"
#include "support/cube.hpp"

#include <set>

#include <gtest/gtest.h>

namespace summand::optimizer {
namespace {

using test::cube;

TEST(Design, EveryKindGivesAllowedPointsOnly) {
    const SearchSpace space{{Real{.name = "r", .low = -1.0, .high = 3.0}, Integer{.name = "i", .low = 1, .high = 4},
                             Choice{.name = "c", .values = {"x", "y", "z"}}, equally_spaced_levels("l", 0.0, 1.0, 40)}};
    const Encoding encoding(space);
    for (const InitialDesign kind : {InitialDesign::uniform, InitialDesign::sobol, InitialDesign::latin_hypercube,
                                     InitialDesign::structure_finding}) {
        const Matrix design = make_design({.kind = kind, .points = 30}, encoding, Rng::from_seed(1));
        ASSERT_EQ(design.rows(), 30);
        for (Index i = 0; i < design.rows(); ++i) {
            const Vector x = design.row(i).transpose();
            EXPECT_EQ(encoding.snap(x), x);
            EXPECT_EQ(space.problem_with_point(encoding.decode(x)), "");
        }
    }
}

TEST(Design, LatinHypercubeHasOnePointInEverySlice) {
    const SearchSpace space = cube(3);
    const Matrix design =
        make_design({.kind = InitialDesign::latin_hypercube, .points = 25}, Encoding(space), Rng::from_seed(3));
    for (Index j = 0; j < 3; ++j) {
        std::set<Index> slices;
        for (Index i = 0; i < 25; ++i) slices.insert(static_cast<Index>(design(i, j) * 25.0));
        EXPECT_EQ(slices.size(), 25u);
    }
}

TEST(Design, SpaceFillingDesignsGiveEveryAllowedValueItsShare) {
    const SearchSpace space{{Integer{.name = "i", .low = 0, .high = 3}, Real{.name = "r"}}};
    const Encoding encoding(space);
    const Matrix design =
        make_design({.kind = InitialDesign::latin_hypercube, .points = 40}, encoding, Rng::from_seed(3));
    for (std::int64_t k = 0; k < 4; ++k) {
        Index count = 0;
        for (Index i = 0; i < 40; ++i) count += encoding.nearest(0, design(i, 0)) == k ? 1 : 0;
        EXPECT_EQ(count, 10);  // 40 slices, 10 of them in each quarter
    }
}

TEST(Design, StructureFindingPointsTakeTwoValuesInEachColumnFarApartButNotInTheCorners) {
    const Matrix design =
        make_design({.kind = InitialDesign::structure_finding, .points = 12}, Encoding(cube(4)), Rng::from_seed(3));
    for (Index j = 0; j < 4; ++j) {
        std::set<double> values;
        for (Index i = 0; i < design.rows(); ++i) values.insert(design(i, j));
        ASSERT_EQ(values.size(), 2u);
        const double low = *values.begin(), high = *values.rbegin();
        EXPECT_TRUE(low >= 0.2 && low <= 0.35) << low;
        EXPECT_TRUE(high >= 0.65 && high <= 0.8) << high;
    }
}

TEST(Design, TheDefaultsRuleReadsBudgetAndDimension) {
    const auto plan = [](std::optional<int> budget, int batch, Index dimension) {
        return plan_design(resolved(Options{.batch_size = batch, .budget = budget}), dimension);
    };
    EXPECT_EQ(plan(500, 10, 20).kind, InitialDesign::structure_finding);  // 25 evaluations a parameter
    EXPECT_EQ(plan(500, 10, 20).points, (structure::two_level_points(20) + 9) / 10 * 10);
    EXPECT_EQ(plan(300, 10, 20).kind, InitialDesign::latin_hypercube);
    EXPECT_EQ(plan(300, 10, 20).points, 40);
    EXPECT_EQ(plan(200, 2, 10).kind, InitialDesign::structure_finding);
    EXPECT_EQ(plan(500, 2, 9).kind, InitialDesign::latin_hypercube);  // there is little to group
    EXPECT_EQ(plan(50, 2, 2).points, 4);
    EXPECT_EQ(plan({}, 1, 60).points, 60);
    EXPECT_EQ(plan(20, 1, 60).points, 10);  // never more than half of the budget
    EXPECT_EQ(plan({}, 1, 1).points, 4);
    Options known{.budget = 500};
    known.groups = {{"a"}};
    EXPECT_EQ(plan_design(resolved(known), 20).kind, InitialDesign::latin_hypercube);  // no structure to find
}

TEST(Design, ThePapersIsUniformAndOptionsOverrule) {
    Options options{.preset = Preset::paper_sequential};
    EXPECT_EQ(plan_design(resolved(options), 20).kind, InitialDesign::uniform);
    EXPECT_EQ(plan_design(resolved(options), 20).points, 10);
    options.initial_points = 33;
    options.initial_design = InitialDesign::sobol;
    EXPECT_EQ(plan_design(resolved(options), 20).points, 33);
    EXPECT_EQ(plan_design(resolved(options), 20).kind, InitialDesign::sobol);
}

}  // namespace
}  // namespace summand::optimizer
