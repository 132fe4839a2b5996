// SPDX-License-Identifier: Apache-2.0
// The points of the default's batch (docs/optimizer.md, steps 5 and 6).
#include "summand/acquisition/acquisition.hpp"
#include "summand/acquisition/domain.hpp"
#include "summand/acquisition/maximize.hpp"
#include "summand/base/stacked.hpp"
#include "summand/batch/select.hpp"
#include "summand/optimizer/default/planner.hpp"
#include "summand/optimizer/idle_step.hpp"
#include "summand/optimizer/default/masked_draws.hpp"

#include <algorithm>

namespace summand::optimizer {

/// Thompson points of the model with groups: in the trust region, or mostly in the whole cube if it has proved itself.
Matrix DefaultPlanner::grouped_points(const AdditiveGp& gp, const Situation& situation, const Vector& centre,
                                      Index count, const Rng& rng) const {
    const Domain cube = Domain::of(situation.encoding);
    const Box box = box_around(centre, region_.length, gp.hyperparameters().lengthscale);
    const std::vector<double> part = shares(situation);
    const bool proved = part[one_free] + part[one_alike] + part[one_long] < strategy_.whole_cube_below;
    // One value of the sum cannot tell which of many changed parts was to blame.
    const double most = sure_groups_lead(situation) ? strategy_.sure_draw_groups : strategy_.draw_groups;
    const double follow = std::min(strategy_.draw_share, most / static_cast<double>(gp.partition().group_count()));
    const double explore = proved && !finishing(situation) ? strategy_.whole_cube_share : 0.0;
    Rng coins = rng.stream("whole-cube");
    Index everywhere = 0;
    for (Index i = 0; i < count; ++i) everywhere += coins.coin(explore) ? 1 : 0;
    const batch::ThompsonOptions options{.exploit_first = false,
                                         .follow = follow,
                                         .temper_from = temper_from(situation),
                                         .search = {.points = 2000, .stop = situation.stop},
                                         .threads = situation.threads};
    const Matrix incumbents = best_rows(situation.data.X, situation.data.y, options.search.incumbents_used);
    std::vector<Matrix> parts;
    if (everywhere > 0)
        parts.push_back(select_thompson({{.gp = gp}}, cube, everywhere, incumbents, options, rng.stream("everywhere")));
    if (everywhere < count)
        parts.push_back(select_thompson({{.gp = gp}}, cube.within(box.low, box.high), count - everywhere, incumbents,
                                        options, rng.stream("nearby")));
    return stacked(parts, centre.size());
}

/// Points of a model without groups: mostly near the centre, some anywhere, or the search would never leave the first hill.
Matrix DefaultPlanner::ungrouped_points(const AdditiveGp& gp, const Situation& situation, const Domain& near,
                                        const Vector& centre, Index count, const Rng& rng) const {
    Rng coins = rng.stream("everywhere");
    const double explore = finishing(situation) ? 0.0 : strategy_.explore_share;
    Index everywhere = 0;
    for (Index i = 0; i < count; ++i) everywhere += coins.coin(explore) ? 1 : 0;
    std::vector<Matrix> parts;
    if (everywhere > 0) {
        const batch::ThompsonOptions options{
            .exploit_first = false,
            .search = {.points = 2000, .starts = 3, .rounds = 30, .stop = situation.stop},
            .threads = situation.threads};
        parts.push_back(select_thompson({{.gp = gp}}, Domain::of(situation.encoding), everywhere,
                                        best_rows(situation.data.X, situation.data.y, options.search.incumbents_used),
                                        options, rng.stream("far")));
    }
    if (everywhere < count)
        parts.push_back(masked_thompson(gp, near, centre, count - everywhere, rng.stream("near"), situation.threads));
    return stacked(parts, centre.size());
}

/// Points of largest expected improvement anywhere, one after the other, each as if those before had brought what is expected.
Matrix DefaultPlanner::improving_points(AdditiveGp gp, const Situation& situation, Index count, const Rng& rng) const {
    const Domain cube = Domain::of(situation.encoding);
    const Matrix incumbents = best_rows(situation.data.X, situation.data.y, 8);
    const SearchOptions search{.points = 2000, .stop = situation.stop};
    Matrix points(count, cube.dimension());
    for (Index i = 0; i < count; ++i) {
        if (i > 0) gp = gp.with_pending(points.row(i - 1));
        const Rng stream = rng.stream("improve", {i});
        const auto surface = make_surface(Ei{}, {.gp = gp, .domain = cube, .rng = stream});
        points.row(i) = maximize_surface(*surface, cube, incumbents, search, stream).point.transpose();
    }
    return points;
}

/// Where steps no longer help, something may lie in parameters that do nothing here. Each of `count` points is such a step with
/// a probability that grows with the number of those parameters: in one of many there is little to find.
Matrix DefaultPlanner::idle_points(const Situation& situation, Index centre, Index count, const Rng& rng) const {
    const Data& data = situation.data;
    const bool stuck = 2.0 * region_.length < strategy_.region_start || region_.restarts > 0;
    if (!stuck || sure_groups_lead(situation)) return Matrix(0, data.X.cols());
    const Domain cube = Domain::of(situation.encoding);
    std::vector<Matrix> points;
    for (Index i = 0; i < count; ++i) {
        Rng stream = rng.stream("idle", {i});
        if (!stream.coin(strategy_.idle_share)) continue;
        const std::vector<Index> idle = idle_parameters(data.X, data.y, centre, stream);
        if (!stream.coin(std::min(1.0, 2.0 * static_cast<double>(idle.size()) / static_cast<double>(data.X.cols()))))
            continue;
        points.push_back(redrawn(cube, data.X.row(centre).transpose(), idle, stream).transpose());
    }
    return stacked(points, data.X.cols());
}

Matrix DefaultPlanner::propose(const Situation& told, Index count) const {
    const Situation situation = believed(told);
    const Data& data = situation.data;
    Rng rng = situation.root.stream("propose", {situation.ask});
    // Pure exploitation: the first of a batch, every fifth of single asks. A best guess that is still pending would only be
    // asked for again, so fewer if many are at work.
    const double at_work = static_cast<double>(count + data.pending.rows());
    const bool exploit = rng.uniform() < static_cast<double>(count) / std::max(5.0, at_work);
    const std::vector<double> wanted = shares(situation);
    const std::size_t first = leader(wanted);
    const AdditiveGp lead = posterior(first, situation);
    // The centre is the point with the best posterior mean, which at observed points is y - noise α: noise must not decide.
    Index top = 0;
    (lead.values() - lead.hyperparameters().noise_variance * lead.alpha()).maxCoeff(&top);
    const Vector centre = data.X.row(top).transpose();
    const Index of_models = count - (exploit ? 1 : 0);
    std::vector<Matrix> parts = {idle_points(situation, top, of_models, rng)};
    std::vector<Index> share = batch::share_out(wanted, of_models - parts.front().rows(), rng);

    const Domain cube = Domain::of(situation.encoding);
    for (std::size_t m = 0; m < models_.size(); ++m) {
        const bool leads = exploit && m == first;
        if (share[m] == 0 && !leads) continue;
        const AdditiveGp gp = (m == first ? lead : posterior(m, situation)).with_pending(data.pending);
        const Rng stream = rng.stream("model", {static_cast<std::int64_t>(m)});
        const Box box = box_around(centre, region_.length, gp.hyperparameters().lengthscale);
        const Domain near = cube.within(box.low, box.high);
        const auto best_guess = [&](const Domain& where) -> Matrix {
            return maximize_mean(gp, where, best_rows(data.X, data.y, 8),
                                 SearchOptions{.points = 2000, .stop = situation.stop}, stream.stream("exploit"),
                                 situation.threads)
                .point.transpose();
        };
        // The leader's best guess is near; the others' is anywhere until the end, for they may see what it does not.
        Matrix guess(0, data.X.cols());
        if (leads) {
            guess = best_guess(near);
            parts.insert(parts.begin(), guess);
        } else if (m != first) {
            guess = best_guess(finishing(situation) ? near : cube);
            parts.push_back(guess);
            --share[m];
        }
        if (share[m] == 0) continue;
        if (m < one_free)
            parts.push_back(grouped_points(gp, situation, centre, share[m], stream));
        else if (m == one_long && blind(situation))
            parts.push_back(improving_points(gp.with_pending(guess), situation, share[m], stream));
        else
            parts.push_back(ungrouped_points(gp, situation, near, centre, share[m], stream));
    }
    return stacked(parts, data.X.cols());
}

}  // namespace summand::optimizer
