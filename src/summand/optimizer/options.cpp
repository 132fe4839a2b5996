// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/options.hpp"

#include <cmath>
#include <set>
#include <sstream>

namespace summand {
namespace {

/// Collects sentences "name = value: what is allowed".
class Check {
  public:
    template <class T>
    void at_least(const char* name, T value, T low, const char* advice) {
        if (!(value >= low)) add(name, value, advice);
    }
    void positive(const char* name, double value, const char* advice) {
        if (!(value > 0.0) || !std::isfinite(value)) add(name, value, advice);
    }
    void between(const char* name, double value, double low, double high, const char* advice) {
        if (!(value >= low && value <= high)) add(name, value, advice);
    }
    void say(std::string sentence) { problems.push_back(std::move(sentence)); }

    std::vector<std::string> problems = {};

  private:
    template <class T>
    void add(const char* name, T value, const char* advice) {
        std::ostringstream text;
        text << "Options: " << name << " is " << value << "; " << advice;
        problems.push_back(text.str());
    }
};

void check(const PaperStrategy& s, bool groups_given, Check& check) {
    check.at_least("relearn_every", s.relearn_every, 1, "it needs at least 1 ask (the paper: 50)");
    check.at_least("sweeps", s.sweeps, 1, "at least 1 is needed (the paper: 100)");
    if (s.burn_in < 0 || s.burn_in >= s.sweeps)
        check.say("Options: burn_in is " + std::to_string(s.burn_in) + " of " + std::to_string(s.sweeps) +
                  " sweeps; it must be at least 0 and less than sweeps (the paper: 50 of 100)");
    check.positive("alpha", s.alpha, "it must be a positive number (the paper: 1)");
    if (s.max_groups) check.at_least("max_groups", *s.max_groups, 1, "at least 1 group is needed (leave it out for D)");
    if (s.max_group_size)
        check.at_least("max_group_size", *s.max_group_size, 1, "at least 1 is needed (leave it out for no limit)");
    check.between("lengthscale", s.lengthscale, 1e-6, 1e6,
                  "it must be a share of the unit cube, 1e-6 to 1e6 (the paper: 0.1)");
    check.between("variance", s.variance, 1e-100, 1e100,
                  "it must be positive, 1e-100 to 1e100, in squared units of the value (the paper: 5)");
    check.between("noise_variance", s.noise_variance, 1e-100, 1e100,
                  "it must be positive, 1e-100 to 1e100, in squared units of the value (for example 1e-4)");
    if (s.beta_factor)
        check.between("beta_factor", *s.beta_factor, 0.0, 1e6, "it must be between 0 and 1e6 (the paper: 1 or 0.2)");
    check.at_least("structures", s.structures, 1, "at least 1 is needed");
    check.between("ground_set", s.ground_set, 10, 20000,
                  "it must be between 10 and 20000 (determinants of such matrices are taken)");
    if (s.learner == LearnerName::known && !groups_given)
        check.say(
            "Options: learner is \"known\" but groups is empty; give groups, for example [[\"x0\", \"x3\"], [\"x1\"]], "
            "or use learner = \"full\" for groups of one");
}

void check(const DefaultStrategy& s, bool, Check& check) {
    check.at_least("max_group_size", s.max_group_size, 1, "at least 1 is needed (5 is a good limit)");
    check.between("relearn_growth", s.relearn_growth, 1.01, 1e9,
                  "it must be at least 1.01 (1.3: learn again when there is 30 % more data)");
    check.at_least("fit_points", s.fit_points, 10, "at least 10 are needed");
    check.between("score_decay", s.score_decay, 0.0, 1.0, "it must be between 0 and 1");
    check.positive("score_temperature", s.score_temperature, "it must be positive");
    check.between("weight_floor", s.weight_floor, 0.0, 0.2, "it must be between 0 and 0.2");
    check.between("smooth_share", s.smooth_share, 0.0, 1.0, "it must be between 0 and 1");
    check.between("blind_below", s.blind_below, -1.0, 1.0, "it must be between -1 and 1 (a correlation)");
    check.between("blind_share", s.blind_share, 0.0, 1.0, "it must be between 0 and 1");
    check.between("draw_share", s.draw_share, 0.0, 1.0, "it must be between 0 and 1");
    check.between("draw_groups", s.draw_groups, 0.0, 1e9, "it must be at least 0");
    check.between("sure_draw_groups", s.sure_draw_groups, 0.0, 1e9, "it must be at least 0");
    check.between("temper_from", s.temper_from, 0.0, 1.0,
                  "it must be between 0 (little more than the mean) and 1 (whole draws)");
    check.positive("explore_at", s.explore_at, "it must be positive (evaluations for each parameter)");
    check.between("explore_share", s.explore_share, 0.0, 1.0, "it must be between 0 and 1");
    check.between("finish_share", s.finish_share, 0.0, 1.0, "it must be between 0 and 1 (of the budget)");
    check.between("sure_finish_share", s.sure_finish_share, 0.0, 1.0, "it must be between 0 and 1 (of the budget)");
    check.between("idle_share", s.idle_share, 0.0, 1.0, "it must be between 0 and 1");
    check.positive("region_shortest", s.region_shortest, "it must be positive");
    if (!(s.region_shortest < s.region_start && s.region_start <= s.region_longest))
        check.say(
            "Options: region_shortest < region_start <= region_longest does not hold; for example 0.0078, 0.8 and 1.6");
    check.between("whole_cube_below", s.whole_cube_below, 0.0, 1.0, "it must be between 0 and 1");
    check.between("whole_cube_share", s.whole_cube_share, 0.0, 1.0, "it must be between 0 and 1");
    check.positive("design_threshold", s.design_threshold, "it must be positive (evaluations for each parameter)");
}

void check_groups(const std::vector<std::vector<std::string>>& groups, Check& check) {
    std::set<std::string> seen;
    for (const auto& group : groups) {
        if (group.empty()) check.say("Options: groups contains an empty group; remove it");
        for (const std::string& name : group)
            if (!seen.insert(name).second)
                check.say("Options: groups mentions \"" + name + "\" twice; a parameter belongs to exactly one group");
    }
}

}  // namespace

std::vector<std::string> Options::problems() const {
    Check c;
    c.at_least("batch_size", batch_size, 1, "at least 1 point is needed in each ask");
    if (threads) c.at_least("threads", *threads, 1, "at least 1 is needed (leave it out for all cores)");
    if (budget) c.at_least("budget", *budget, 1, "at least 1 evaluation is needed (leave it out if it is not known)");
    if (initial_points)
        c.at_least("initial_points", *initial_points, 1,
                   "at least 1 is needed (leave it out for a rule that depends on the dimension)");
    c.between("model_points", model_points, 10, 20000, "it must be between 10 and 20000 (2000 is a good limit)");
    if (evaluation_seconds)
        c.positive("evaluation_seconds", *evaluation_seconds,
                   "it must be positive (leave it out for no limit on the cost of suggestions)");
    c.between("suggestion_share", suggestion_share, 1e-9, 1.0,
              "it must be above 0 and at most 1 (0.1: a tenth of an evaluation's time)");
    check_groups(groups, c);
    std::visit([&](const auto& s) { check(s, !groups.empty(), c); }, strategy.value_or(strategy_of(preset)));
    return c.problems;
}

Strategy strategy_of(Preset preset) {
    switch (preset) {
        case Preset::paper_sequential:  // [Wang2017, sec. 5.1]: Gibbs every 50 iterations, Add-GP-UCB one by one
            return PaperStrategy{};
        case Preset::paper_batch:  // [Wang2017, sec. 5.2]: beta_t = |A_m| log 2t at every D
            return PaperStrategy{.beta_factor = 1.0};
        case Preset::standard:
            break;
    }
    return DefaultStrategy{};
}

Options resolved(Options options) {
    if (!options.strategy) options.strategy = strategy_of(options.preset);
    if (options.initial_design == InitialDesign::automatic && std::holds_alternative<PaperStrategy>(*options.strategy))
        options.initial_design = InitialDesign::uniform;  // "points chosen randomly from X" [Wang2017, appendix A]
    return options;
}

}  // namespace summand
