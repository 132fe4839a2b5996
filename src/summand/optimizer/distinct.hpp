// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/optimizer/ledger.hpp"

#include <set>
#include <string>
#include <vector>

namespace summand::optimizer {

/// Hands out points that are neither in the ledger nor handed out before by this object.
class Distinct {
  public:
    Distinct(const Ledger& ledger, const Encoding& encoding, const Rng& rng);

    /// How many points of a finite space are left; a huge number for an infinite one.
    std::int64_t left() const;
    bool taken(const Vector& point) const;
    /// Not taken, but a known point differs by less than 1e-4 of the range in every coordinate: hardly worth an evaluation.
    bool crowded(const Vector& point) const;
    /// The point itself if it is free and not crowded; else a free one near it; else any free one. left() must be positive.
    Vector nearest_free(const Vector& point);

  private:
    std::optional<Vector> free_neighbour(const Vector& point, Rng& rng) const;
    std::optional<Vector> free_random(Rng& rng) const;
    Vector free_by_search(Rng& rng) const;

    const Ledger& ledger_;
    const Encoding& encoding_;
    Rng rng_;
    std::set<std::string> handed_out_;
    std::vector<Vector> known_;  ///< in the ledger or handed out; only if some column is continuous
};

}  // namespace summand::optimizer
