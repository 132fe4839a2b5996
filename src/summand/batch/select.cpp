// SPDX-License-Identifier: Apache-2.0
#include "summand/batch/select.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/base/stop.hpp"
#include "summand/batch/combine.hpp"
#include "summand/batch/ground_set.hpp"
#include "summand/batch/kdpp.hpp"
#include "summand/batch/pure_exploration.hpp"
#include "summand/numeric/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace summand::batch {
namespace {

// Added to the diagonal of the k-DPP's kernel, as a share of the group's prior variance: more parts than a smooth group's
// covariance has numerical rank can then still be drawn, the surplus all but uniformly.
constexpr double ridge_share = 1e-8;

bool greedy(BatchMethod method) {
    return method == BatchMethod::ucb_pe || method == BatchMethod::ucb_pe_fnc;
}

bool by_quality(BatchMethod method) {
    return method == BatchMethod::ucb_pe_fnc || method == BatchMethod::ucb_dpp_fnc;
}

Matrix uniform_points(const Domain& domain, Index count, const Rng& rng) {
    Matrix points(count, domain.dimension());
    for (Index i = 0; i < count; ++i) {
        Rng row = rng.stream("batch/uniform", {i});
        points.row(i) = domain.random(row).transpose();
    }
    return points;
}

// k rows by the k-DPP with kernel K + ridge I. Where the numerical rank r of K is small but leaves choice enough, K is replaced by
// its pivoted Cholesky factors (they differ from it by less than the ridge) and the dual r x r problem is solved.
std::vector<Index> sample_rows(Matrix K, Index k, double ridge, Rng& rng) {
    const PivotedCholesky low_rank = pivoted_cholesky(K, K.rows(), ridge);
    const Index rank = low_rank.factor.cols();
    if (rank >= 2 * k && 3 * rank < 2 * K.rows()) return sample_kdpp_dual(low_rank.factor, k, rng);
    K.diagonal().array() += ridge;
    return sample_kdpp(K, k, rng);
}

// k diverse parts of one group. A group of fewer points gives all of them, and then all again.
Parts diverse_parts(const AdditiveGp& gp, const AdditiveGp& pending, const GroupScreens& screens, Index m,
                    const Domain& domain, const Vector& first, Index k, std::int64_t time,
                    const DiverseOptions& options, const Rng& rng) {
    throw_if_stopped(options.search.stop);
    const auto size = domain.dimension();
    const GroundSetRequest request{options.ground_set, k, beta_at(options.beta, size, time),
                                   beta_at(options.beta, size, time + 1)};
    const GroundSet ground = ground_set(gp, m, domain, first, request, screens, rng);
    throw_if_stopped(options.search.stop);
    const Matrix K = pending.group_covariance(m, ground.points);
    const double ridge = ridge_share * gp.hyperparameters().variance(m);
    Rng draw = rng.stream("batch/draw");
    std::vector<Index> chosen;
    while (static_cast<Index>(chosen.size()) < k) {
        const Index wanted = std::min(k - static_cast<Index>(chosen.size()), K.rows());
        const auto more = greedy(options.method) ? greedy_determinant(K, wanted) : sample_rows(K, wanted, ridge, draw);
        chosen.insert(chosen.end(), more.begin(), more.end());
    }
    return {ground.points(chosen, Eigen::all), ground.upper_bound(chosen)};
}

void check(const AdditiveGp& gp, const Domain& domain, Index count, const char* where) {
    if (gp.dimension() != domain.dimension())
        throw InvalidArgument(std::string(where) + ": the model has " + std::to_string(gp.dimension()) +
                              " columns and the domain " + std::to_string(domain.dimension()) + "; give both the same");
    if (count < 0)
        throw InvalidArgument(std::string(where) + ": asked for " + std::to_string(count) +
                              " points; ask for 0 or more");
}

}  // namespace

std::vector<Index> share_out(const std::vector<double>& weights, Index count, Rng& rng) {
    double total = 0.0;
    for (const double weight : weights) {
        if (!(weight >= 0) || !std::isfinite(weight))
            throw InvalidArgument("share_out: a weight is " + std::to_string(weight) +
                                  "; weights must be finite and at least 0");
        total += weight;
    }
    if (!(total > 0)) throw InvalidArgument("share_out: all weights are 0; give at least one above 0");
    // Point i belongs to the weight in whose piece of [0, count) the number i + U falls.
    std::vector<Index> shares(weights.size(), 0);
    const double offset = rng.uniform();
    double upper = 0.0;
    Index given = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        upper += weights[i] / total * static_cast<double>(count);
        for (; given < count && static_cast<double>(given) + offset < upper; ++given) ++shares[i];
    }
    // Rounding can leave the last point outside: it goes to the heaviest.
    shares[static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin())] +=
        count - given;
    return shares;
}

// The loop body of the paper's algorithm (appendix A), one line a step.
Matrix select_diverse(const AdditiveGp& gp, const Domain& domain, Index count, std::int64_t time,
                      const Matrix& incumbents, const DiverseOptions& options, const Rng& rng) {
    check(gp, domain, count, "select_diverse");
    if (options.method == BatchMethod::rand) return uniform_points(domain, count, rng);
    Matrix points(count, domain.dimension());
    if (count == 0) return points;

    const GroupScreens screens(gp);
    const Vector first = maximize_groups(options.first, gp, domain, time, incumbents, options.search,
                                         rng.stream("batch/first"), options.threads, &screens)
                             .point;
    points.row(0) = first.transpose();
    if (count == 1) return points;

    const AdditiveGp pending = gp.with_pending(points.topRows(1));
    const Partition& partition = gp.partition();
    std::vector<Parts> parts(static_cast<std::size_t>(partition.group_count()));
    parallel_for(partition.group_count(), options.threads, [&](std::int64_t m) {
        const auto& columns = partition.group(m);
        parts[static_cast<std::size_t>(m)] =
            diverse_parts(gp, pending, screens, m, domain.group(columns), first(columns), count - 1, time, options,
                          rng.stream("batch/group", {m}));
    });
    Rng combine = rng.stream("batch/combine");
    points.bottomRows(count - 1) = by_quality(options.method) ? combine_by_quality(partition, parts)
                                                              : combine_at_random(partition, parts, combine);
    return points;
}

Matrix select_diverse(const std::vector<Weighted>& models, const Domain& domain, Index count, std::int64_t time,
                      const Matrix& incumbents, const DiverseOptions& options, const Rng& rng) {
    if (models.empty()) throw InvalidArgument("select_diverse: no model was given; give at least one");
    std::vector<double> weights;
    for (const Weighted& model : models) weights.push_back(model.weight);
    Rng shares = rng.stream("batch/shares");
    const std::vector<Index> share = share_out(weights, count, shares);

    Matrix points(count, domain.dimension());
    Index done = 0;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (share[i] == 0) continue;
        const AdditiveGp gp = done > 0 ? models[i].gp.with_pending(points.topRows(done)) : models[i].gp;
        points.middleRows(done, share[i]) = select_diverse(gp, domain, share[i], time, incumbents, options,
                                                           rng.stream("batch/model", {static_cast<std::int64_t>(i)}));
        done += share[i];
    }
    return points;
}

namespace {

// Every group of every row keeps its draw's maximiser with probability `follow`, and otherwise takes the mean's.
void follow_partly(Matrix& points, const Vector& mean, const Partition& partition, double follow, Rng rng) {
    for (Index b = 0; b < points.rows(); ++b)
        for (const auto& columns : partition.groups())
            if (!rng.coin(follow)) points(b, columns) = mean(columns).transpose();
}

}  // namespace

Matrix select_thompson(const std::vector<Weighted>& models, const Domain& domain, Index count, const Matrix& incumbents,
                       const ThompsonOptions& options, const Rng& rng) {
    if (models.empty()) throw InvalidArgument("select_thompson: no model was given; give at least one");
    std::vector<double> weights;
    for (const Weighted& model : models) weights.push_back(model.weight);
    const auto heaviest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    const Index exploited = options.exploit_first && count > 0 ? 1 : 0;
    Rng shares = rng.stream("batch/shares");
    const std::vector<Index> share = share_out(weights, count - exploited, shares);

    Matrix points(count, domain.dimension());
    Index done = exploited;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const bool exploits = exploited > 0 && i == heaviest, needs_mean = exploits || options.follow < 1;
        if (share[i] == 0 && !exploits) continue;
        throw_if_stopped(options.search.stop);
        const AdditiveGp& gp = models[i].gp;
        check(gp, domain, count, "select_thompson");
        const Rng stream = rng.stream("batch/thompson", {static_cast<std::int64_t>(i)});
        Vector temper = Vector::Zero(share[i] + (needs_mean ? 1 : 0));  // the last is the mean
        temper.head(share[i]) = random_tempers(share[i], options.temper_from, stream.stream("temper"));
        const PathwiseDraws draws(gp, temper, options.frequencies, stream, options.threads);
        const Matrix found = maximize_draws(draws, domain, incumbents, options.search, stream, options.threads);
        Matrix own = found.topRows(share[i]);
        if (options.follow < 1)
            follow_partly(own, found.bottomRows(1).transpose(), gp.partition(), options.follow,
                          stream.stream("follow"));
        points.middleRows(done, share[i]) = own;
        if (exploits) points.row(0) = found.bottomRows(1);
        done += share[i];
    }
    return points;
}

}  // namespace summand::batch
