// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/maximize.hpp"

#include "support/small_domain.hpp"
#include "support/small_gp.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace summand {
namespace {

using test::levels;
using test::small_domain;
using test::small_gp;

const Matrix nobody(0, 5);

// Rows of `domain` with each continuous column cut into `steps` equal pieces, ends included.
Matrix dense_grid(const Domain& domain, int steps) {
    std::vector<Column> columns;
    for (Index j = 0; j < domain.dimension(); ++j) {
        Column column = domain.column(j);
        if (!domain.listed(j)) {
            column = levels(steps + 1);
            for (double& v : column.values)
                v = domain.column(j).low + v * (domain.column(j).high - domain.column(j).low);
        }
        columns.push_back(column);
    }
    return Domain(columns).enumerate();
}

double best_on_grid(const Surface& surface, const Domain& domain, int steps) {
    return surface.values(dense_grid(domain, steps)).maxCoeff();
}

TEST(Maximize, ReachesTheBestOfADenseGridInEveryGroupForEveryAcquisition) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    for (const Acquisition& acquisition :
         {Acquisition{Ucb{}}, Acquisition{Ei{}}, Acquisition{Mes{}}, Acquisition{Thompson{64}}})
        for (Index m = 0; m < 3; ++m) {
            const Domain part = small_domain().group(gp.partition().group(m));
            const auto surface = make_surface(acquisition, Context{gp, m, part, 5, Rng::from_seed(6)});
            const Maximum found = maximize_surface(*surface, part, Matrix(0, part.dimension()), {}, Rng::from_seed(7));
            const double grid = best_on_grid(*surface, part, m == 0 ? 200 : 4000);
            EXPECT_TRUE(part.contains(found.point));
            EXPECT_GE(found.value, grid - 1e-6 * (1 + std::abs(grid)))
                << "acquisition " << acquisition.index() << " group " << m;
            EXPECT_NEAR(surface->values(found.point.transpose())(0), found.value, 1e-9 * (1 + std::abs(grid)));
        }
}

TEST(Maximize, StaysInsideABox) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const Domain part =
        small_domain().group({0, 1}).within((Vector(2) << 0.1, 0.6).finished(), (Vector(2) << 0.3, 0.9).finished());
    const auto surface = make_surface(Ucb{}, Context{gp, 0, part, 5, Rng::from_seed(6)});
    const Maximum found = maximize_surface(*surface, part, gp.inputs().leftCols(2), {}, Rng::from_seed(7));
    EXPECT_TRUE(part.contains(found.point));
    EXPECT_GE(found.value, best_on_grid(*surface, part, 200) - 1e-6);
}

TEST(Maximize, FindsTheEnumeratedOptimumOfDiscreteGroups) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const auto check = [&](Index m, const Domain& part, int seed) {
        const auto surface = make_surface(Ucb{}, Context{gp, m, part, 5, Rng::from_seed(6)});
        const Maximum found =
            maximize_surface(*surface, part, Matrix(0, 2), {}, Rng::from_seed(static_cast<std::uint64_t>(seed)));
        EXPECT_TRUE(part.contains(found.point));
        // Rounding depends on how many points are evaluated together.
        EXPECT_NEAR(found.value, surface->values(part.enumerate()).maxCoeff(), 1e-12);
    };
    for (int seed = 0; seed < 3; ++seed) {
        check(0, Domain({levels(12), levels(7)}), seed);                  // enumerated
        check(0, Domain({levels(150), levels(100)}), seed);               // searched
        check(2, Domain({levels(900), small_domain().column(4)}), seed);  // searched, with a choice
    }
}

TEST(Maximize, LandsOnAllowedValuesOfColumnsTooLongToList) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    Column long_column = Column::continuous();
    long_column.kind = Column::Kind::ordered;
    long_column.snap = [](double u) { return std::round(u * 9999) / 9999; };
    const Domain part({long_column});
    const auto surface = make_surface(Ucb{}, Context{gp, 1, part, 5, Rng::from_seed(6)});
    const Maximum found = maximize_surface(*surface, part, Matrix(0, 1), {}, Rng::from_seed(7));
    EXPECT_TRUE(part.contains(found.point));
    EXPECT_GE(found.value, surface->values(Domain({levels(10'000)}).enumerate()).maxCoeff() - 1e-5);
}

TEST(Maximize, JoinsTheGroupsMaximisersAndIsTheSameAtAnyThreadCount) {
    const AdditiveGp gp = small_gp(KernelFamily::squared_exponential, 40, 3);
    const Domain domain = small_domain();
    for (const Acquisition& acquisition : {Acquisition{Ucb{}}, Acquisition{Mes{}}, Acquisition{Thompson{64}}}) {
        const auto one = maximize_groups(acquisition, gp, domain, 5, gp.inputs(), {}, Rng::from_seed(7), 1);
        const auto two = maximize_groups(acquisition, gp, domain, 5, gp.inputs(), {}, Rng::from_seed(7), 2);
        EXPECT_EQ(one.point, two.point);
        EXPECT_EQ(one.group_values, two.group_values);
    }
    const auto ucb = maximize_groups(Ucb{}, gp, domain, 5, nobody, {}, Rng::from_seed(7), 2);
    const auto sum = make_surface(Ucb{}, Context{gp, {}, domain, 5, Rng::from_seed(1)});
    EXPECT_NEAR(sum->values(ucb.point.transpose())(0), 3.0 + ucb.group_values.sum(), 1e-9);
}

TEST(Maximize, EveryDrawGetsItsOwnMaximiser) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 25, 3);
    const Domain domain = small_domain();
    const PathwiseDraws draws(gp, Vector::Ones(4), 64, Rng::from_seed(8));
    const SearchOptions options{.points = 2000};
    const Matrix found = maximize_draws(draws, domain, gp.inputs(), options, Rng::from_seed(9), 2);
    EXPECT_EQ(found, maximize_draws(draws, domain, gp.inputs(), options, Rng::from_seed(9), 1));
    for (Index b = 0; b < 4; ++b)
        for (Index m = 0; m < 3; ++m) {
            const auto& columns = gp.partition().group(m);
            const DrawSurface surface(draws, b, m);
            const double value = surface.values(found(b, columns))(0);
            EXPECT_GE(value, best_on_grid(surface, domain.group(columns), m == 0 ? 150 : 2000) - 1e-6) << b << " " << m;
        }
}

TEST(Maximize, TheMeanThatTravelsWithTheDrawsIsTheMean) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 25, 3);
    const Domain domain = small_domain();
    const PathwiseDraws draws(gp, Vector{{1.0, 1.0, 0.0}}, 32, Rng::from_seed(8)),
        without(gp, Vector::Ones(2), 32, Rng::from_seed(8));
    ASSERT_EQ(draws.count(), 3);
    Rng rng = Rng::from_seed(10);
    const Matrix Z = domain.group({0, 1}).spread(20, rng);
    EXPECT_EQ(draws.values(0, Z).leftCols(2), without.values(0, Z));
    EXPECT_LT((draws.values(0, Z).col(2) - gp.group_marginals(0, Z).mean).cwiseAbs().maxCoeff(), 1e-10);
    const Matrix found = maximize_draws(draws, domain, gp.inputs(), {.points = 2000}, Rng::from_seed(9));
    const Vector best = maximize_mean(gp, domain, gp.inputs(), {.points = 2000}, Rng::from_seed(9)).point;
    EXPECT_NEAR(gp.sum_marginals(found.bottomRows(1)).mean(0), gp.sum_marginals(best.transpose()).mean(0), 1e-6);
}

TEST(Maximize, ClimbsInManyDimensionsFromPerturbedIncumbents) {
    const Index D = 20;
    Rng rng = Rng::from_seed(30);
    const Matrix X = Domain::cube(D).spread(80, rng);
    const Vector y = -(X.array() - 0.4).square().rowwise().sum();
    const Partition partition = Partition::single(D);
    const AdditiveGp gp(KernelFamily::matern52, partition,
                        Hyperparameters::isotropic(partition, 2.0, 5.0, 1e-6, y.minCoeff()), X, y);
    Index best = 0;
    y.maxCoeff(&best);
    const auto found = maximize_mean(gp, Domain::cube(D), X.row(best), {.points = 1000}, Rng::from_seed(31));
    // The prior mean is the worst value seen, so the posterior mean has its peak near the function's at 0.4.
    const double at_peak = gp.sum_marginals(Matrix::Constant(1, D, 0.4)).mean(0);
    EXPECT_GE(gp.sum_marginals(found.point.transpose()).mean(0), at_peak);
    EXPECT_LT((found.point.array() - 0.4).square().sum(), -y(best));
}

}  // namespace
}  // namespace summand
