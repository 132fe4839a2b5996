// SPDX-License-Identifier: Apache-2.0
#include "experiments/methods.hpp"

namespace summand::experiments {
namespace {

Method method(std::string name, const PaperStrategy& strategy) {
    // N_init is not stated in the paper; 10 uniform points, the same for every method of a repeat.
    return {.name = std::move(name),
            .options = {.preset = Preset::paper_sequential, .strategy = strategy, .initial_points = 10}};
}

Method learner(std::string name, PaperStrategy paper, LearnerName learner) {
    paper.learner = learner;
    return method(std::move(name), paper);
}

}  // namespace

Method known(const PaperStrategy& paper) {
    Method known = method("Known", paper);
    known.told_groups = true;
    return known;
}

std::vector<Method> learners(const PaperStrategy& paper) {
    return {learner("NP", paper, LearnerName::none), learner("FP", paper, LearnerName::full),
            learner("PL-1", paper, LearnerName::best_of_visited), learner("PL-2", paper, LearnerName::best_of_five),
            learner("Gibbs", paper, LearnerName::gibbs)};
}

Method gibbs_with_limit(const PaperStrategy& paper, int largest_group) {
    Method limited = learner("Gibbs-L", paper, LearnerName::gibbs);
    std::get<PaperStrategy>(*limited.options.strategy).max_group_size = largest_group;
    return limited;
}

std::vector<Method> batch_methods(const PaperStrategy& paper, bool told_groups) {
    const std::pair<const char*, BatchName> all[] = {{"Rand", BatchName::rand},
                                                     {"UCB-PE", BatchName::ucb_pe},
                                                     {"UCB-DPP", BatchName::ucb_dpp},
                                                     {"UCB-PE-Fnc", BatchName::ucb_pe_fnc},
                                                     {"UCB-DPP-Fnc", BatchName::ucb_dpp_fnc}};
    std::vector<Method> methods;
    for (const auto& [name, batch] : all) {
        PaperStrategy strategy = paper;
        strategy.batch_method = batch;
        strategy.beta_factor = 1.0;      // "for all experiments" of section 5.2
        if (batch == BatchName::rand) {  // neither structure nor model is used
            strategy.learner = LearnerName::full;
            strategy.hyperparameters = HyperparameterSource::given;
        }
        methods.push_back(method(name, strategy));
        methods.back().told_groups = told_groups && batch != BatchName::rand;
    }
    return methods;
}

Method ours() {
    return {.name = "default"};
}

Method ours_told_groups() {
    return {.name = "default-known", .told_groups = true};
}

Panel synthetic(int dimension, int evaluations, int batch_size) {
    const std::string D = std::to_string(dimension);
    return {.name = "D=" + D, .problem = "additive-" + D, .evaluations = evaluations, .batch_size = batch_size};
}

PaperStrategy quick(PaperStrategy paper) {
    paper.relearn_every = 10;
    paper.sweeps = 6;
    paper.burn_in = 3;
    return paper;
}

}  // namespace summand::experiments
