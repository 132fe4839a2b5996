// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/options.hpp"

#include <limits>
#include <string>

// The one description of every option: its key, what it means and what is allowed. Reading, writing, checking and the
// documentation are visitors of it: io(About, field).
namespace summand {

struct About {
    const char* key;
    const char* meaning;
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

constexpr About preset_option{"preset", "a named set of values for everything that is not given"};

/// What its range is, in words: "between 0 and 1"; empty if every number is allowed.
std::string allowed(const About& about);

template <class Io>
void visit_common(Io& io, Options& o) {
    constexpr double most = std::numeric_limits<double>::infinity();
    io(About{"goal", "whether large or small values are good"}, o.goal);
    io(About{"batch_size", "points of an ask", 1, most_points_of_an_ask}, o.batch_size);
    io(About{"seed", "same seed and same history: same points"}, o.seed);
    io(About{"threads", "at work in an ask; all cores if left out; never changes a result", 1, most}, o.threads);
    io(About{"budget", "evaluations planned in all, if known: sizes the initial design", 1, most}, o.budget);
    io(About{"groups", "known groups of parameters, by name; learned if left out"}, o.groups);
    io(About{"initial_design", "where the first points come from"}, o.initial_design);
    io(About{"initial_points", "how many; by a rule if left out", 1, 100000}, o.initial_points);
    io(About{"model_points", "most evaluations a model is built on; of more, the newest, the best and others at random",
             10, 20000},
       o.model_points);
    io(About{"evaluation_seconds", "what an evaluation takes, roughly; no limit on the cost of suggestions if left out",
             1e-300, 1e300},
       o.evaluation_seconds);
    io(About{"suggestion_share", "of that time, what learning structures may cost", 1e-9, 1}, o.suggestion_share);
}

template <class Io>
void visit_strategy(Io& io, DefaultStrategy& s) {
    constexpr double most = std::numeric_limits<double>::infinity();
    io(About{"max_group_size", "parameters in a learned group at most", 1, most}, s.max_group_size);
    io(About{"explore_share", "share of the draws that are maximised anywhere, not near the best point; 1 / D at least",
             0, 1},
       s.explore_share);
    io(About{"temper_from", "draws are mean + t (draw - mean), t uniform from this to 1", 0, 1}, s.temper_from);
    io(About{"design_threshold", "evaluations a parameter from which the first points are made to find the structure",
             1e-9, 1e9},
       s.design_threshold);
}

template <class Io>
void visit_strategy(Io& io, PaperStrategy& s) {
    constexpr double most = std::numeric_limits<double>::infinity();
    io(About{"learner", "how groups are found"}, s.learner);
    io(About{"relearn_every", "asks after which groups are learned again; the paper: 50", 1, most}, s.relearn_every);
    io(About{"sweeps", "of the Gibbs sampler each time; the paper: 100", 1, 100000}, s.sweeps);
    io(About{"burn_in", "sweeps not recorded, fewer than all; the paper: 50", 0, most}, s.burn_in);
    io(About{"alpha", "Dirichlet weight of each group; the paper: 1", 1e-9, 1e9}, s.alpha);
    io(About{"max_groups", "groups at most; as many as parameters if left out", 1, 10000}, s.max_groups);
    io(About{"max_group_size", "parameters in a learned group at most; no limit if left out", 1, most},
       s.max_group_size);
    io(About{"hyperparameters", "whether kernels are given or fitted"}, s.hyperparameters);
    io(About{"kernel", "of every group"}, s.kernel);
    io(About{"lengthscale", "of the unit cube, if given; the paper: 0.1", 1e-6, 1e6}, s.lengthscale);
    io(About{"variance", "of each group, if given, in squared units of the value; the paper: 5", 1e-100, 1e100},
       s.variance);
    io(About{"noise_variance", "if given, in squared units of the value", 1e-100, 1e100}, s.noise_variance);
    io(About{"acquisition", "of a single point, and of the first of a batch"}, s.acquisition);
    io(About{"beta_factor", "beta = factor |A_m| log 2t; the paper's if left out", 0, 1e6}, s.beta_factor);
    io(About{"batch_method", "of the other points"}, s.batch_method);
    io(About{"structures", "sampled decompositions a batch is shared out to", 1, most_points_of_an_ask}, s.structures);
    io(About{"ground_set", "candidates of a group that a determinant sees at most", 10, 20000}, s.ground_set);
}

}  // namespace summand
