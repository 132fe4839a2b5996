// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/optimizer/ledger.hpp"

#include <vector>

namespace summand::optimizer {

/// At most `limit` rows that stand for all: the newest quarter, the best quarter of the rest, the remainder at random.
/// Increasing.
std::vector<Index> representative_rows(const Vector& y, Index limit, Rng rng);

/// What a planner sees: at most `limit` told points, the newest among them; pending and failed ones stay.
Data model_data(Data data, Index limit, const Rng& rng);

}  // namespace summand::optimizer
