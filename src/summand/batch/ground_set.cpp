// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/ground_set.hpp"

#include "summand/batch/relevance_region.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace summand::batch {
namespace {

constexpr Index pool_size = 4096;
constexpr Index contenders = 32;  // candidates for the best lower bound that are evaluated exactly

using Rows = std::vector<Index>;

// Rows that differ from all earlier ones: a grid of few values repeats itself in a large pool.
Matrix distinct(const Domain& domain, const Matrix& points) {
    for (Index j = 0; j < domain.dimension(); ++j)
        if (!domain.listed(j)) return points;
    std::set<std::vector<double>> seen;
    Rows kept;
    for (Index i = 0; i < points.rows(); ++i) {
        const Vector row = points.row(i).transpose();
        if (seen.emplace(row.begin(), row.end()).second) kept.push_back(i);
    }
    return points(kept, Eigen::all);
}

Rows by_descending(const Vector& values) {
    Rows order(static_cast<std::size_t>(values.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) > values(b); });
    return order;
}

Vector upper(const Marginals& marginals, double factor) {
    return marginals.mean + factor * marginals.variance.cwiseSqrt();
}

GroundSet exact_region(const AdditiveGp& gp, Index m, const Matrix& points, const GroundSetRequest& request,
                       double bar) {
    const Marginals exact = gp.group_marginals(m, points);
    const Vector reach = upper(exact, 2.0 * std::sqrt(request.beta_next));
    const double own_bar = std::max(bar, best_lower_bound(exact.mean, exact.variance.cwiseSqrt(), request.beta));
    Rows order = by_descending(reach);  // so that a fill takes the most promising of those outside
    const auto inside = std::count_if(order.begin(), order.end(), [&](Index i) { return reach(i) >= own_bar; });
    order.resize(static_cast<std::size_t>(std::max<Index>(inside, std::min(request.smallest, points.rows()))));
    std::sort(order.begin(), order.end());
    return {points(order, Eigen::all), upper(exact, std::sqrt(request.beta))(order)};
}

// A pool of points and which of them may lie in the region, by approximate marginals.
class Pool {
  public:
    Pool(const AdditiveGp& gp, Index m, const Domain& domain, const GroundSetRequest& request,
         const GroupScreen& screen, const Matrix& points)
        : gp_(gp), m_(m), domain_(domain), request_(request), screen_(screen), points_(distinct(domain, points)) {
        measure();
    }

    const Matrix& points() const { return points_; }
    double bar() const { return bar_; }
    const Vector& lowest() const { return best_; }  // the point with the best lower bound
    Rows inside() const {
        Rows rows;
        for (Index i = 0; i < points_.rows(); ++i)
            if (reach_(i) >= bar_) rows.push_back(i);
        return rows;
    }
    Rows most_promising() const { return by_descending(reach_); }

    void add(const Matrix& more) {
        Matrix all(points_.rows() + more.rows(), points_.cols());
        all << points_, more;
        points_ = distinct(domain_, all);
        measure();
    }

  private:
    void measure() {
        const Marginals rough = screen_.marginals(points_);
        reach_ = upper(rough, 2.0 * std::sqrt(request_.beta_next));
        Rows best = by_descending(upper(rough, -std::sqrt(request_.beta)));
        best.resize(std::min(best.size(), static_cast<std::size_t>(contenders)));
        const Vector exact = upper(gp_.group_marginals(m_, points_(best, Eigen::all)), -std::sqrt(request_.beta));
        Index top = 0;
        bar_ = exact.maxCoeff(&top);
        best_ = points_.row(best[static_cast<std::size_t>(top)]).transpose();
    }

    const AdditiveGp& gp_;
    Index m_;
    const Domain& domain_;
    const GroundSetRequest& request_;
    const GroupScreen& screen_;
    Matrix points_;
    Vector reach_, best_;
    double bar_ = 0.0;
};

}  // namespace

GroundSet ground_set(const AdditiveGp& gp, Index m, const Domain& domain, const Vector& anchor,
                     const GroundSetRequest& request, const GroupScreens& screens, const Rng& rng) {
    const std::int64_t count = domain.point_count();
    if (count > 0 && count <= request.largest)
        return exact_region(gp, m, domain.enumerate(), request, -std::numeric_limits<double>::infinity());

    Rng spread = rng.stream("ground_set/spread"), near = rng.stream("ground_set/near"),
        choose = rng.stream("ground_set/choose");
    Pool pool(gp, m, domain, request, screens.of(m), domain.spread(pool_size, spread));
    for (double scale = 0.1; scale > 1e-4 && static_cast<Index>(pool.inside().size()) < 4 * request.smallest;
         scale /= 4) {
        const Vector lowest = pool.lowest();
        pool.add(domain.near(anchor, request.largest / 2, scale, near));
        pool.add(domain.near(lowest, request.largest / 2, scale, near));
    }
    Rows chosen = pool.inside();
    choose.shuffle(chosen);
    if (static_cast<Index>(chosen.size()) < request.smallest) chosen = pool.most_promising();
    chosen.resize(std::min(chosen.size(), static_cast<std::size_t>(request.largest)));
    std::sort(chosen.begin(), chosen.end());
    return exact_region(gp, m, pool.points()(chosen, Eigen::all), request, pool.bar());
}

}  // namespace summand::batch
