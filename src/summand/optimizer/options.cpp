// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/option_list.hpp"

#include <set>
#include <sstream>

namespace summand {
namespace {

/// Collects sentences about numbers that are not allowed.
struct RangeCheck {
    std::vector<std::string> problems = {};

    template <class T>
    void operator()(const About& about, const T& field) {
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, double>) {
            const auto x = static_cast<double>(field);
            if (x >= about.low && x <= about.high) return;
            std::ostringstream text;
            text << "Options: " << about.key << " is " << field << "; it must be " << allowed(about) << " ("
                 << about.meaning << ")";
            problems.push_back(text.str());
        }
    }
    template <class T>
    void operator()(const About& about, const std::optional<T>& field) {
        if (field) (*this)(about, *field);
    }
};

void check_together(const DefaultStrategy&, bool, std::vector<std::string>&) {}

void check_together(const PaperStrategy& s, bool groups_given, std::vector<std::string>& problems) {
    if (s.burn_in >= s.sweeps)
        problems.push_back("Options: burn_in is " + std::to_string(s.burn_in) + " of " + std::to_string(s.sweeps) +
                           " sweeps; it must be less than sweeps (the paper: 50 of 100)");
    if (s.learner == LearnerName::known && !groups_given)
        problems.emplace_back(
            "Options: learner is \"known\" but groups is empty; give groups, for example [[\"x0\", \"x3\"], [\"x1\"]], "
            "or use learner = \"full\" for groups of one");
}

void check_groups(const std::vector<std::vector<std::string>>& groups, std::vector<std::string>& problems) {
    std::set<std::string> seen;
    for (const auto& group : groups) {
        if (group.empty()) problems.emplace_back("Options: groups contains an empty group; remove it");
        for (const std::string& name : group)
            if (!seen.insert(name).second)
                problems.push_back("Options: groups mentions \"" + name +
                                   "\" twice; a parameter belongs to exactly one group");
    }
}

}  // namespace

std::string allowed(const About& about) {
    constexpr double most = std::numeric_limits<double>::infinity();
    std::ostringstream text;
    if (about.high < most)
        text << "between " << about.low << " and " << about.high;
    else if (about.low > -most)
        text << "at least " << about.low;
    return text.str();
}

std::vector<std::string> Options::problems() const {
    RangeCheck check;
    Options copy = *this;
    Strategy chosen = strategy.value_or(strategy_of(preset));
    visit_common(check, copy);
    std::visit([&](auto& s) { visit_strategy(check, s); }, chosen);
    check_groups(groups, check.problems);
    std::visit([&](const auto& s) { check_together(s, !groups.empty(), check.problems); }, chosen);
    return check.problems;
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
