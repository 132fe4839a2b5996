// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/wrong_values.hpp"

#include "structure/additive_draw.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace summand::structure {
namespace {

Vector sum_of_sines(const Matrix& X) {
    return (3.0 * X.array()).sin().rowwise().sum().matrix();
}

double stddev(const Vector& y) {
    return std::sqrt((y.array() - y.mean()).square().mean());
}

TEST(WrongValues, AFewOfAnySizeAreFoundAndNamedFarthestFirst) {
    const Matrix X = test::uniform_points(Rng::from_seed(1), 120, 10);
    for (const double by : {5.0, 10.0, 1e3, 1e6, 1e40}) {
        Vector y = sum_of_sines(X);
        const double unit = stddev(y);
        y(7) += by * unit;
        y(50) -= 2 * by * unit;
        const auto rows = far_off_rows(X, y);
        ASSERT_GE(rows.size(), 2U) << by;
        EXPECT_EQ(rows[0], 50) << by;
        EXPECT_EQ(rows[1], 7) << by;
    }
}

TEST(WrongValues, FewRightValuesAreSuspectedAndNeverMoreThanAFew) {
    std::size_t suspected = 0;
    for (int seed = 0; seed < 50; ++seed) {
        const Matrix X = test::uniform_points(Rng::from_seed(static_cast<unsigned>(seed)), 100, 8);
        const Vector y = test::additive_draw(Rng::from_seed(static_cast<unsigned>(seed) + 100), X,
                                             Partition::from_labels({0, 0, 1, 1, 2, 2, 3, 3}), 0.3, 1.0, 0.01);
        suspected += far_off_rows(X, y).size();
        const Vector tail = y.array().exp().square().matrix();
        EXPECT_LE(static_cast<Index>(far_off_rows(X, tail).size()), most_wrong_values(100));
    }
    EXPECT_LT(suspected, 50U);  // less than one of a hundred
}

TEST(WrongValues, ConstantsPlateausAndFewPointsHaveNone) {
    const Matrix X = test::uniform_points(Rng::from_seed(1), 60, 3);
    EXPECT_TRUE(far_off_rows(X, Vector::Zero(60)).empty());
    Vector plateau = Vector::Zero(60);
    plateau(5) = 1.0;
    EXPECT_TRUE(far_off_rows(X, plateau).empty());
    EXPECT_TRUE(far_off_rows(X.topRows(10), sum_of_sines(X.topRows(10))).empty());
}

// One value off by 5 standard deviations, or two by 10, used to be explained by 6 to 15 pairs that do not exist.
TEST(WrongValues, DoNotInventStructureInASeparableFunction) {
    for (int seed = 0; seed < 6; ++seed) {
        const bool one = seed % 2 == 0;
        const Rng rng = Rng::from_seed(static_cast<unsigned>(seed));
        const Matrix X = two_level_design(rng.stream("points"), 10, one ? 60 : 120);
        Vector y = sum_of_sines(X);
        const double unit = stddev(y);
        y(3) += (one ? 5.0 : 10.0) * unit;
        if (!one) y(40) -= 10.0 * unit;
        const auto posterior = learn_structure(X, y, AnnealedChains{}, rng.stream("learn"));
        EXPECT_EQ(to_text(posterior.best), to_text(Partition::singletons(10))) << seed;
        EXPECT_EQ(posterior.verdict, Verdict::structure_found) << posterior.verdict_text;
        EXPECT_TRUE(std::count(posterior.left_out.begin(), posterior.left_out.end(), 3) == 1) << seed;
        EXPECT_NE(posterior.verdict_text.find("had no say"), std::string::npos);
    }
}

}  // namespace
}  // namespace summand::structure
