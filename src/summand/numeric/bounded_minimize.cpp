// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/bounded_minimize.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// Where the search stands.
struct Place {
    Vector x = {}, gradient = {};
    double value = 0.0;
    bool usable() const { return std::isfinite(value) && gradient.allFinite(); }
};

class Descent {
  public:
    Descent(const DifferentiableFunction& f, const Box& box, const MinimizeOptions& options)
        : f_(f), box_(box), options_(options) {}

    MinimizeResult from(const Vector& x0) {
        at_ = evaluate(box_.clip(x0));
        bool converged = false;
        if (at_.usable())
            while (!converged) {
                converged = stationary();
                if (converged) break;
                const auto next = backtrack(direction());
                if (!next) break;
                converged = next->x == at_.x ||
                            at_.value - next->value <= options_.value_tolerance * std::max(1.0, std::abs(next->value));
                remember(*next);
                at_ = *next;
            }
        return {at_.x, at_.value, evaluations_, converged};
    }

  private:
    Place evaluate(Vector x) {
        Place place{std::move(x), Vector::Zero(box_.low.size())};
        place.value = f_(place.x, place.gradient);
        ++evaluations_;
        return place;
    }

    bool stationary() const {
        return at_.x.size() == 0 ||
               (box_.clip(at_.x - at_.gradient) - at_.x).cwiseAbs().maxCoeff() <= options_.gradient_tolerance;
    }

    Vector direction() {
        const Vector mask = box_.free(at_.x, at_.gradient);
        Vector newton = -apply_inverse_hessian(memory_, mask, at_.gradient);
        if (newton.dot(at_.gradient) < 0 && newton.allFinite()) return newton;
        memory_.clear();  // rounding has spoilt the curvature
        return -at_.gradient.cwiseProduct(mask);
    }

    // The first point on the projected path that meets Armijo's condition f(x') <= f(x) + 1e-4 gᵀ(x' - x); the place
    // itself if the step has shrunk to nothing, so that no descent is left in double precision; empty without budget.
    std::optional<Place> backtrack(const Vector& direction) {
        double scale = memory_.empty() ? first_scale(direction, box_, options_.first_step) : 1.0;
        while (true) {
            Vector x = box_.clip(at_.x + scale * direction);
            if (x == at_.x) return at_;
            if (evaluations_ >= options_.max_evaluations) return {};
            Place trial = evaluate(std::move(x));
            const double slope = at_.gradient.dot(trial.x - at_.x);
            if (trial.usable() && trial.value <= at_.value + 1e-4 * slope) return trial;
            scale = shorter(scale, at_.value, slope,
                            trial.usable() ? trial.value : std::numeric_limits<double>::infinity());
        }
    }

    void remember(const Place& next) {
        Pair pair{next.x - at_.x, next.gradient - at_.gradient};
        // Negative curvature: nothing for a convex model to learn.
        if (pair.step.dot(pair.change) <= 1e-12 * pair.change.squaredNorm()) return;
        memory_.push_back(std::move(pair));
        if (static_cast<int>(memory_.size()) > options_.memory) memory_.pop_front();
    }

    const DifferentiableFunction& f_;
    const Box box_;
    const MinimizeOptions& options_;
    Place at_ = {};
    std::deque<Pair> memory_ = {};
    int evaluations_ = 0;
};

}  // namespace

MinimizeResult minimize_bounded(const DifferentiableFunction& f, const Vector& x0, const Vector& low,
                                const Vector& high, const MinimizeOptions& options) {
    check(x0, low, high);
    return Descent(f, {low, high}, options).from(x0);
}

}  // namespace summand
