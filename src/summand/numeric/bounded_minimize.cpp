// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/bounded_minimize.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <string>

namespace summand {
namespace {

struct Box {
    const Vector& low;
    const Vector& high;
    Vector clip(const Vector& x) const { return x.cwiseMax(low).cwiseMin(high); }

    // 1 where a step against the gradient can move the coordinate, 0 where a bound holds it.
    Vector free(const Vector& x, const Vector& gradient) const {
        Vector mask = Vector::Ones(x.size());
        for (Index i = 0; i < x.size(); ++i)
            if ((x[i] <= low[i] && gradient[i] > 0) || (x[i] >= high[i] && gradient[i] < 0)) mask[i] = 0;
        return mask;
    }
};

struct Pair {
    Vector step, change;  // s = x' - x and the gradient's change y
};

// H g by the two-loop recursion [Nocedal2006, algorithm 7.4], all vectors restricted to the free coordinates, where a
// pair's curvature sᵀy may differ in sign from the full one: such pairs are passed over.
Vector apply_inverse_hessian(const std::deque<Pair>& memory, const Vector& mask, const Vector& gradient) {
    Vector q = gradient.cwiseProduct(mask);
    std::vector<double> share(memory.size(), 0.0), curvature(memory.size(), 0.0);
    double scale = 0.0;
    for (std::size_t k = memory.size(); k-- > 0;) {
        const Vector change = memory[k].change.cwiseProduct(mask);
        curvature[k] = memory[k].step.dot(change);
        const double length = change.squaredNorm();
        if (!(curvature[k] > 1e-12 * length) || length == 0) {
            curvature[k] = 0;
            continue;
        }
        if (scale == 0) scale = curvature[k] / length;
        share[k] = memory[k].step.dot(q) / curvature[k];
        q -= share[k] * change;
    }
    if (scale > 0) q *= scale;
    for (std::size_t k = 0; k < memory.size(); ++k) {
        if (curvature[k] == 0) continue;
        const double back = memory[k].change.cwiseProduct(mask).dot(q) / curvature[k];
        q += (share[k] - back) * memory[k].step.cwiseProduct(mask);
    }
    return q;
}

// The first step has no curvature to go by: its longest coordinate covers a share of its range (of 1 if unbounded).
double first_scale(const Vector& direction, const Box& box, double share) {
    double scale = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < direction.size(); ++i) {
        const double range = box.high[i] - box.low[i];
        if (direction[i] != 0)
            scale = std::min(scale, share * (std::isfinite(range) ? range : 1.0) / std::abs(direction[i]));
    }
    return std::isfinite(scale) ? scale : 1.0;
}

// The next trial of backtracking: the minimum of the parabola through f, the slope and the trial, kept within [0.1, 0.5].
double shorter(double scale, double value, double slope, double trial) {
    if (!std::isfinite(trial)) return 0.2 * scale;
    const double parabola = -slope / (2 * (trial - value - slope));
    return scale * (std::isfinite(parabola) ? std::clamp(parabola, 0.1, 0.5) : 0.5);
}

void check(const Vector& x0, const Vector& low, const Vector& high) {
    if (x0.size() != low.size() || x0.size() != high.size())
        throw InvalidArgument("minimize_bounded: start, low and high have " + std::to_string(x0.size()) + ", " +
                              std::to_string(low.size()) + " and " + std::to_string(high.size()) +
                              " coordinates; they must have the same number");
    for (Index i = 0; i < x0.size(); ++i)
        if (!(low[i] <= high[i]) || std::isnan(x0[i]))
            throw InvalidArgument("minimize_bounded: coordinate " + std::to_string(i) + " starts at " +
                                  std::to_string(x0[i]) + " in [" + std::to_string(low[i]) + ", " +
                                  std::to_string(high[i]) + "]; the start must be a number and low <= high");
}

}  // namespace

MinimizeResult minimize_bounded(const DifferentiableFunction& f, const Vector& x0, const Vector& low,
                                const Vector& high, const MinimizeOptions& options) {
    check(x0, low, high);
    const Box box{low, high};
    MinimizeResult result{.x = box.clip(x0), .evaluations = 1};
    Vector gradient = Vector::Zero(x0.size()), trial_gradient = gradient;
    result.value = f(result.x, gradient);
    if (!std::isfinite(result.value) || !gradient.allFinite()) return result;

    std::deque<Pair> memory;
    while (true) {
        if (x0.size() == 0 ||
            (box.clip(result.x - gradient) - result.x).cwiseAbs().maxCoeff() <= options.gradient_tolerance) {
            result.converged = true;
            return result;
        }
        const Vector mask = box.free(result.x, gradient);
        Vector direction = -apply_inverse_hessian(memory, mask, gradient);
        if (!(direction.dot(gradient) < 0) || !direction.allFinite()) {  // rounding has spoilt the curvature
            memory.clear();
            direction = -gradient.cwiseProduct(mask);
        }
        double scale = memory.empty() ? first_scale(direction, box, options.first_step) : 1.0;

        // Armijo's condition on the projected path: f(x') <= f(x) + 1e-4 gᵀ(x' - x).
        Vector trial;
        double value = 0;
        while (true) {
            if (result.evaluations >= options.max_evaluations) return result;
            trial = box.clip(result.x + scale * direction);
            if (trial == result.x) {  // the step has shrunk to nothing: no descent left in double precision
                result.converged = true;
                return result;
            }
            value = f(trial, trial_gradient);
            ++result.evaluations;
            const double slope = gradient.dot(trial - result.x);
            const bool usable = std::isfinite(value) && trial_gradient.allFinite();
            if (usable && value <= result.value + 1e-4 * slope) break;
            scale = shorter(scale, result.value, slope, usable ? value : std::numeric_limits<double>::infinity());
        }
        memory.push_back({trial - result.x, trial_gradient - gradient});
        if (memory.back().step.dot(memory.back().change) <= 1e-12 * memory.back().change.squaredNorm())
            memory.pop_back();  // negative curvature: nothing for a convex model to learn
        else if (static_cast<int>(memory.size()) > options.memory)
            memory.pop_front();
        const double gain = result.value - value;
        result.x = std::move(trial);
        result.value = value;
        gradient = trial_gradient;
        if (gain <= options.value_tolerance * std::max(1.0, std::abs(value))) {
            result.converged = true;
            return result;
        }
    }
}

}  // namespace summand
