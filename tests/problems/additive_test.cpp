// SPDX-License-Identifier: Apache-2.0
#include "problems/additive.hpp"

#include "summand/base/error.hpp"

#include <map>

#include <gtest/gtest.h>

namespace summand::problems {
namespace {

double kernel(const Vector& x, const Vector& y, double lengthscale) {
    return std::exp(-(x - y).squaredNorm() / (2.0 * lengthscale * lengthscale));
}

Vector random_point(Index size, Rng& rng) {
    Vector x(size);
    for (double& v : x) v = rng.uniform();
    return x;
}

TEST(Additive, CovarianceOfTheConstructionEqualsTheKernel) {
    for (const double lengthscale : {0.05, 0.1, 0.3, 2.0}) {
        const auto basis = std::make_shared<const SeBasis>(lengthscale);
        for (Index size = 1; size <= 3; ++size) {
            const GpComponent component(basis, size, 1.0, Rng::from_seed(1));
            Rng rng = Rng::from_seed(2);
            for (int i = 0; i < 300; ++i) {
                const Vector x = i == 0 ? Vector::Zero(size) : random_point(size, rng);
                Vector y = x;  // equal, near, or far
                if (i % 3 == 1)
                    for (double& v : y) v = std::clamp(v + lengthscale * rng.normal(), 0.0, 1.0);
                if (i % 3 == 2) y = random_point(size, rng);
                // 3e-10 is the largest error seen on 36,000 other pairs; the page promises 1e-9.
                EXPECT_NEAR(component.covariance(x, y), kernel(x, y, lengthscale), 1e-9);
            }
        }
    }
}

/// Σ over seeds of products of values at two points of the plane, divided by what the kernel says.
double covariance_ratio(double claimed_lengthscale, int seeds) {
    const auto basis = std::make_shared<const SeBasis>(0.1);
    const Vector x{{0.3, 0.6}}, y{{0.37, 0.55}};
    double sum = 0.0;
    for (int seed = 0; seed < seeds; ++seed) {
        const GpComponent f(basis, 2, 5.0, Rng::from_seed(static_cast<std::uint64_t>(seed)));
        sum += f.value(x) * f.value(y);
    }
    return sum / seeds / (5.0 * kernel(x, y, claimed_lengthscale));
}

TEST(Additive, DrawsHaveTheCovarianceOfThePrior) {
    const int seeds = 4000;
    // Var(f(x) f(y)) = v²(1 + ρ²) with ρ = 0.69, so the ratio has standard deviation √(1 + ρ²) / (ρ √seeds).
    const double rho = kernel(Vector{{0.3, 0.6}}, Vector{{0.37, 0.55}}, 0.1);
    const double limit = 5.0 * std::sqrt(1.0 + rho * rho) / (rho * std::sqrt(seeds));
    EXPECT_LT(std::abs(covariance_ratio(0.1, seeds) - 1.0), limit);
    EXPECT_GT(std::abs(covariance_ratio(0.141, seeds) - 1.0), limit) << "the wrong lengthscale must be noticed";
}

TEST(Additive, TheFunctionIsTheSumOfItsComponentsOverItsGroups) {
    const AdditiveFunction f(10, {.seed = 5});
    const Vector a = Vector::Constant(10, 0.2), b = Vector::Constant(10, 0.7);
    for (Index m = 0; m < f.partition().group_count(); ++m) {
        // Moving one group changes the sum by the change of its component, wherever the others are.
        Vector a_moved = a, b_with_a = b;
        a_moved(f.partition().group(m)) = b(f.partition().group(m));
        b_with_a(f.partition().group(m)) = a(f.partition().group(m));
        EXPECT_NEAR(f.value(a_moved) - f.value(a), f.value(b) - f.value(b_with_a), 1e-12);
    }
}

TEST(Additive, GroupsAreRandomSmallAndAtLeastTwo) {
    std::map<std::size_t, int> sizes;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Index dimension = 2 + static_cast<Index>(seed % 20);
        const Partition partition = random_partition(dimension, 3, Rng::from_seed(seed));
        EXPECT_GE(partition.group_count(), 2);
        EXPECT_LE(partition.largest_group(), 3);
        for (const auto& group : partition.groups()) ++sizes[group.size()];
    }
    EXPECT_EQ(sizes.size(), 3u);
    EXPECT_EQ(random_partition(6, 1, Rng::from_seed(1)), Partition::singletons(6));
    EXPECT_THROW(random_partition(1, 3, Rng::from_seed(1)), InvalidArgument);
}

TEST(Additive, AFinerSearchFindsTheSameMaximum) {
    const auto basis = std::make_shared<const SeBasis>(0.1);
    for (std::uint64_t seed = 0; seed < 12; ++seed)
        for (Index size = 1; size <= 3; ++size) {
            const GpComponent f(basis, size, 5.0, Rng::from_seed(seed));
            const auto found = f.maximum();
            EXPECT_EQ(f.value(found.at), found.value);
            // Steps of 1e-8 leave rounding, seen up to 1.3e-10 in 600 components; both searches end there from different grids.
            EXPECT_NEAR(found.value, f.maximum(9.0).value, 1e-9) << "seed " << seed << ", size " << size;
        }
}

TEST(Additive, NothingAtRandomBeatsTheMaximum) {
    const Problem problem = make("additive-10", {.seed = 8});
    const double best = *problem.best_known();
    EXPECT_NEAR(problem.evaluate(*problem.best()->at), best, 1e-10);
    Rng rng = Rng::from_seed(9);
    for (int i = 0; i < 5000; ++i) EXPECT_LT(problem.evaluate_unit(random_point(10, rng)), best);
}

TEST(Additive, ASeedMakesOneFunctionAndAnotherSeedAnother) {
    const Vector x = Vector::Constant(20, 0.4);
    EXPECT_EQ(make("additive-20", {.seed = 1}).evaluate(x), make("additive-20", {.seed = 1}).evaluate(x));
    EXPECT_NE(make("additive-20", {.seed = 1}).evaluate(x), make("additive-20", {.seed = 2}).evaluate(x));
    // The variance scales the same draw.
    EXPECT_NEAR(make("additive-20", {.seed = 1, .variance = 20.0}).evaluate(x),
                2.0 * make("additive-20", {.seed = 1}).evaluate(x), 1e-12);
}

TEST(Additive, ImpossiblePriorsAreRefused) {
    EXPECT_THROW(make("additive-1"), InvalidArgument);
    EXPECT_THROW(make("additive", {.lengthscale = 0.0}), InvalidArgument);
    EXPECT_THROW(make("additive", {.variance = -1.0}), InvalidArgument);
    EXPECT_THROW(make("additive", {.largest_group = 0}), InvalidArgument);
    EXPECT_THROW(make("additive", {.largest_group = 9}), InvalidArgument);
}

}  // namespace
}  // namespace summand::problems
