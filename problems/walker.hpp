// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"
#include "problems/walker_model.hpp"

namespace summand::problems {

namespace walker {

/// How a trial of at most 5 s is integrated and what ends it.
struct Rules {
    double relative_tolerance = 1e-8;
    double absolute_tolerance = 1e-9;
    /// After a fall or a failed integration: end the trial (sound), or change legs and go on (the paper's code).
    bool restart = false;
    int max_phases = 200;  ///< swing phases; the paper's code stops after 20, a sound trial has far fewer than 200
};
inline constexpr Rules sound_rules = {};
inline constexpr Rules paper_rules = {
    .relative_tolerance = 1e-5, .absolute_tolerance = 1e-6, .restart = true, .max_phases = 20};

/// Why a swing phase ended.
enum class End {
    time,     ///< 5 s are over
    step,     ///< the stance leg passed π/8 forward: the swing foot strikes the ground
    fall,     ///< the hip sank below half a leg
    failure,  ///< no step size satisfies the tolerance: the torques lost their hold
};

/// A point of the integrator's output: the ends of its steps and three points inside each.
struct Sample {
    double time = 0.0;
    State state = {};
    double foot = 0.0;  ///< position of the stance foot
};

struct Walk {
    std::vector<Sample> samples = {};  ///< the start, then each phase without its first state
    std::vector<End> ends = {};        ///< one for each swing phase
    double distance = 0.0;             ///< of the hip: Σ over phases of r (sin θ1 at the end - at the start)
};

/// p: 25 numbers, ω and the column-major 3 x 8 coefficients; any finite values.
Walk simulate(const Vector& p, const Rules& rules);

/// The value of the paper's code: left rectangles of r cos θ1 θ̇1 over its samples, plus r sin θ1 at the end, over 5 s;
/// 0 if that is not a number or two samples share a time.
double paper_value(const Walk& walk);

}  // namespace walker

/// Maximised. walker: distance / 5 s under sound_rules. walker-paper: paper_value under paper_rules.
Problem make_walker(const std::string& name, const Options& options);
Problem make_walker_paper(const std::string& name, const Options& options);

}  // namespace summand::problems
