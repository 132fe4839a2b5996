// SPDX-License-Identifier: Apache-2.0
#include "problems/walker.hpp"

#include "problems/ode45.hpp"
#include "problems/parameters.hpp"

#include <cmath>
#include <optional>

namespace summand::problems {
namespace walker {
namespace {

constexpr double duration = 5.0;
constexpr int refinement = 4;  ///< samples for each integrator step
/// A phase that takes more has lost its way near a singularity (regular walks take a few hundred): it counts as failed.
constexpr int max_integrator_steps = 10000;

/// Positive while the swing phase may go on; an end is a fall through zero.
double before_step(const State& x) {
    return switching_angle - x[0];
}
double above_fall(const State& x) {
    return leg * std::cos(x[0]) - leg / 2.0;
}

/// Set s = 0, 1, 2 has its k-th coefficient at 1 + 3k + s: torso's four, then swing leg's four.
Gait gait_of(const Vector& p, Index set) {
    Gait gait;
    for (Index k = 0; k < 4; ++k) {
        gait.a[static_cast<std::size_t>(k)] = p[1 + 3 * k + set];
        gait.b[static_cast<std::size_t>(k)] = p[1 + 3 * (k + 4) + set];
    }
    return gait;
}

struct Dynamics {
    Gait gait;
    void operator()(const State& x, State& dxdt, double) const { derivative(gait, x, dxdt); }
};
using Integrator = Ode45<State, Dynamics>;

/// The time within the last step at which `event` passes zero from above, if it does; by bisection to rounding.
std::optional<double> crossing(const Integrator& integrator, double (*event)(const State&)) {
    if (!(event(integrator.previous_state()) > 0.0 && event(integrator.state()) <= 0.0)) return std::nullopt;
    double above = integrator.previous_time(), below = integrator.time();
    while (true) {
        const double middle = above + (below - above) / 2.0;
        if (middle <= above || middle >= below) return below;
        (event(integrator.at(middle)) > 0.0 ? above : below) = middle;
    }
}

struct Event {
    End end;
    double time;
};

/// The first event in the last step, or the end of time.
std::optional<Event> event_in_step(const Integrator& integrator) {
    const auto step = crossing(integrator, before_step), fall = crossing(integrator, above_fall);
    if (step && !(fall && *fall < *step)) return Event{End::step, *step};
    if (fall) return Event{End::fall, *fall};
    if (integrator.finished()) return Event{End::time, integrator.time()};
    return std::nullopt;
}

/// Samples of the last step up to `until`.
void record(Walk& walk, const Integrator& integrator, double until, double foot) {
    const double start = integrator.previous_time();
    for (int k = 1; k < refinement; ++k) {
        const double time = start + (until - start) * k / refinement;
        walk.samples.push_back({time, integrator.at(time), foot});
    }
    walk.samples.push_back({until, until < integrator.time() ? integrator.at(until) : integrator.state(), foot});
}

/// One swing phase from (time, x) to its end; both are moved there.
End swing(Walk& walk, const Gait& gait, const Rules& rules, double& time, State& x, double foot) {
    Integrator integrator(Dynamics{gait}, {rules.relative_tolerance, rules.absolute_tolerance, rules.restart}, time, x,
                          duration);
    for (int step = 0; step < max_integrator_steps && integrator.advance(); ++step) {
        const auto event = event_in_step(integrator);
        record(walk, integrator, event ? event->time : integrator.time(), foot);
        time = walk.samples.back().time;
        x = walk.samples.back().state;
        if (event) return event->end;
    }
    return End::failure;
}

}  // namespace

Walk simulate(const Vector& p, const Rules& rules) {
    Walk walk;
    double time = 0.0, foot = 0.0;
    State x = start(gait_of(p, 0), p[0]);
    walk.samples.push_back({time, x, foot});
    for (int phase = 1; phase <= rules.max_phases && time < duration; ++phase) {
        // Sets 2, 3, 1, 2, 3, 1, ...: set 1 has made the start. A leg that starts below the fall line has fallen.
        const double sine = std::sin(x[0]);
        const bool fallen = !rules.restart && !(above_fall(x) > 0.0);
        walk.ends.push_back(fallen ? End::fall : swing(walk, gait_of(p, phase % 3), rules, time, x, foot));
        walk.distance += leg * (std::sin(x[0]) - sine);
        if (!rules.restart && walk.ends.back() != End::step) break;
        foot += step_length(x);
        x = impact(x);
    }
    return walk;
}

double paper_value(const Walk& walk) {
    double distance = 0.0;
    for (std::size_t j = 0; j + 1 < walk.samples.size(); ++j) {
        const Sample& sample = walk.samples[j];
        const double interval = walk.samples[j + 1].time - sample.time;
        if (!(interval > 0.0)) return 0.0;
        distance += interval * leg * std::cos(sample.state[0]) * sample.state[3];
    }
    const double value = (distance + leg * std::sin(walk.samples.back().state[0])) / duration;
    return std::isnan(value) ? 0.0 : value;
}

}  // namespace walker

namespace {

Problem make_variant(const std::string& name, const Options& options, double (*value)(const Vector&)) {
    std::vector<Range> ranges = {{"omega", 1.0, 10.0}};
    for (const std::string coefficient : {"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"})
        for (Index set = 1; set <= 3; ++set) ranges.push_back({indexed(coefficient + "_", set), -2.0, 2.0});
    return Problem(name, make_space(ranges, options), options, with_value_noise(value, options));
}

}  // namespace

Problem make_walker(const std::string& name, const Options& options) {
    return make_variant(name, options, [](const Vector& p) {
        return walker::simulate(p, walker::sound_rules).distance / walker::duration;
    });
}

Problem make_walker_paper(const std::string& name, const Options& options) {
    return make_variant(name, options,
                        [](const Vector& p) { return walker::paper_value(walker::simulate(p, walker::paper_rules)); });
}

}  // namespace summand::problems
