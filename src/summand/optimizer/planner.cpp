// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/planner.hpp"

#include "summand/optimizer/default/planner.hpp"
#include "summand/optimizer/paper/planner.hpp"
#include "summand/structure/learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace summand::optimizer {

std::unique_ptr<Planner> make_planner(const Options& options) {
    if (const auto* paper = std::get_if<PaperStrategy>(&*options.strategy))
        return std::make_unique<PaperPlanner>(*paper);
    return std::make_unique<DefaultPlanner>(std::get<DefaultStrategy>(*options.strategy));
}

std::optional<Expected> Planner::expected(const Situation& situation) const {
    const auto gp = surrogate(situation);
    if (!gp) return {};
    const Marginals marginals = gp->sum_marginals(situation.data.X);
    return Expected{.mean = marginals.mean,
                    .stddev = marginals.variance.cwiseSqrt(),
                    .noise_stddev = std::sqrt(gp->hyperparameters().noise_variance)};
}

Learned summary(const structure::StructurePosterior& posterior, const Partition& chosen, double unit) {
    const double nats = static_cast<double>(posterior.points_used) * std::log(unit);
    Learned learned{.partition = chosen,
                    .pair_probability = posterior.pair_probability,
                    .verdict = posterior.verdict_text,
                    .found = posterior.verdict == structure::Verdict::structure_found && chosen == posterior.best,
                    .log_likelihood = posterior.log_likelihood - nats};
    constexpr std::size_t most_shown = 10;
    for (const auto& item : posterior.partitions)
        if (learned.partitions.size() < most_shown) learned.partitions.emplace_back(item.partition, item.weight);
    return learned;
}

Matrix best_rows(const Matrix& X, const Vector& y, Index count) {
    std::vector<Index> order(static_cast<std::size_t>(y.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y(a) > y(b); });
    order.resize(static_cast<std::size_t>(std::min<Index>(count, y.size())));
    return X(order, Eigen::indexing::all);
}

}  // namespace summand::optimizer
