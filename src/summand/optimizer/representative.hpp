// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/optimizer/ledger.hpp"

#include <optional>
#include <vector>

namespace summand::optimizer {

/// At most `limit` rows that stand for all: the newest quarter, the best quarter of the rest, the remainder at random.
/// Increasing.
std::vector<Index> representative_rows(const Vector& y, Index limit, Rng rng);

/// What a planner sees: at most `limit` told points, the newest among them; pending and failed ones stay. Values are in working
/// units, so that neither their squares nor those of one huge value among them overflow; in those of `unit`, if it is given.
Data model_data(Data data, Index limit, const Rng& rng, std::optional<double> unit = {});

}  // namespace summand::optimizer
