// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/default/hedged_model.hpp"
#include "summand/optimizer/planner.hpp"

namespace summand::optimizer {

/// The groups that the default works with: learned from the first points, and again when the data have grown.
struct Groups {
    Learned structure = {};
    bool designed = false;   ///< found, and surely, from points made for it
    Index learned_from = 0;  ///< values it was last learned from, or looked for in vain
    double work_spent = 0.0;

    /// Before the initial design is at its end: whether it is time to look. A look takes seconds at D = 50 and half a minute at
    /// D = 100. A number of points that the user gave is kept.
    bool should_look(const Situation& situation) const;
    /// From nothing. Returns the share of the variance that the groups leave unexplained.
    double learn(const Situation& situation, int max_group_size);
    /// Whether the data have grown enough since.
    bool due(const Situation& situation) const;
    /// A few sweeps from the groups of `model`. What they propose must explain the data better once ALL hyperparameters have
    /// been fitted for it: a Metropolis test on the two fits ("evidence gate"). Without it good groups are lost again.
    void learn_again(HedgedModel& model, const Situation& situation, int max_group_size);
    /// Points chosen to be good tell less about groups than points made for it, so they must not undo them; but what is missing
    /// they may show. The two groups whose odds to belong together are highest are merged, if that is sure.
    void grow(HedgedModel& model, const Situation& situation, int max_group_size);
};

}  // namespace summand::optimizer
