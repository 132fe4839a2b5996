// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/report/data.hpp"

#include <algorithm>
#include <cmath>
#include <string>

// A made-up study in which everything a report can show occurs.
namespace summand::testing {

inline SearchSpace sample_space(int reals) {
    std::vector<Parameter> parameters = {
        Real{.name = "rate", .low = 1e-5, .high = 1e-1, .scale = Scale::log},
        Integer{.name = "width", .low = 8, .high = 512, .scale = Scale::log},
        Choice{.name = "solver", .values = {"sgd", "adam", "lbfgs & <co>"}},
        Levels{.name = "depth", .values = {1, 2, 4, 8}},
    };
    for (int k = 0; k < reals; ++k) parameters.push_back(Real{.name = "x" + std::to_string(k), .low = -5, .high = 5});
    return SearchSpace(parameters);
}

inline Point random_point(const SearchSpace& space, Rng& rng) {
    Point point;
    for (const Parameter& parameter : space.parameters()) {
        if (const Real* p = std::get_if<Real>(&parameter))
            point.push_back(p->scale == Scale::log ? p->low * std::pow(p->high / p->low, rng.uniform())
                                                   : rng.uniform(p->low, p->high));
        else if (const Integer* i = std::get_if<Integer>(&parameter))
            point.push_back(i->low + rng.below(i->high - i->low));
        else if (const Choice* c = std::get_if<Choice>(&parameter))
            point.push_back(
                c->values[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(c->values.size())))]);
        else
            point.push_back(std::get<Levels>(parameter).values[static_cast<std::size_t>(rng.below(4))]);
    }
    return point;
}

inline std::vector<Trial> sample_trials(const SearchSpace& space, int count, int batch) {
    std::vector<Trial> trials;
    Rng rng = Rng::from_seed(5);
    double now = 1.79e9;
    for (int i = 0; i < count; ++i) {
        Trial trial{.id = i + 1, .state = TrialState::completed, .values = random_point(space, rng), .ask = i / batch};
        trial.started_at = now;
        trial.ended_at = now + 2 + 3 * rng.exponential();
        if (i % batch == batch - 1) now += 9;
        const double progress = 1 - std::exp(-3.0 * i / count);
        trial.value = 10 * progress - (1.2 - progress) * 6 * rng.exponential() - (i < 5 ? 300 : 0);
        if (rng.coin(0.06)) {
            trial.value.reset();
            trial.state = TrialState::failed;
            const char* reasons[] = {"exit status 1\nTraceback", "killed by signal 11 (SIGSEGV)",
                                     "no answer after 10 s (time limit)"};
            trial.reason = reasons[rng.below(3)];
        }
        trials.push_back(std::move(trial));
    }
    return trials;
}

inline GroupSlice sample_curve(const std::vector<std::string>& group, const std::string& name,
                               const std::vector<Value>& axis) {
    GroupSlice slice{.group = group, .parameters = {name}, .axes = {axis}};
    for (std::size_t k = 0; k < axis.size(); ++k) {
        const double t = static_cast<double>(k) / static_cast<double>(axis.size() - 1);
        slice.mean.push_back(std::sin(5 * t) - t);
        slice.stddev.push_back(0.1 + 0.4 * t * (1 - t));
    }
    return slice;
}

inline GroupSlice sample_map(const std::vector<std::string>& group, const std::string& a, const std::string& b,
                             const std::vector<Value>& x, const std::vector<Value>& y) {
    GroupSlice slice{.group = group, .parameters = {a, b}, .axes = {x, y}};
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < y.size(); ++j) {
            const double s = static_cast<double>(i) / static_cast<double>(x.size() - 1),
                         t = static_cast<double>(j) / static_cast<double>(y.size() - 1);
            slice.mean.push_back(2 * std::sin(4 * s) * std::cos(5 * t) + s);
            slice.stddev.push_back(0.2);
        }
    return slice;
}

inline std::vector<Value> sample_axis(double low, double high, bool log, int count = 50) {
    std::vector<Value> axis;
    for (int k = 0; k < count; ++k) {
        const double t = static_cast<double>(k) / (count - 1);
        axis.push_back(log ? low * std::pow(high / low, t) : low + (high - low) * t);
    }
    return axis;
}

inline StructureView sample_structure(const SearchSpace& space) {
    StructureView view{.names = space.names(),
                       .found = true,
                       .verdict = "The groups are well supported: no other structure is nearly as likely."};
    const std::size_t count = view.names.size();
    view.groups = {{"rate", "solver"}, {"width", "x0"}, {"depth"}};
    for (std::size_t k = 5; k < count; k += 3) {
        view.groups.emplace_back();
        for (std::size_t j = k; j < std::min(count, k + 3); ++j) view.groups.back().push_back(view.names[j]);
    }
    std::vector<std::size_t> group_of(count);
    for (std::size_t g = 0; g < view.groups.size(); ++g)
        for (const std::string& name : view.groups[g]) group_of[*space.find(name)] = g;
    Rng rng = Rng::from_seed(9);
    view.pair_probability.assign(count, std::vector<double>(count, 1.0));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            view.pair_probability[i][j] = view.pair_probability[j][i] =
                group_of[i] == group_of[j] ? 0.7 + 0.3 * rng.uniform() : 0.25 * rng.uniform() * rng.uniform();
    view.structures = {{view.groups, 0.62}, {{{"rate", "solver", "depth"}, {"width"}, {"x0"}}, 0.21}};
    view.models = {{"learned groups", 0.8}, {"one group", 0.15}, {"no groups", 0.05}};
    return view;
}

/// `reals`: further real parameters besides one of each other kind.
inline report::ReportData sample_report(int trials = 200, int reals = 10, int batch = 5) {
    const SearchSpace space = sample_space(reals);
    report::ReportData data{.name = "push & <go>", .space = space};
    data.options = {.goal = Goal::maximize, .batch_size = batch, .seed = 7};
    data.trials = sample_trials(space, trials, batch);
    Rng rng = Rng::from_seed(6);
    for (int k = 0; k < (trials + batch - 1) / batch; ++k)
        data.asks.push_back({k, 0.05 + 0.4 * k / trials + 0.05 * rng.exponential() + (k % 12 == 0 ? 1.5 : 0), batch});
    data.budget = trials + 50;
    data.optimum = 11.5;
    data.target = 11;
    data.created_at = 1.79e9;
    data.made_at = 1.79e9 + 4000;
    data.structure = sample_structure(space);
    data.slices = {
        sample_map({"rate", "solver"}, "rate", "solver", sample_axis(1e-5, 0.1, true, 30),
                   {"sgd", "adam", "lbfgs & <co>"}),
        sample_map({"width", "x0"}, "width", "x0", sample_axis(8, 512, true, 40), sample_axis(-5, 5, false, 40)),
        sample_curve({"depth"}, "depth", {1.0, 2.0, 4.0, 8.0}),
        sample_curve({"solver"}, "solver", {"sgd", "adam", "lbfgs & <co>"}),
        sample_curve({"rate"}, "rate", sample_axis(1e-5, 0.1, true))};
    for (int k = 1; k + 2 < reals; k += 3) {
        const auto name = [k](int offset) { return "x" + std::to_string(k + offset); };
        const std::vector<std::string> group = {name(0), name(1), name(2)};
        const auto axis = sample_axis(-5, 5, false, 40);
        data.slices.push_back(sample_map(group, name(0), name(1), axis, axis));
        data.slices.push_back(sample_map(group, name(0), name(2), axis, axis));
        data.slices.push_back(sample_map(group, name(1), name(2), axis, axis));
    }
    double sum = 0;
    for (std::size_t j = 0; j < space.size(); ++j) data.importance.push_back({rng.exponential() * rng.exponential()});
    for (const Importance& v : data.importance) sum += v.share;
    for (Importance& v : data.importance) v = {v.share / sum, 0.8 * v.share / sum, 1.2 * v.share / sum};
    data.option_list = {
        {"goal", "maximize"}, {"batch_size", std::to_string(batch)}, {"seed", "7"}, {"strategy", "default"}};
    data.setting_list = {{"command", "./simulate {rate} {width} {solver}"}, {"time_limit_seconds", "10"}};
    data.version = "0.1.0";
    return data;
}

/// A compiler's flags: choices with long names, no groups found, a model of single parameters, failures with logs.
inline report::ReportData flags_report() {
    const std::string long_name =
        "-fprofile-use=/home/someone/builds/2026-03-14/profiles/release.profdata -Wno-missing";
    const SearchSpace space({Choice{.name = "optimisation level", .values = {"-O1", "-O2", "-O3", "-Ofast"}},
                             Choice{.name = "profile", .values = {"none", long_name, "-fprofile-generate"}},
                             Choice{.name = "vectoriser", .values = {"-fno-tree-vectorize", "-ftree-vectorize"}},
                             Integer{.name = "inline-limit", .low = 1, .high = 100000, .scale = Scale::log},
                             Levels{.name = "unroll", .values = {1, 2, 4, 8, 16}}});
    report::ReportData data{.name = "compiler flags", .source = "flags.toml", .space = space};
    data.options = {.goal = Goal::minimize, .batch_size = 4, .seed = 1};
    data.trials = sample_trials(space, 500, 4);
    for (Trial& trial : data.trials) {
        if (trial.value) trial.value = 20 - *trial.value;
        if (trial.value) trial.also = {{"size in bytes", 1e6 + static_cast<double>(trial.id)}};
        data.logs[trial.id] = "compiling <main.cpp>\n" + long_name + "\n";
    }
    data.created_at = data.made_at = 1.79e9;
    data.structure = {.names = space.names(),
                      .groups = {{"optimisation level", "profile"}, {"vectoriser"}, {"inline-limit"}, {"unroll"}},
                      .pair_probability = std::vector<std::vector<double>>(5, std::vector<double>(5, 0.5)),
                      .verdict = "Chains end in different groups: do not rely on the groups.",
                      .models = {{"learned groups", 0.03}, {"every parameter alone", 0.97}}};
    data.importance = {{0.4, 0.3, 0.5}, {0.3, 0.2, 0.4}, {0.05, 0.0, 0.1}, {0.15, 0.1, 0.2}, {0.1, 0.0, 0.2}};
    data.slices = {sample_curve({"optimisation level"}, "optimisation level", {"-O1", "-O2", "-O3", "-Ofast"}),
                   sample_curve({"profile"}, "profile", {"none", long_name, "-fprofile-generate"}),
                   sample_curve({"unroll"}, "unroll", {1.0, 2.0, 4.0, 8.0, 16.0})};
    data.setting_list = {{"command", "./build-and-measure.sh " + long_name + " " + long_name}};
    return data;
}

}  // namespace summand::testing
