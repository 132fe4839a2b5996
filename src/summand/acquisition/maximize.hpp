// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/acquisition.hpp"

#include <optional>
#include <stop_token>
#include <vector>

namespace summand {

/// How hard a maximiser is searched for.
struct SearchOptions {
    int points = 10'000;  ///< quasi-random points, screened [Wang2017, app. B.1]
    int neighbours = 64;  ///< points near every one of the `incumbents_used` best incumbents
    int incumbents_used = 8;
    int shortlist = 128;          ///< the best by screening, evaluated exactly
    int starts = 4;               ///< the best of those climb
    int rounds = 40;              ///< steps of the climb
    int enumerate_up_to = 2'000;  ///< a group with at most this many points is searched exhaustively
    std::stop_token stop = {};    ///< ends a search with Interrupted; changes no result
};

struct Maximum {
    Vector point = {};
    double value = 0.0;
};

/// The best point of a surface that was found: exact enumeration where the domain is small and discrete; otherwise
/// spread points, incumbents (rows, best first; may be empty) and their neighbourhoods are screened, the shortlist is
/// evaluated exactly, and the best few climb: bounded quasi-Newton steps in the columns that are not listed, in turn
/// with an exhaustive search along every listed column. The result is a point of the domain. Ties: lowest index.
/// In more than 8 dimensions half of the points are incumbents with a random subset of coordinates replaced [Eriksson2019].
Maximum maximize_surface(const Surface& surface, const Domain& domain, const Matrix& incumbents,
                         const SearchOptions& options, const Rng& rng);

/// Every group's maximiser, joined to one point of all D columns. Groups run in parallel; stream keyed by group.
/// incumbents: rows of all D columns, best first.
struct JointMaximum {
    Vector point = {};
    Vector group_values = {};  ///< M
};
JointMaximum maximize_groups(const Acquisition& acquisition, const AdditiveGp& gp, const Domain& domain,
                             std::int64_t time, const Matrix& incumbents, const SearchOptions& options, const Rng& rng,
                             int threads = 1, const GroupScreens* screens = nullptr);

/// Row b joins, over the groups, the maximisers of function b.
/// Candidates and kernel columns are shared by all draws.
Matrix maximize_draws(const PathwiseDraws& draws, const Domain& domain, const Matrix& incumbents,
                      const SearchOptions& options, const Rng& rng, int threads = 1);

/// The maximiser of the posterior mean, which is a sum over groups: pure exploitation.
JointMaximum maximize_mean(const AdditiveGp& gp, const Domain& domain, const Matrix& incumbents,
                           const SearchOptions& options, const Rng& rng, int threads = 1);

}  // namespace summand
