// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/optimizer/insight.hpp"
#include "summand/optimizer/ledger.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/encoding.hpp"

#include <vector>

namespace summand::optimizer {

/// A model and what is needed to tell it in the user's words and units.
struct Explained {
    const AdditiveGp& gp;  ///< of values turned so that larger is better
    const SearchSpace& space;
    const Encoding& encoding;
    Goal goal = Goal::maximize;
    double unit = 1.0;  ///< of the model's values
    Vector best = {};   ///< unit coordinates of the point that fixes the other members of a group
};

/// The posterior of one group along one or two of its columns (see GroupSlice).
GroupSlice slice_of(const Explained& explained, const std::vector<Index>& columns, int resolution);
std::vector<GroupSlice> slices_of_groups(const Explained& explained, int resolution);

/// Total effect of each column, normalised to sum 1 [Jansen1999]: T_j = E (f(x) - f(x with x_j drawn anew))² / 2. Only the
/// group of j matters, so each needs that group alone. Taken of draws from the posterior: the mean of their shares, and the
/// interval in which nine of ten lie. What the hyperparameters and the structure leave open is not part of it.
std::vector<Importance> total_effects(const AdditiveGp& gp, const Encoding& encoding, const Rng& rng);

/// At most `limit` told points: half of them the best, the others evenly spread over the rest of the history.
Data thinned(Data data, Index limit);

}  // namespace summand::optimizer
