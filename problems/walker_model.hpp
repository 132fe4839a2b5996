// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

// The planar three-link biped of Westervelt, Grizzle, Chevallereau, Choi and Morris [Westervelt2007]: two legs and a torso.
//
//   q = (θ1, θ2, θ3)   stance leg, swing leg, torso: angles from the upward vertical, positive forward
//   state              (q, q̇)
//   four point masses  at z + Σ_k c_ik (sin θ_k, cos θ_k), z the stance foot: middle of each leg, hip, torso
namespace summand::problems::walker {

using State = std::array<double, 6>;

inline constexpr double leg = 1.0;                              ///< r, m
inline constexpr double torso = 0.5;                            ///< L, m
inline constexpr double switching_angle = 0.39269908169872414;  ///< π/8: the stance leg changes here

/// What the controller makes the torso and the swing leg do as the stance leg turns:
/// θ3 = a(θ1) and θ2 = -θ1 + b(θ1) (θ1² - (π/8)²), cubics a and b.
struct Gait {
    std::array<double, 4> a = {};  ///< torso, constant term first
    std::array<double, 4> b = {};  ///< swing leg
};

/// d/dt (q, q̇) under the controller that holds the gait (finite-time feedback on input-output linearisation). Not finite
/// where the torques lose their hold on the outputs.
void derivative(const Gait& gait, const State& x, State& dxdt);

/// The swing foot strikes the ground without slip or rebound and becomes the stance foot; the legs change names.
State impact(const State& x);

/// The first state: just after an impact at θ1 = π/8 on the gait, the stance leg turning at `speed` rad/s before it.
State start(const Gait& gait, double speed);

/// How far the impact moves the stance foot.
double step_length(const State& x);

}  // namespace summand::problems::walker
