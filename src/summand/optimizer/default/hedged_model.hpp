// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/fit.hpp"
#include "summand/optimizer/default/model_weights.hpp"
#include "summand/optimizer/planner.hpp"

#include <optional>

namespace summand::optimizer {

/// Points that stand for all: hyperparameters are fitted on them.
struct Sample {
    Matrix X = {};
    Vector y = {};
};
Sample sample_of(const Data& data, const std::vector<Index>& rows);

/// One of the models that the default keeps side by side. Groups are given to it; kernel and warp are chosen by evidence,
/// the numbers fitted, and the score says how well it has foretold values.
struct HedgedModel {
    LengthscalePrior prior = GammaLengthscale{};
    double variance_log_scale = 1.5;
    Partition partition = {};
    KernelFamily family = KernelFamily::matern52;
    double warp = 0.0;                     ///< share of values that sets the scale (warp.hpp); 0: none
    Index chosen_from = 0;                 ///< values that kernel and warp were chosen from
    Hyperparameters hyperparameters = {};  ///< of warped values; empty before the first fit
    PredictiveScore score = {};

    bool fitted() const { return hyperparameters.lengthscale.size() > 0; }
    /// The posterior of the warped values.
    AdditiveGp posterior(const Matrix& X, const Vector& y, const std::vector<bool>& unordered) const;
    /// What it expects at some points, by the values y at X, in the units of y.
    Expected expected(const Matrix& X, const Vector& y, const std::vector<bool>& unordered, const Matrix& at) const;
    /// About the same in the user's units: for people to look at.
    AdditiveGp shown(const Matrix& X, const Vector& y, const std::vector<bool>& unordered) const;
    /// The score after these values, which the posterior of the old ones was not shown.
    void foretell(const Matrix& old_X, const Vector& old_y, const Matrix& X, const Vector& y,
                  const std::vector<bool>& unordered, Tails tails);
    /// A score from the values it was fitted on, each foretold from all others [Rasmussen2006, eq. 5.10 to 5.12]; it
    /// counts as much as `worth` values.
    void leave_one_out(const Matrix& X, const Vector& y, const std::vector<bool>& unordered, double worth);
};

/// What is expensive is done again when the data have grown by this factor.
constexpr double growth = 1.3;
constexpr bool has_grown(Index points, Index before) {
    return static_cast<double>(points) >= growth * static_cast<double>(before);
}

/// Up to so many values a fit costs next to nothing, so it is thorough: more steps, from two starts.
constexpr Index cheap_points = 150;

/// Fits the model's numbers for a partition, warm from what they are. log_posterior is that of the sample's y in the user's
/// units, so that partitions, kernels and warps compare.
FitResult fit_model(const HedgedModel& model, const Partition& partition, const Sample& sample,
                    const Situation& situation, int evaluations, const std::optional<Hyperparameters>& warm,
                    const Rng& rng);

/// Fits the numbers again; `choose`: and, by evidence, kernel and warp.
void refit(HedgedModel& model, const Sample& sample, const Situation& situation, bool choose, const Rng& rng);

}  // namespace summand::optimizer
