// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/paper/planner.hpp"

#include "summand/acquisition/domain.hpp"
#include "summand/base/error.hpp"
#include "summand/batch/select.hpp"
#include "summand/model/fit.hpp"
#include "summand/optimizer/work.hpp"
#include "summand/structure/learner.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

KernelFamily family_of(KernelName name) {
    return name == KernelName::matern52 ? KernelFamily::matern52 : KernelFamily::squared_exponential;
}

structure::Learner learner_of(const PaperStrategy& strategy, const Situation& situation) {
    if (situation.known) return structure::Known{*situation.known};
    switch (strategy.learner) {
        case LearnerName::none:
            return structure::None{};
        case LearnerName::full:
            return structure::Full{};
        case LearnerName::best_of_visited:
            return structure::BestOfRandom{.candidates = strategy.sweeps};
        case LearnerName::best_of_five:
            return structure::BestOfRandom{.candidates = 5};
        case LearnerName::gibbs:
        case LearnerName::known:  // without groups: refused by Options::problems()
            break;
    }
    return structure::Gibbs{.sweeps = strategy.sweeps, .burn_in = strategy.burn_in};
}

// In units of the values; hyperparameters absurdly far from the values stay numbers.
structure::GivenHyperparameters given(const PaperStrategy& strategy, double unit) {
    const auto squared = [&](double variance) { return std::clamp(variance / unit / unit, 1e-100, 1e100); };
    return {.family = family_of(strategy.kernel),
            .lengthscale = Vector::Constant(1, strategy.lengthscale),
            .variance = squared(strategy.variance),
            .noise_variance = squared(strategy.noise_variance)};
}

structure::LearnOptions learn_options(const PaperStrategy& strategy, const Situation& situation) {
    structure::LearnOptions options;
    options.prior = {.family = structure::DirichletMultinomial{.labels = strategy.max_groups.value_or(0)},
                     .alpha = {strategy.alpha}};
    if (strategy.max_group_size) options.max_group_size = *strategy.max_group_size;
    if (strategy.hyperparameters == HyperparameterSource::given) {
        options.hyperparameters = given(strategy, situation.data.unit);
    } else {
        options.hyperparameters = structure::LearnedHyperparameters{.family = family_of(strategy.kernel)};
    }
    options.unordered = situation.encoding.unordered_columns();
    options.threads = situation.threads;
    options.stop = situation.stop;
    return options;
}

bool learns(const PaperStrategy& strategy, const Situation& situation) {
    const LearnerName name = strategy.learner;
    return !situation.known && name != LearnerName::none && name != LearnerName::full;
}

double beta_factor(const PaperStrategy& strategy, const Situation& situation) {
    if (strategy.beta_factor) return *strategy.beta_factor;
    return situation.options.batch_size == 1 && situation.encoding.dimension() >= 20 ? 0.2
                                                                                     : 1.0;  // [Wang2017, sec. 5.1]
}

Acquisition acquisition_of(const PaperStrategy& strategy, const PaperBeta& beta) {
    switch (strategy.acquisition) {
        case AcquisitionName::ei:
            return Ei{};
        case AcquisitionName::pi:
            return Pi{};
        case AcquisitionName::mes:
            return Mes{};
        case AcquisitionName::thompson:
            return Thompson{};
        case AcquisitionName::ucb:
            break;
    }
    return Ucb{.beta = beta};
}

BatchMethod method_of(BatchName name) {
    switch (name) {
        case BatchName::rand:
            return BatchMethod::rand;
        case BatchName::ucb_pe:
            return BatchMethod::ucb_pe;
        case BatchName::ucb_dpp:
            return BatchMethod::ucb_dpp;
        case BatchName::ucb_pe_fnc:
            return BatchMethod::ucb_pe_fnc;
        case BatchName::ucb_dpp_fnc:
        case BatchName::thompson:  // has a selection of its own
            break;
    }
    return BatchMethod::ucb_dpp_fnc;
}

}  // namespace

bool PaperPlanner::advance(const Situation& situation) {
    if (situation.in_design) return false;
    ++round_;
    if (due(situation)) learn(situation);
    return true;
}

/// At the first round, whenever t mod N_cyc = 0 [appendix A], if it can be afforded, and if the values have another unit now. Structures that are not learned
/// are fixed, but learned hyperparameters follow the same rhythm.
bool PaperPlanner::due(const Situation& situation) const {
    if (structures_.empty() || situation.data.unit != unit_) return true;
    if (round_ % strategy_.relearn_every != 0) return false;
    const Index points = situation.data.y.size();
    return affordable(situation.options, learning_work(situation.encoding.dimension(), points, strategy_.sweeps),
                      work_spent_, points);
}

void PaperPlanner::learn(const Situation& situation) {
    structure::LearnOptions options = learn_options(strategy_, situation);
    if (learned_ && strategy_.learner == LearnerName::gibbs) options.warm_start = {learned_->partition};
    const structure::StructurePosterior posterior =
        learn_structure(situation.data.X, situation.data.y, learner_of(strategy_, situation),
                        situation.root.stream("structure", {situation.ask}), options);
    unit_ = situation.data.unit;
    learned_ = summary(posterior, posterior.best, unit_);
    learned_at_ = round_;
    if (learns(strategy_, situation))
        work_spent_ += learning_work(situation.encoding.dimension(), situation.data.y.size(), strategy_.sweeps);

    std::vector<Partition> chosen = {posterior.best};
    const auto samples = static_cast<std::int64_t>(posterior.samples.size());
    for (std::int64_t s = 1; s < strategy_.structures && samples > 0; ++s)  // evenly through the chain
        chosen.push_back(posterior.samples[static_cast<std::size_t>(s * samples / strategy_.structures)]);
    structures_.clear();
    for (std::size_t s = 0; s < chosen.size(); ++s)
        structures_.push_back(
            {.partition = chosen[s],
             .hyperparameters = hyperparameters_for(chosen[s], situation, static_cast<std::int64_t>(s)),
             .weight = 1.0 / static_cast<double>(chosen.size())});
}

Hyperparameters PaperPlanner::hyperparameters_for(const Partition& partition, const Situation& situation,
                                                  std::int64_t index) const {
    if (strategy_.hyperparameters == HyperparameterSource::given) {
        const structure::GivenHyperparameters fixed = given(strategy_, situation.data.unit);
        return Hyperparameters::isotropic(partition, strategy_.lengthscale, fixed.variance, fixed.noise_variance);
    }
    const FitOptions options{.family = family_of(strategy_.kernel), .threads = situation.threads};
    return fit_hyperparameters(partition, situation.data.X, situation.data.y, situation.encoding.unordered_columns(),
                               options, situation.root.stream("fit", {situation.ask, index}), {}, situation.stop)
        .hyperparameters;
}

AdditiveGp PaperPlanner::posterior(const Structure& structure, const Situation& situation) const {
    return AdditiveGp(family_of(strategy_.kernel), structure.partition, structure.hyperparameters, situation.data.X,
                      situation.data.y, situation.encoding.unordered_columns());
}

Matrix PaperPlanner::propose(const Situation& situation, Index count) const {
    std::vector<batch::Weighted> models;
    for (const Structure& structure : structures_)
        models.push_back(
            {.gp = posterior(structure, situation).with_pending(situation.data.pending), .weight = structure.weight});
    const Domain domain = Domain::of(situation.encoding);
    const Matrix incumbents = best_rows(situation.data.X, situation.data.y, SearchOptions{}.incumbents_used);
    const Rng rng = situation.root.stream("propose", {situation.ask});
    if (strategy_.batch_method == BatchName::thompson) {
        batch::ThompsonOptions options{.threads = situation.threads};
        options.search.stop = situation.stop;
        return batch::select_thompson(models, domain, count, incumbents, options, rng);
    }
    const PaperBeta beta{.multiplier = beta_factor(strategy_, situation)};
    const batch::DiverseOptions options{.method = method_of(strategy_.batch_method),
                                        .first = acquisition_of(strategy_, beta),
                                        .beta = beta,
                                        .ground_set = strategy_.ground_set,
                                        .search = {.stop = situation.stop},
                                        .threads = situation.threads};
    return batch::select_diverse(models, domain, count, round_, incumbents, options, rng);
}

std::optional<AdditiveGp> PaperPlanner::surrogate(const Situation& situation) const {
    if (structures_.empty() || situation.data.y.size() == 0) return {};
    return posterior(structures_.front(), situation);
}

}  // namespace summand::optimizer
