// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/default/hedged_model.hpp"
#include "summand/optimizer/planner.hpp"

#include <cstdint>
#include <vector>

namespace summand::optimizer {

/// Values that no model is shown. A value far from what the others foretell is taken for a slip of the evaluation: it would draw
/// the search to itself, spoil every part of a sum, and the score of the model that is right. One that would be the best of all
/// is asked for once more: told alike twice, it is believed, as is one that the others have come to foretell. No more than a few
/// are doubted, or a model that is wrong would doubt them all.
struct Doubts {
    std::vector<std::int64_t> orders = {};  ///< of the values, as Data::order counts them

    /// Which of the values are doubted.
    std::vector<bool> mask(const Situation& told) const;
    /// Without the values that are doubted.
    Situation believed(const Situation& told) const;
    /// Values that came after `last_order`, foretold from the old ones by `model`.
    void judge_new(const Situation& told, std::int64_t last_order, const HedgedModel& model);
    /// Values that `model` was fitted on: each foretold from all others.
    void judge_old(const Situation& told, const HedgedModel& model);
    /// Points of doubted values that would be the best of all.
    Matrix to_repeat(const Situation& told) const;

  private:
    struct Misfit {
        double stddevs = 0.0;
        std::int64_t order = 0;
    };

    bool hold(std::int64_t order) const;
    void keep_far(const Situation& told, const HedgedModel& model, const std::vector<Index>& fresh);
    void take_farthest(std::vector<Misfit> misfits, const Situation& told);
};

}  // namespace summand::optimizer
