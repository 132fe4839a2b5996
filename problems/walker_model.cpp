// SPDX-License-Identifier: Apache-2.0
#include "problems/walker_model.hpp"

#include <Eigen/LU>
#include <cmath>

namespace summand::problems::walker {
namespace {

constexpr double gravity = 9.8;
constexpr int mass_count = 4;
constexpr std::array<double, mass_count> mass = {5.0, 15.0, 10.0, 5.0};  // stance leg, hip, torso, swing leg (kg)
constexpr double c[mass_count][3] = {{leg / 2, 0, 0}, {leg, 0, 0}, {leg, 0, torso}, {leg, -leg / 2, 0}};

using Vector3 = std::array<double, 3>;

/// A_kl = Σ_i m_i c_ik c_il: kinetic energy is ½ Σ_kl A_kl cos(θ_k - θ_l) θ̇_k θ̇_l. A_23 = 0: no mass hangs on both.
constexpr double inertia(int k, int l) {
    double sum = 0.0;
    for (int i = 0; i < mass_count; ++i) sum += mass[static_cast<std::size_t>(i)] * c[i][k] * c[i][l];
    return sum;
}
constexpr double A11 = inertia(0, 0), A12 = inertia(0, 1), A13 = inertia(0, 2), A22 = inertia(1, 1),
                 A33 = inertia(2, 2);
static_assert(inertia(1, 2) == 0.0);

/// First moments Σ_i m_i c_ik: the potential energy is g Σ_k moment_k cos θ_k.
constexpr double moment(int k) {
    double sum = 0.0;
    for (int i = 0; i < mass_count; ++i) sum += mass[static_cast<std::size_t>(i)] * c[i][k];
    return sum;
}

/// D(q) with D_kl = A_kl cos(θ_k - θ_l), solved by eliminating θ2 and θ3, which do not touch each other.
struct MassMatrix {
    double D12, D13, pivot;
    explicit MassMatrix(const State& x) : D12(A12 * std::cos(x[0] - x[1])), D13(A13 * std::cos(x[0] - x[2])) {
        pivot = A11 - D12 * D12 / A22 - D13 * D13 / A33;
    }
    Vector3 solve(const Vector3& b) const {
        const double first = (b[0] - D12 * b[1] / A22 - D13 * b[2] / A33) / pivot;
        return {first, (b[1] - D12 * first) / A22, (b[2] - D13 * first) / A33};
    }
};

/// -C(q, q̇) q̇ - G(q).
Vector3 free_forces(const State& x) {
    const double s12 = A12 * std::sin(x[0] - x[1]), s13 = A13 * std::sin(x[0] - x[2]);
    const double w1 = x[3] * x[3], w2 = x[4] * x[4], w3 = x[5] * x[5];
    return {-s12 * w2 - s13 * w3 + gravity * moment(0) * std::sin(x[0]),
            s12 * w1 + gravity * moment(1) * std::sin(x[1]), s13 * w1 + gravity * moment(2) * std::sin(x[2])};
}

/// A cubic with its first two derivatives.
struct Cubic {
    double value, first, second;
    Cubic(const std::array<double, 4>& k, double t)
        : value(k[0] + t * (k[1] + t * (k[2] + t * k[3]))),
          first(k[1] + t * (2.0 * k[2] + 3.0 * t * k[3])),
          second(2.0 * k[2] + 6.0 * t * k[3]) {}
};

/// The two outputs the controller drives to zero:  ḣ = slope θ̇1 + θ̇_other,  ḧ = slope θ̈1 + θ̈_other + curvature θ̇1².
struct Output {
    double h, slope, curvature;
};

Output torso_output(const Gait& gait, const State& x) {
    const Cubic a(gait.a, x[0]);
    return {x[2] - a.value, -a.first, -a.second};
}

Output swing_output(const Gait& gait, const State& x) {
    const Cubic b(gait.b, x[0]);
    const double w = x[0] * x[0] - switching_angle * switching_angle;
    return {x[1] + x[0] - b.value * w, 1.0 - b.first * w - 2.0 * x[0] * b.value,
            -(b.second * w + 4.0 * x[0] * b.first + 2.0 * b.value)};
}

double signed_power(double value, double exponent) {
    return std::copysign(std::pow(std::abs(value), exponent), value);
}

/// Finite-time feedback for a double integrator [Bernstein1998] with α = 0.9, time scale ε = 0.1.
double feedback(double h, double rate) {
    constexpr double alpha = 0.9, epsilon = 0.1;
    const double w = epsilon * rate;
    const double phi = h + signed_power(w, 2.0 - alpha) / (2.0 - alpha);
    return (-signed_power(w, alpha) - signed_power(phi, alpha / (2.0 - alpha))) / (epsilon * epsilon);
}

}  // namespace

void derivative(const Gait& gait, const State& x, State& dxdt) {
    const MassMatrix D(x);
    const Vector3 f = D.solve(free_forces(x));
    // Torques act between torso and stance leg, and between torso and swing leg.
    const Vector3 g1 = D.solve({-1.0, 0.0, 1.0}), g2 = D.solve({0.0, -1.0, 1.0});
    const Output y1 = torso_output(gait, x), y2 = swing_output(gait, x);
    const double v1 = feedback(y1.h, y1.slope * x[3] + x[5]), v2 = feedback(y2.h, y2.slope * x[3] + x[4]);
    // ḧ = v:  [(∂h/∂q) g] u = v - (∂h/∂q) f - curvature θ̇1², by Cramer's rule.
    const double r1 = v1 - (y1.slope * f[0] + f[2]) - y1.curvature * x[3] * x[3];
    const double r2 = v2 - (y2.slope * f[0] + f[1]) - y2.curvature * x[3] * x[3];
    const double m11 = y1.slope * g1[0] + g1[2], m12 = y1.slope * g2[0] + g2[2];
    const double m21 = y2.slope * g1[0] + g1[1], m22 = y2.slope * g2[0] + g2[1];
    const double determinant = m11 * m22 - m12 * m21;
    const double u1 = (r1 * m22 - m12 * r2) / determinant, u2 = (m11 * r2 - r1 * m21) / determinant;
    for (std::size_t k = 0; k < 3; ++k) {
        dxdt[k] = x[k + 3];
        dxdt[k + 3] = f[k] + g1[k] * u1 + g2[k] * u2;
    }
}

State impact(const State& x) {
    // Coordinates (θ1, θ2, θ3, z_x, z_y): the stance foot may leave the ground. Mass i moves with Jacobian
    // (c_i1 e1, c_i2 e2, c_i3 e3, I), e_k = (cos θ_k, -sin θ_k). E is that of the swing foot, which must stop:
    //     De (q̇⁺ - q̇⁻) = Eᵀ F,   E q̇⁺ = 0.
    const auto jacobian = [&x](double c1, double c2, double c3) {
        Eigen::Matrix<double, 2, 5> J;
        J << c1 * std::cos(x[0]), c2 * std::cos(x[1]), c3 * std::cos(x[2]), 1, 0,  //
            -c1 * std::sin(x[0]), -c2 * std::sin(x[1]), -c3 * std::sin(x[2]), 0, 1;
        return J;
    };
    Eigen::Matrix<double, 7, 7> system = Eigen::Matrix<double, 7, 7>::Zero();
    for (int i = 0; i < mass_count; ++i) {
        const auto J = jacobian(c[i][0], c[i][1], c[i][2]);
        system.topLeftCorner<5, 5>() += mass[static_cast<std::size_t>(i)] * J.transpose() * J;
    }
    const Eigen::Matrix<double, 5, 1> before{x[3], x[4], x[5], 0.0, 0.0};
    Eigen::Matrix<double, 7, 1> right = Eigen::Matrix<double, 7, 1>::Zero();
    right.head<5>() = system.topLeftCorner<5, 5>() * before;
    const auto E = jacobian(leg, -leg, 0.0);
    system.topRightCorner<5, 2>() = -E.transpose();
    system.bottomLeftCorner<2, 5>() = E;
    const Eigen::Matrix<double, 7, 1> after = system.partialPivLu().solve(right);
    return {x[1], x[0], x[2], after[1], after[0], after[2]};
}

State start(const Gait& gait, double speed) {
    constexpr double t = switching_angle;
    const Cubic a(gait.a, t), b(gait.b, t);
    return impact({t, -t, a.value, speed, (-1.0 + 2.0 * t * b.value) * speed, a.first * speed});
}

double step_length(const State& x) {
    return leg * (std::sin(x[0]) - std::sin(x[1]));
}

}  // namespace summand::problems::walker
