// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/optimizer/default/hedged_model.hpp"
#include "summand/optimizer/planner.hpp"
#include "summand/optimizer/default/trust_region.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace summand::optimizer {

/// The default: five models side by side (learned groups; every parameter alone; one group of all with lengthscales that are
/// free, alike or long), weighted by how well they foretold new values; Thompson draws inside a trust region, each model's best
/// guess, and some points everywhere. docs/optimizer.md, docs/decisions/0012.
class DefaultPlanner final : public Planner {
  public:
    explicit DefaultPlanner(DefaultStrategy strategy) : strategy_(strategy), region_(fresh_region(strategy)) {}

    std::unique_ptr<Planner> clone() const override { return std::make_unique<DefaultPlanner>(*this); }
    void advance(const Situation& situation) override;
    bool has_seen_enough(const Situation& situation) override;
    Matrix propose(const Situation& situation, Index count) const override;
    std::string save() const override;
    void load(const std::string& text) override;
    std::optional<Learned> learned() const override;
    std::optional<AdditiveGp> surrogate(const Situation& situation) const override;
    double unit() const override { return unit_; }

  private:
    /// Positions of the models; those before `one_free` have groups.
    enum : std::size_t { grouped, alone, one_free, one_alike, one_long, model_count };
    static std::vector<HedgedModel> fresh_models(Index dimension);
    static void for_each_model(const Situation& situation, const std::function<void(std::size_t)>& body);

    bool should_look(const Situation& situation) const;  ///< for groups, before the design is at its end

    // advance(), step by step
    void forget_units();                             ///< what was fitted and foretold in another unit
    void judge(const Situation& situation);          ///< scores and trust region, from the new values
    double learn_first(const Situation& situation);  ///< share of the variance that the groups leave unexplained
    void learn_again(const Situation& situation);
    void grow(const Situation& situation);  ///< sure groups, by a merge
    static Sample structure_sample(const Situation& situation, const Rng& rng);
    void fit(const Situation& situation);
    void weigh_first(const Situation& situation);
    bool due(const Situation& situation) const;
    bool may_doubt(const Situation& situation) const;
    void doubt_new(const Situation& told);
    void doubt_old(const Situation& told);
    void keep_doubting(const Situation& told, const Situation& situation, const std::vector<std::int64_t>& fresh);
    Situation believed(const Situation& told) const;

    // propose(), step by step (default_batch.cpp)
    AdditiveGp posterior(std::size_t model, const Situation& situation) const;
    Matrix grouped_points(const AdditiveGp& gp, const Situation& situation, const Vector& centre, Index count,
                          const Rng& rng) const;
    Matrix ungrouped_points(const AdditiveGp& gp, const Situation& situation, const Domain& near, const Vector& centre,
                            Index count, const Rng& rng) const;
    Matrix improving_points(AdditiveGp gp, const Situation& situation, Index count, const Rng& rng) const;
    Matrix idle_points(const Situation& situation, Index centre, Index count, const Rng& rng) const;

    std::vector<double> weights() const;
    bool blind(const Situation& situation) const;
    bool groups_are_sure(const Situation& situation) const;
    bool sure_groups_lead(const Situation& situation) const;
    double temper_from(const Situation& situation) const;
    bool finishing(const Situation& situation) const;
    std::vector<double> shares(const Situation& situation) const;  ///< of a batch
    static std::size_t leader(const std::vector<double>& parts);

    DefaultStrategy strategy_;
    // The state: what advance() changes and a snapshot keeps.
    std::vector<HedgedModel> models_ = {};  ///< empty before the first advance()
    TrustRegion region_;
    std::int64_t last_order_ = -1;            ///< of the newest value already judged
    double best_ = 0.0;                       ///< the largest value already judged
    double unit_ = 1.0;                       ///< of the values that hyperparameters, scores and best_ speak of
    Index learned_from_ = 0;                  ///< values the structure was last learned from, or looked for in vain
    Index chosen_from_ = 0;                   ///< values that kernels and warps were last chosen from
    bool designed_ = false;                   ///< the structure was found, and surely, from points made for it
    std::vector<std::int64_t> doubted_ = {};  ///< values, by their order, that no model is shown
    double work_spent_ = 0.0;
    Learned structure_ = {};
};

}  // namespace summand::optimizer
