// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/design.hpp"

#include "summand/numeric/sobol.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

/// Row i from its own stream, so that a longer design begins with a shorter one.
Matrix uniform(Index points, const Encoding& encoding, const Rng& rng) {
    Matrix design(points, encoding.dimension());
    for (Index i = 0; i < points; ++i) {
        Rng stream = rng.stream("uniform", {i});
        design.row(i) = encoding.random(stream).transpose();
    }
    return design;
}

/// Column j: one uniform draw in each of n slices, the slices in random order [McKay1979].
Matrix latin_hypercube(Index points, Index dimension, const Rng& rng) {
    Matrix design(points, dimension);
    for (Index j = 0; j < dimension; ++j) {
        Rng stream = rng.stream("latin-hypercube", {j});
        const auto slice = stream.permutation(points);
        for (Index i = 0; i < points; ++i)
            design(i, j) = (static_cast<double>(slice[static_cast<std::size_t>(i)]) + stream.uniform()) /
                           static_cast<double>(points);
    }
    return design;
}

/// Carries [0,1) onto the allowed values so that each gets an equal share (snapping would halve the ends' shares).
Matrix onto_allowed_values(Matrix design, const Encoding& encoding) {
    for (Index j = 0; j < design.cols(); ++j) {
        const std::int64_t count = encoding.count(j);
        if (count == 0) continue;
        for (Index i = 0; i < design.rows(); ++i) {
            const auto k = static_cast<std::int64_t>(design(i, j) * static_cast<double>(count));
            design(i, j) = encoding.unit(j, std::min(k, count - 1));
        }
    }
    return design;
}

Matrix two_level(Index points, const Encoding& encoding, const Rng& rng) {
    // Not in the corners: values may be extreme there, and if the function is no sum after all, the models live with them.
    structure::TwoLevelOptions options{.low_from = 0.2, .low_to = 0.35, .high_from = 0.65, .high_to = 0.8};
    options.unordered = encoding.unordered_columns();
    options.allowed.resize(static_cast<std::size_t>(encoding.dimension()));
    constexpr std::int64_t most_listed =
        10'000;  // beyond, a grid is as good as continuous and snapping is exact enough
    for (Index j = 0; j < encoding.dimension(); ++j)
        if (encoding.count(j) <= most_listed)
            for (std::int64_t k = 0; k < encoding.count(j); ++k)
                options.allowed[static_cast<std::size_t>(j)].push_back(encoding.unit(j, k));
    Matrix design = structure::two_level_design(rng.stream("two-level"), encoding.dimension(), points, options);
    for (Index i = 0; i < points; ++i) design.row(i) = encoding.snap(Vector(design.row(i).transpose())).transpose();
    return design;
}

Index whole_batches(Index points, int batch_size) {
    return (points + batch_size - 1) / batch_size * batch_size;
}

Index space_filling_points(Index dimension) {
    return dimension <= 20 ? 2 * dimension : std::max<Index>(40, dimension);
}

// Among few parameters there is little to group, and points on two levels say nothing else: a Latin hypercube instead.
constexpr Index fewest_to_group = 10;

DesignPlan plan_default(const DefaultStrategy& strategy, const Options& options, Index dimension) {
    DesignPlan plan{.kind = options.initial_design};
    const bool rich = options.budget && *options.budget >= strategy.design_threshold * static_cast<double>(dimension);
    if (plan.kind == InitialDesign::automatic)
        plan.kind = rich && options.groups.empty() && dimension >= fewest_to_group ? InitialDesign::structure_finding
                                                                                   : InitialDesign::latin_hypercube;
    plan.points = plan.kind == InitialDesign::structure_finding ? structure::two_level_points(dimension)
                                                                : std::max<Index>(4, space_filling_points(dimension));
    if (options.budget) plan.points = std::min<Index>(plan.points, std::max(1, *options.budget / 2));
    plan.points = whole_batches(plan.points, options.batch_size);
    return plan;
}

}  // namespace

DesignPlan plan_design(const Options& options, Index dimension) {
    DesignPlan plan{.kind = options.initial_design, .points = 10};
    if (const auto* strategy = std::get_if<DefaultStrategy>(&*options.strategy)) {
        plan = plan_default(*strategy, options, dimension);
    } else if (plan.kind == InitialDesign::structure_finding) {
        plan.points = structure::two_level_points(dimension);
    }
    if (options.initial_points) plan.points = *options.initial_points;
    return plan;
}

Matrix make_design(const DesignPlan& plan, const Encoding& encoding, const Rng& rng) {
    switch (plan.kind) {
        case InitialDesign::sobol:
            return onto_allowed_values(sobol_points(plan.points, encoding.dimension(), rng.stream("sobol")), encoding);
        case InitialDesign::latin_hypercube:
            return onto_allowed_values(latin_hypercube(plan.points, encoding.dimension(), rng), encoding);
        case InitialDesign::structure_finding:
            return two_level(plan.points, encoding, rng);
        case InitialDesign::uniform:
        case InitialDesign::automatic:
            break;
    }
    return uniform(plan.points, encoding, rng);
}

}  // namespace summand::optimizer
