// SPDX-License-Identifier: Apache-2.0
// The points of the default's batch (docs/optimizer.md).
#include "summand/acquisition/domain.hpp"
#include "summand/acquisition/maximize.hpp"
#include "summand/base/stacked.hpp"
#include "summand/batch/select.hpp"
#include "summand/optimizer/default/masked_draws.hpp"
#include "summand/optimizer/default/planner.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

/// Share of the groups that follow a draw; the others stay at the best guess. One value of the sum cannot tell which of many
/// changed parts was to blame.
double following(Index groups) {
    constexpr double most_groups = 6.0, most_share = 0.6;
    return groups == 1 ? 1.0 : std::min(most_share, most_groups / static_cast<double>(groups));
}

/// The fewer parameters, the better a model knows the whole cube, and the less a region around the best point is needed.
double share_anywhere(double explore_share, Index dimension) {
    return std::max(explore_share, 1.0 / static_cast<double>(dimension));
}

Index heads(Index count, double probability, Rng coins) {
    Index sum = 0;
    for (Index i = 0; i < count; ++i) sum += coins.coin(probability) ? 1 : 0;
    return sum;
}

}  // namespace

/// Whole draws ask about every unknown corner of every group. What that teaches pays late, and only if the groups are right:
/// where they are sure and there are as many evaluations for each parameter as finding them takes.
double DefaultPlanner::temper_from(const Situation& situation) const {
    const auto evaluations = std::max<Index>(situation.options.budget.value_or(0), situation.data.y.size());
    const double enough = strategy_.design_threshold * static_cast<double>(situation.encoding.dimension());
    const bool whole = static_cast<double>(evaluations) >= enough && sure_groups_lead(situation);
    return whole ? 1.0 : strategy_.temper_from;
}

/// Maximisers of mean + t (draw - mean), t uniform, near the centre; and some of whole draws, t = 1, anywhere, or the search
/// would never leave the first hill.
Matrix DefaultPlanner::drawn_points(const AdditiveGp& gp, const Situation& situation, const Domain& near,
                                    const Vector& centre, Index count, const Rng& rng) const {
    const Index far = heads(count, share_anywhere(strategy_.explore_share, centre.size()), rng.stream("everywhere"));
    const Index groups = gp.partition().group_count();
    const double t = temper_from(situation);
    const auto thompson = [&](const Domain& where, Index some, double temper, const char* stream) {
        const batch::ThompsonOptions options{.exploit_first = false,
                                             .follow = following(groups),
                                             .temper_from = temper,
                                             .search = {.points = 2000, .stop = situation.stop},
                                             .threads = situation.threads};
        const Matrix incumbents = best_rows(situation.data.X, situation.data.y, options.search.incumbents_used);
        return select_thompson({{.gp = gp}}, where, some, incumbents, options, rng.stream(stream));
    };
    std::vector<Matrix> parts;
    if (far > 0) parts.push_back(thompson(Domain::of(situation.encoding), far, 1.0, "far"));
    if (far < count)
        parts.push_back(groups == 1
                            ? masked_thompson(gp, near, centre, count - far, t, rng.stream("near"), situation.threads)
                            : thompson(near, count - far, t, "near"));
    return stacked(parts, centre.size());
}

Matrix DefaultPlanner::propose(const Situation& told, Index count) const {
    const Situation situation = doubts_.believed(told);
    const Data& data = situation.data;
    Rng rng = situation.root.stream("propose", {situation.ask});
    // Pure exploitation: the first of a batch, every fifth of single asks. A best guess that is still pending would only be
    // asked for again, so fewer if many are at work.
    const double at_work = static_cast<double>(count + data.pending.rows());
    const bool exploit = rng.uniform() < static_cast<double>(count) / std::max(5.0, at_work);
    const std::vector<double> wanted = weights();
    const std::size_t first = largest(wanted);
    const AdditiveGp lead = posterior(first, situation);
    // The centre is the point with the best posterior mean, which at observed points is y - noise α: noise must not decide.
    Index top = 0;
    (lead.values() - lead.hyperparameters().noise_variance * lead.alpha()).maxCoeff(&top);
    const Vector centre = data.X.row(top).transpose();
    std::vector<Index> share = batch::share_out(wanted, count - (exploit ? 1 : 0), rng);
    if (exploit) ++share[first];

    const Domain cube = Domain::of(situation.encoding);
    std::vector<Matrix> parts;
    for (std::size_t m = 0; m < models_.size(); ++m) {
        if (share[m] == 0) continue;
        const AdditiveGp gp = (m == first ? lead : posterior(m, situation)).with_pending(data.pending);
        const Rng stream = rng.stream("model", {static_cast<std::int64_t>(m)});
        const Box box = box_around(centre, region_.length, gp.hyperparameters().lengthscale);
        const Domain near = cube.within(box.low, box.high);
        // The leader's best guess is near; the others' is anywhere, for they may see what it does not.
        if (m != first || exploit) {
            const JointMaximum guess = maximize_mean(gp, m == first ? near : cube, best_rows(data.X, data.y, 8),
                                                     SearchOptions{.points = 2000, .stop = situation.stop},
                                                     stream.stream("exploit"), situation.threads);
            parts.insert(m == first ? parts.begin() : parts.end(), guess.point.transpose());
            --share[m];
        }
        if (share[m] > 0) parts.push_back(drawn_points(gp, situation, near, centre, share[m], stream));
    }
    return stacked(parts, data.X.cols());
}

}  // namespace summand::optimizer
