// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/planner.hpp"

namespace summand::optimizer {

/// Learns nothing: every point is uniform.
class UniformPlanner final : public Planner {
  public:
    std::unique_ptr<Planner> clone() const override { return std::make_unique<UniformPlanner>(*this); }
    void advance(const Situation&) override {}
    Matrix propose(const Situation& situation, Index count) const override {
        Matrix points(count, situation.encoding.dimension());
        for (Index i = 0; i < count; ++i) {
            Rng rng = situation.root.stream("propose", {situation.ask, i});
            points.row(i) = situation.encoding.random(rng).transpose();
        }
        return points;
    }
    std::string save() const override { return {}; }
    void load(const std::string&) override {}
    std::optional<Learned> learned() const override { return {}; }
    std::optional<AdditiveGp> surrogate(const Situation&) const override { return {}; }
};

}  // namespace summand::optimizer
