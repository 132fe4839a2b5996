// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/optimizer/default/doubts.hpp"
#include "summand/optimizer/default/groups.hpp"
#include "summand/optimizer/default/hedged_model.hpp"
#include "summand/optimizer/default/trust_region.hpp"
#include "summand/optimizer/planner.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace summand::optimizer {

/// The default (docs/optimizer.md): additive models that differ in their prior (learned groups; every parameter alone; one group
/// of all with lengthscales that are free, alike or long), weighted by how well they foretold new values. Each point of a batch
/// maximises mean + t (draw - mean) of one of them, near the best point or anywhere.
class DefaultPlanner final : public Planner {
  public:
    explicit DefaultPlanner(DefaultStrategy strategy) : strategy_(strategy) {}

    std::unique_ptr<Planner> clone() const override { return std::make_unique<DefaultPlanner>(*this); }
    bool advance(const Situation& situation) override;
    Matrix propose(const Situation& situation, Index count) const override;
    Matrix to_repeat(const Situation& situation) const override { return doubts_.to_repeat(situation); }
    std::string save() const override;
    void load(const std::string& text) override;
    std::optional<Learned> learned() const override;
    std::optional<AdditiveGp> surrogate(const Situation& situation) const override;
    std::optional<Expected> expected(const Situation& situation) const override;
    double unit() const override { return unit_; }

  private:
    /// Positions of the models; those before `one_free` have groups.
    enum : std::size_t { grouped, alone, one_free, one_alike, one_long, model_count };
    static std::vector<HedgedModel> fresh_models(Index dimension);
    static void for_each_model(const Situation& situation, const std::function<void(std::size_t)>& body);

    // advance(), step by step
    bool begin(const Situation& situation);
    void forget_units(double unit);
    void judge(const Situation& situation);
    void learn_again(const Situation& situation);
    void fit(const Situation& situation);
    void weigh_first(const Situation& situation);

    // propose(), step by step (batch.cpp)
    AdditiveGp posterior(std::size_t model, const Situation& situation) const;
    Matrix drawn_points(const AdditiveGp& gp, const Situation& situation, const Domain& near, const Vector& centre,
                        Index count, const Rng& rng) const;

    std::vector<double> weights() const;  ///< of the models, by what they foretold
    std::size_t leader() const;           ///< the heaviest model
    bool groups_are_sure(const Situation& situation) const;
    bool sure_groups_lead(const Situation& situation) const;
    double temper_from(const Situation& situation) const;

    DefaultStrategy strategy_;
    // The state: what advance() changes and a snapshot keeps.
    Groups groups_ = {};
    std::vector<HedgedModel> models_ = {};  ///< empty before there are groups
    TrustRegion region_ = {};
    Doubts doubts_ = {};
    std::int64_t last_order_ = -1;  ///< of the newest value already judged
    double best_ = 0.0;             ///< the largest value already judged
    double unit_ = 1.0;             ///< of the values that hyperparameters, scores and best_ speak of
};

}  // namespace summand::optimizer
