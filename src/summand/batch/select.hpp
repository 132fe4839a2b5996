// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/maximize.hpp"

#include <vector>

namespace summand {

/// How the points of a batch after the first are found: the paper's five.
enum class BatchMethod { rand, ucb_pe, ucb_dpp, ucb_pe_fnc, ucb_dpp_fnc };

}  // namespace summand

namespace summand::batch {

/// A posterior and how much it is believed: batch points are shared out between several (sampled structures).
struct Weighted {
    AdditiveGp gp;
    double weight = 1.0;
};

struct DiverseOptions {
    BatchMethod method = BatchMethod::ucb_dpp_fnc;
    Acquisition first = Ucb{};        ///< chooses the first point
    BetaSchedule beta = PaperBeta{};  ///< of the relevance region and of the quality ψ
    /// Ground set of a group: all points of its grid if every column is listed and there are at most `ground_set`;
    /// otherwise this many drawn from the relevance region (docs/batches.md).
    int ground_set = 256;
    SearchOptions search = {};
    int threads = 1;
};

/// Add-UCB-DPP-BBO for one structure [Wang2017, sec. 4 and app. A]: `count` rows of D columns, the first one the groups' maximisers
/// combined; it enters the others' covariance as pending (its value is not known yet). `rand`: all rows are uniform.
/// domain: all D columns; time: t >= 1; incumbents: rows of D columns, best first (may be empty).
/// options.search.stop ends it with Interrupted. Depends on the arguments only, not on `threads`. Rows can coincide where a
/// group has fewer than count - 1 points.
Matrix select_diverse(const AdditiveGp& gp, const Domain& domain, Index count, std::int64_t time,
                      const Matrix& incumbents, const DiverseOptions& options, const Rng& rng);

/// The same for several structures: every one contributes its share of the points (by weight, systematic sampling), with those already
/// chosen pending in its covariance.
Matrix select_diverse(const std::vector<Weighted>& models, const Domain& domain, Index count, std::int64_t time,
                      const Matrix& incumbents, const DiverseOptions& options, const Rng& rng);

struct ThompsonOptions {
    bool exploit_first = true;  ///< the first point maximises the posterior mean of the heaviest model
    double follow = 1.0;        ///< a group follows its draw with this probability, otherwise the posterior mean
    double temper_from = 1.0;   ///< t of a row's draw is uniform between this and 1 (pathwise.hpp)
    int frequencies = 256;
    SearchOptions search = {.points = 2'000};
    int threads = 1;
};

/// Thompson batch: every row maximises its own joint posterior draw, group by group; rows are shared out between the models by weight.
Matrix select_thompson(const std::vector<Weighted>& models, const Domain& domain, Index count, const Matrix& incumbents,
                       const ThompsonOptions& options, const Rng& rng);

/// How many of `count` points each weight gets: systematic sampling with one uniform draw, expectation count w_i / Σ w.
std::vector<Index> share_out(const std::vector<double>& weights, Index count, Rng& rng);

}  // namespace summand::batch
