// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/default/hedged_model.hpp"
#include "summand/optimizer/planner.hpp"

#include <cstdint>
#include <vector>

namespace summand::optimizer {

/// Values that no model is shown. Where groups are sure, a value far from what the others foretell is taken for a slip of the
/// evaluation: it would spoil every part of the sum, and the score of the model that is right. No more than a few are, and one
/// that the others have come to foretell is believed again.
struct Doubts {
    std::vector<std::int64_t> orders = {};  ///< of the values, as Data::order counts them

    /// Without the values that are doubted.
    Situation believed(const Situation& told) const;
    /// Values that came after `last_order`, foretold from the old ones by `model`.
    void judge_new(const Situation& told, std::int64_t last_order, const HedgedModel& model);
    /// Values that `model` was fitted on: each foretold from all others.
    void judge_old(const Situation& told, const HedgedModel& model);

  private:
    void keep_far(const Situation& told, const HedgedModel& model, const std::vector<std::int64_t>& fresh,
                  const Situation& situation);
};

}  // namespace summand::optimizer
