// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/select.hpp"

#include "summand/base/error.hpp"
#include "summand/batch/pure_exploration.hpp"
#include "summand/batch/relevance_region.hpp"
#include "support/small_domain.hpp"
#include "support/small_gp.hpp"
#include "support/statistics.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace summand::batch {
namespace {

using test::levels;
using test::small_domain;
using test::small_gp;

const auto all_methods = {BatchMethod::rand, BatchMethod::ucb_pe, BatchMethod::ucb_dpp, BatchMethod::ucb_pe_fnc,
                          BatchMethod::ucb_dpp_fnc};

Domain grid_domain() {
    return Domain({levels(9), levels(9), levels(40), levels(12), small_domain().column(4)});
}

TEST(SelectDiverse, GivesTheAskedNumberOfAllowedPointsAndTheSameAtAnyThreadCount) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    for (const Domain& domain : {small_domain(), grid_domain()})
        for (const BatchMethod method : all_methods) {
            DiverseOptions options{.method = method};
            const Matrix one = select_diverse(gp, domain, 6, 3, gp.inputs(), options, Rng::from_seed(1));
            options.threads = 2;
            EXPECT_EQ(one, select_diverse(gp, domain, 6, 3, gp.inputs(), options, Rng::from_seed(1)));
            ASSERT_EQ(one.rows(), 6);
            for (Index i = 0; i < 6; ++i) EXPECT_TRUE(domain.contains(one.row(i).transpose()));
        }
}

TEST(SelectDiverse, AndThompsonBatchesStopWhenAskedTo) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    std::stop_source stop;
    stop.request_stop();
    for (const BatchMethod method : all_methods) {
        if (method == BatchMethod::rand) continue;  // takes no time
        const DiverseOptions options{.method = method, .search = {.stop = stop.get_token()}};
        EXPECT_THROW(select_diverse(gp, small_domain(), 6, 3, gp.inputs(), options, Rng::from_seed(1)), Interrupted);
    }
    ThompsonOptions options;
    options.search.stop = stop.get_token();
    EXPECT_THROW(select_thompson({{gp}}, small_domain(), 6, gp.inputs(), options, Rng::from_seed(1)), Interrupted);
}

TEST(SelectDiverse, StartsWithTheGroupsMaximisersCombined) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const Domain domain = grid_domain();
    const Matrix batch = select_diverse(gp, domain, 4, 3, Matrix(0, 5), {}, Rng::from_seed(2));
    for (Index m = 0; m < 3; ++m) {
        const auto& columns = gp.partition().group(m);
        const Matrix grid = domain.group(columns).enumerate();
        const auto surface = make_surface(Ucb{}, Context{gp, m, domain.group(columns), 3, Rng::from_seed(1)});
        // Rounding depends on how many points are evaluated together.
        const double value = surface->values(batch(std::vector<Index>{0}, columns))(0);
        EXPECT_NEAR(value, surface->values(grid).maxCoeff(), 1e-12);
    }
}

TEST(SelectDiverse, PureExplorationMaximisesTheDeterminantGivenTheFirstPointWithinTheRegion) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 12, 3);
    const Domain domain = grid_domain();
    const Index k = 5;
    const std::int64_t time = 3;
    const Matrix batch =
        select_diverse(gp, domain, k + 1, time, Matrix(0, 5), {.method = BatchMethod::ucb_pe}, Rng::from_seed(2));
    const AdditiveGp pending = gp.with_pending(batch.topRows(1));
    int differs = 0;
    for (Index m = 0; m < 3; ++m) {
        const auto& columns = gp.partition().group(m);
        const Matrix grid = domain.group(columns).enumerate();
        const Marginals marginals = gp.group_marginals(m, grid);
        const double size = static_cast<double>(columns.size());
        const auto region = relevance_region(marginals.mean, marginals.variance.cwiseSqrt(), size * std::log(6.0),
                                             size * std::log(8.0));
        const Matrix ground = grid(region, Eigen::all);
        const auto parts_with = [&](const AdditiveGp& posterior) {
            std::set<std::vector<double>> parts;
            for (const Index i : greedy_determinant(posterior.group_covariance(m, ground), k)) {
                const Vector row = ground.row(i).transpose();
                parts.emplace(row.begin(), row.end());
            }
            return parts;
        };
        std::set<std::vector<double>> found;
        for (Index b = 1; b <= k; ++b) {
            const Vector row = batch(b, columns).transpose();
            found.emplace(row.begin(), row.end());
        }
        EXPECT_EQ(found, parts_with(pending)) << m;
        differs += found != parts_with(gp) ? 1 : 0;
    }
    EXPECT_GT(differs, 0);  // power: forgetting that the first point is pending gives another batch
}

TEST(SelectDiverse, CombinationByQualityChangesOnlyTheCombination) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const auto run = [&](BatchMethod method) {
        return select_diverse(gp, grid_domain(), 6, 3, Matrix(0, 5), {.method = method}, Rng::from_seed(4));
    };
    const Matrix random = run(BatchMethod::ucb_dpp), quality = run(BatchMethod::ucb_dpp_fnc);
    EXPECT_NE(random, quality);
    for (Index j = 0; j < 5; ++j) {
        Vector a = random.col(j), b = quality.col(j);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        EXPECT_EQ(a, b);
    }
    // Descending in quality: the sums of the groups' upper bounds fall from row 1 on.
    const Domain domain = grid_domain();
    const auto sum = make_surface(Ucb{}, Context{gp, {}, domain, 3, Rng::from_seed(1)});
    const Vector values = sum->values(quality.bottomRows(5));
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::greater<>()));
}

TEST(SelectDiverse, AGroupOfFewerPointsThanTheBatchGivesAllOfThem) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const Domain domain({levels(9), levels(9), levels(2), Column::ordered({0.5}), small_domain().column(4)});
    for (const BatchMethod method : all_methods) {
        const Matrix batch = select_diverse(gp, domain, 10, 1, Matrix(0, 5),
                                            {.method = method, .beta = ConstantBeta{100}}, Rng::from_seed(5));
        if (method == BatchMethod::rand) continue;
        EXPECT_EQ((std::set<double>(batch.col(4).begin() + 1, batch.col(4).end()).size()), 3U);
        EXPECT_EQ((std::set<double>(batch.col(2).begin() + 1, batch.col(2).end()).size()), 2U);
    }
}

TEST(SelectDiverse, DrawsMorePartsThanASmoothGroupHasRank) {
    // One column with lengthscale 5: the covariance has a numerical rank of about 4, and 29 parts are needed.
    Rng rng = Rng::from_seed(20);
    const Partition partition = Partition::singletons(2);
    const Matrix X = Domain::cube(2).spread(10, rng);
    const AdditiveGp gp(KernelFamily::squared_exponential, partition,
                        Hyperparameters::isotropic(partition, 5.0, 1.0, 1e-4), X, X.rowwise().sum());
    for (const BatchMethod method : {BatchMethod::ucb_pe, BatchMethod::ucb_dpp}) {
        const Matrix batch =
            select_diverse(gp, Domain::cube(2), 30, 3, Matrix(0, 2), {.method = method}, Rng::from_seed(21));
        EXPECT_EQ((std::set<double>(batch.col(0).begin() + 1, batch.col(0).end()).size()), 29U);
    }
}

TEST(SelectDiverse, SharesABatchOutBetweenStructures) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const AdditiveGp single(KernelFamily::matern52, Partition::single(5),
                            Hyperparameters::isotropic(Partition::single(5), 0.4, 2.0, 0.01, 3.0), gp.inputs(),
                            gp.values(), gp.unordered());
    const std::vector<Weighted> models{{gp, 3.0}, {single, 1.0}};
    const Matrix batch = select_diverse(models, small_domain(), 8, 3, gp.inputs(), {}, Rng::from_seed(6));
    for (Index i = 0; i < 8; ++i) EXPECT_TRUE(small_domain().contains(batch.row(i).transpose()));
    EXPECT_EQ(batch, select_diverse(models, small_domain(), 8, 3, gp.inputs(), {.threads = 2}, Rng::from_seed(6)));
}

TEST(SelectThompson, ExploitsFirstAndThenFollowsDraws) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 40, 3);
    const std::vector<Weighted> models{{gp, 1.0}};
    const Matrix batch = select_thompson(models, small_domain(), 5, gp.inputs(), {}, Rng::from_seed(7));
    const Vector best = maximize_mean(gp, small_domain(), gp.inputs(), {}, Rng::from_seed(1)).point;
    const double reached = gp.sum_marginals(batch.topRows(1)).mean(0),
                 possible = gp.sum_marginals(best.transpose()).mean(0);
    EXPECT_NEAR(reached, possible, 1e-6);
    for (Index i = 1; i < 5; ++i) {
        EXPECT_TRUE(small_domain().contains(batch.row(i).transpose()));
        EXPECT_NE(batch.row(i), batch.row(0));
    }
    EXPECT_EQ(batch, select_thompson(models, small_domain(), 5, gp.inputs(), {.threads = 2}, Rng::from_seed(7)));
}

TEST(SelectThompson, GroupsThatDoNotFollowTheirDrawFollowTheMean) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 25, 3);
    const std::vector<Weighted> models{{gp, 1.0}};
    const auto run = [&](double follow) {
        return select_thompson(models, small_domain(), 41, gp.inputs(), {.follow = follow, .search = {.points = 500}},
                               Rng::from_seed(9));
    };
    const Matrix none = run(0.0);
    EXPECT_EQ(none, none.row(0).replicate(41, 1));
    const Matrix some = run(0.6);
    const auto followed = (some.col(2).array() != some(0, 2)).count();
    // 40 coins of 0.6: 24 ± 3.1; five standard deviations.
    EXPECT_GT(followed, 8);
    EXPECT_LT(followed, 40);
}

TEST(SelectThompson, TemperedRowsStayWhereTheMeanIsBetter) {
    const AdditiveGp gp = small_gp(KernelFamily::matern52, 25, 3);
    const auto mean_of_rows = [&](double temper_from) {
        const Matrix rows = select_thompson(
            {{gp, 1.0}}, small_domain(), 40, gp.inputs(),
            {.exploit_first = false, .temper_from = temper_from, .search = {.points = 500}}, Rng::from_seed(9));
        return gp.sum_marginals(rows).mean.mean();
    };
    // The rows share their draws, and for one draw the mean at its maximiser never rises with t.
    const double whole = mean_of_rows(1.0), half = mean_of_rows(0.5), free = mean_of_rows(0.0);
    EXPECT_LT(whole, half);
    EXPECT_LT(half, free);
}

TEST(ShareOut, GivesEveryWeightItsShareOnAverage) {
    Rng rng = Rng::from_seed(8);
    const std::vector<double> weights{0.5, 0.3, 0.2, 0.0};
    std::vector<double> total(4, 0.0);
    const int rounds = 4000;
    for (int i = 0; i < rounds; ++i) {
        const auto shares = share_out(weights, 7, rng);
        EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), Index{0}), 7);
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_LE(std::abs(static_cast<double>(shares[k]) - 7 * weights[k]), 1.0);
            total[k] += static_cast<double>(shares[k]);
        }
    }
    // A share differs from its mean by less than 1, so its standard deviation is at most 1/2: 5.5 standard errors.
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(total[k] / rounds, 7 * weights[k], 5.5 * 0.5 / std::sqrt(rounds));
    EXPECT_THROW(share_out({0.0, 0.0}, 3, rng), InvalidArgument);
    EXPECT_THROW(share_out({1.0, -1.0}, 3, rng), InvalidArgument);
}

}  // namespace
}  // namespace summand::batch
