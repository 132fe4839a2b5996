// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/maximize.hpp"

#include "summand/acquisition/climb.hpp"
#include "summand/acquisition/marginal_surface.hpp"
#include "summand/base/parallel.hpp"
#include "summand/base/stacked.hpp"
#include "summand/base/stop.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace summand {
namespace {

constexpr Index low_dimensional = 8;
constexpr double replaced_coordinates = 20.0;  // expected number of them in a perturbed incumbent [Eriksson2019]
constexpr double relative_tolerance = 1e-9;    // of the spread of values: a step that gains less ends a climb

Matrix snapped(const Domain& domain, const Matrix& points) {
    Matrix result(points.rows(), points.cols());
    for (Index i = 0; i < points.rows(); ++i) result.row(i) = domain.snap(points.row(i).transpose()).transpose();
    return result;
}

// Each coordinate of an incumbent is kept or, with probability 20/d, taken from the spread points: in many dimensions a
// point that differs from a good one in all of them is hardly ever good.
void perturb_incumbents(Matrix& points, const Matrix& incumbents, Rng& rng) {
    const double probability = std::min(1.0, replaced_coordinates / static_cast<double>(points.cols()));
    for (Index i = 0; i < points.rows(); ++i) {
        const Index from = i % incumbents.rows(), always = rng.below(points.cols());
        for (Index j = 0; j < points.cols(); ++j)
            if (!rng.coin(probability) && j != always) points(i, j) = incumbents(from, j);
    }
}

// The points a search looks at first: spread ones, the incumbents, and points near them at two distances.
Matrix candidates(const Domain& domain, const Matrix& incumbents, const SearchOptions& options, const Rng& rng) {
    Rng spread = rng.stream("search/spread"), near = rng.stream("search/near");
    std::vector<Matrix> blocks{domain.spread(options.points, spread)};
    const Matrix best =
        snapped(domain, incumbents.topRows(std::min<Index>(incumbents.rows(), options.incumbents_used)));
    if (domain.dimension() > low_dimensional && best.rows() > 0) {
        Matrix half = blocks[0].topRows(options.points / 2);
        perturb_incumbents(half, best, near);
        blocks[0].topRows(half.rows()) = half;
    }
    blocks.push_back(best);
    for (Index i = 0; i < best.rows(); ++i) {
        blocks.push_back(domain.near(best.row(i).transpose(), options.neighbours / 2, 0.1, near));
        blocks.push_back(domain.near(best.row(i).transpose(), options.neighbours - options.neighbours / 2, 0.01, near));
    }
    return stacked(blocks, domain.dimension());
}

// The rows of the `count` largest values, best first; ties: lowest row.
std::vector<Index> largest(const Vector& values, Index count) {
    std::vector<Index> order(static_cast<std::size_t>(values.size()));
    std::iota(order.begin(), order.end(), 0);
    const auto middle = order.begin() + std::min(count, values.size());
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](Index a, Index b) { return values(a) != values(b) ? values(a) > values(b) : a < b; });
    order.erase(middle, order.end());
    return order;
}

// The best few of `order` that are not next to one another, so that they climb different hills.
std::vector<Index> starts_among(const Matrix& points, const std::vector<Index>& order, const Domain& domain,
                                int count) {
    constexpr double apart = 0.1;
    const Vector width = (domain.high() - domain.low()).cwiseMax(1e-300);
    std::vector<Index> starts;
    for (const Index i : order) {
        const bool distinct = std::all_of(starts.begin(), starts.end(), [&](Index s) {
            return ((points.row(i) - points.row(s)).transpose().cwiseQuotient(width)).cwiseAbs().maxCoeff() > apart;
        });
        if (distinct) starts.push_back(i);
        if (static_cast<int>(starts.size()) == count) break;
    }
    return starts;
}

Maximum best_of(const Matrix& points, const Vector& values) {
    Index best = 0;
    const double value = values.maxCoeff(&best);
    return {points.row(best).transpose(), value};
}

double tolerance_for(const Vector& values) {
    return relative_tolerance * (values.maxCoeff() - values.minCoeff());
}

bool small_and_discrete(const Domain& domain, const SearchOptions& options) {
    const std::int64_t count = domain.point_count();
    return count > 0 && count <= options.enumerate_up_to;
}

Matrix columns_of(const Matrix& points, const std::vector<Index>& columns) {
    return points(Eigen::all, columns);
}

RowFunction stoppable(const RowFunction& f, const std::stop_token& stop) {
    return {[f, stop](const Matrix& Z, const std::vector<Index>& owner) {
                throw_if_stopped(stop);
                return f.values(Z, owner);
            },
            [f, stop](const Matrix& Z, const std::vector<Index>& owner) {
                throw_if_stopped(stop);
                return f.gradients(Z, owner);
            }};
}

}  // namespace

Maximum maximize_surface(const Surface& surface, const Domain& domain, const Matrix& incumbents,
                         const SearchOptions& options, const Rng& rng) {
    throw_if_stopped(options.stop);
    if (small_and_discrete(domain, options)) {
        const Matrix all = domain.enumerate();
        return best_of(all, surface.values(all));
    }
    const Matrix points = candidates(domain, incumbents, options, rng);
    const Matrix shortlist = points(largest(surface.screen(points), options.shortlist), Eigen::all);
    const Vector values = surface.values(shortlist);
    const auto starts = starts_among(shortlist, largest(values, shortlist.rows()), domain, options.starts);
    const Climbed climbed = climb(stoppable(row_function(surface), options.stop), domain, shortlist(starts, Eigen::all),
                                  options.rounds, tolerance_for(values));
    return best_of(climbed.points, climbed.values);
}

namespace {

// Runs one search for each group and joins what they find.
template <class MakeGroupSurface>
JointMaximum maximize_each_group(const AdditiveGp& gp, const Domain& domain, const Matrix& incumbents,
                                 const SearchOptions& options, const Rng& rng, int threads,
                                 const MakeGroupSurface& make) {
    const Partition& partition = gp.partition();
    JointMaximum result{Vector(partition.dimension()), Vector(partition.group_count())};
    parallel_for(partition.group_count(), threads, [&](std::int64_t m) {
        const auto& columns = partition.group(m);
        const Domain part = domain.group(columns);
        const Rng stream = rng.stream("maximize/group", {m});
        const auto surface = make(Index{m}, part, stream);
        const Maximum found = maximize_surface(*surface, part, columns_of(incumbents, columns), options, stream);
        result.point(columns) = found.point;
        result.group_values(m) = found.value;
    });
    return result;
}

}  // namespace

JointMaximum maximize_groups(const Acquisition& acquisition, const AdditiveGp& gp, const Domain& domain,
                             std::int64_t time, const Matrix& incumbents, const SearchOptions& options, const Rng& rng,
                             int threads, const GroupScreens* screens) {
    if (const auto* const thompson = std::get_if<Thompson>(&acquisition)) {
        const Vector whole = Vector::Ones(1);  // one joint draw, shared by the groups
        const PathwiseDraws draws(gp, whole, thompson->frequencies, rng, threads);
        return maximize_each_group(
            gp, domain, incumbents, options, rng, threads,
            [&](Index m, const Domain&, const Rng&) { return std::make_unique<DrawSurface>(draws, 0, m); });
    }
    return maximize_each_group(gp, domain, incumbents, options, rng, threads,
                               [&](Index m, const Domain& part, const Rng& stream) {
                                   return make_surface(acquisition, Context{gp, m, part, time, stream, screens});
                               });
}

JointMaximum maximize_mean(const AdditiveGp& gp, const Domain& domain, const Matrix& incumbents,
                           const SearchOptions& options, const Rng& rng, int threads) {
    return maximize_each_group(gp, domain, incumbents, options, rng, threads,
                               [&](Index m, const Domain&, const Rng&) { return mean_surface(gp, m); });
}

namespace {

// The draws' parts in one group.
struct GroupDraws {
    const PathwiseDraws& draws;
    Index m;

    Matrix values(const Matrix& Z) const { return draws.values(m, Z); }

    RowFunction row_function(std::vector<Index> draw_of_start) const {
        const auto draw_of = [draw_of_start = std::move(draw_of_start)](const std::vector<Index>& owner) {
            std::vector<Index> result;
            for (const Index start : owner) result.push_back(draw_of_start[static_cast<std::size_t>(start)]);
            return result;
        };
        return {[*this, draw_of](const Matrix& Z, const std::vector<Index>& owner) {
                    const Matrix all = draws.values(m, Z);
                    const auto draw = draw_of(owner);
                    Vector own(Z.rows());
                    for (Index i = 0; i < Z.rows(); ++i) own(i) = all(i, draw[static_cast<std::size_t>(i)]);
                    return own;
                },
                [*this, draw_of](const Matrix& Z, const std::vector<Index>& owner) {
                    return draws.gradients(m, Z, draw_of(owner));
                }};
    }

    Matrix maximisers(const Domain& domain, const Matrix& incumbents, const SearchOptions& options,
                      const Rng& rng) const {
        throw_if_stopped(options.stop);
        const bool discrete = small_and_discrete(domain, options);
        const Matrix points = discrete ? domain.enumerate() : candidates(domain, incumbents, options, rng);
        const Matrix all = values(points);
        Matrix result(draws.count(), points.cols());
        std::vector<Index> draw_of_start, start_rows;
        double tolerance = 0.0;
        for (Index d = 0; d < draws.count(); ++d) {
            const auto order = largest(all.col(d), discrete ? 1 : options.shortlist);
            result.row(d) = points.row(order.front());
            tolerance = std::max(tolerance, tolerance_for(all.col(d)));
            for (const Index row : starts_among(points, order, domain, options.starts)) {
                draw_of_start.push_back(d);
                start_rows.push_back(row);
            }
        }
        if (discrete) return result;
        const Climbed climbed = climb(stoppable(row_function(draw_of_start), options.stop), domain,
                                      points(start_rows, Eigen::all), options.rounds, tolerance);
        Vector best = Vector::Constant(draws.count(), -std::numeric_limits<double>::infinity());
        for (std::size_t s = 0; s < draw_of_start.size(); ++s) {
            const auto row = static_cast<Index>(s);
            const Index d = draw_of_start[s];
            if (climbed.values(row) <= best(d)) continue;
            best(d) = climbed.values(row);
            result.row(d) = climbed.points.row(row);
        }
        return result;
    }
};

}  // namespace

Matrix maximize_draws(const PathwiseDraws& draws, const Domain& domain, const Matrix& incumbents,
                      const SearchOptions& options, const Rng& rng, int threads) {
    const Partition& partition = draws.gp().partition();
    Matrix result(draws.count(), partition.dimension());
    parallel_for(partition.group_count(), threads, [&](std::int64_t m) {
        const auto& columns = partition.group(m);
        const Rng stream = rng.stream("maximize/draws", {m});
        const Domain part = domain.group(columns);
        result(Eigen::all, columns) =
            GroupDraws{draws, m}.maximisers(part, columns_of(incumbents, columns), options, stream);
    });
    return result;
}

}  // namespace summand
