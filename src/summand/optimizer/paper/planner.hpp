// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/planner.hpp"

#include <optional>
#include <vector>

namespace summand::optimizer {

/// Add-UCB-DPP-BBO [Wang2017, appendix A]: learn the decomposition every N_cyc rounds, choose the first point of a batch
/// by an acquisition function maximised group by group, and the others by diversity inside the relevance regions.
class PaperPlanner final : public Planner {
  public:
    explicit PaperPlanner(PaperStrategy strategy) : strategy_(strategy) {}

    std::unique_ptr<Planner> clone() const override { return std::make_unique<PaperPlanner>(*this); }
    bool advance(const Situation& situation) override;
    Matrix propose(const Situation& situation, Index count) const override;
    std::string save() const override;
    void load(const std::string& text) override;
    std::optional<Learned> learned() const override { return learned_; }
    std::optional<AdditiveGp> surrogate(const Situation& situation) const override;
    double unit() const override { return unit_; }

  private:
    /// A decomposition drawn from the posterior (or the likeliest one) with its kernels.
    struct Structure {
        Partition partition = {};
        Hyperparameters hyperparameters = {};
        double weight = 1.0;
    };
    bool due(const Situation& situation) const;
    void learn(const Situation& situation);
    Hyperparameters hyperparameters_for(const Partition& partition, const Situation& situation,
                                        std::int64_t index) const;
    AdditiveGp posterior(const Structure& structure, const Situation& situation) const;

    PaperStrategy strategy_;
    // The state: what advance() changes and a snapshot keeps.
    std::int64_t round_ = 0;       ///< t of the paper, from 1
    std::int64_t learned_at_ = 0;  ///< the round of the last learning
    double work_spent_ = 0.0;      ///< on learning, in operations (work.hpp)
    double unit_ = 1.0;            ///< of the values that the structures' kernels speak of
    std::vector<Structure> structures_ = {};
    std::optional<Learned> learned_ = {};
};

}  // namespace summand::optimizer
