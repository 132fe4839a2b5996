// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/climb.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace summand {
namespace {

constexpr double armijo = 1e-4;      // share of the promised gain that a step must bring [Nocedal2006, sec. 3.1]
constexpr double first_step = 0.05;  // longest coordinate of a start's first step, as a share of the box
constexpr double shortest_step = 1e-10;
constexpr int most_turns = 4;  // steps and listed columns in turn

// One start's way up: BFGS on the coordinates that are not held at a bound.
struct Climber {
    Vector z, gradient, direction;
    double value = 0.0, step = 1.0;
    Matrix H;  // approximate inverse of the negative Hessian
    bool fresh = true, done = false;
};

class Steps {
  public:
    Steps(const RowFunction& f, const Domain& domain, double tolerance)
        : f_(f), low_(domain.low()), high_(domain.high()), tolerance_(tolerance) {
        for (Index j = 0; j < domain.dimension(); ++j)
            if (domain.listed(j)) low_(j) = high_(j) = std::nan("");  // not moved here
        for (Index j = 0; j < low_.size(); ++j) movable_ = movable_ || low_(j) < high_(j);
    }

    bool can_move() const { return movable_; }

    void run(Matrix& points, Vector& values, int rounds) const {
        std::vector<Climber> climbers(static_cast<std::size_t>(points.rows()));
        std::vector<Index> all(climbers.size());
        std::iota(all.begin(), all.end(), 0);
        const ValueGradients start = f_.gradients(points, all);
        for (const Index i : all) begin(climbers[static_cast<std::size_t>(i)], points.row(i).transpose(), start, i);
        for (int round = 0; round < rounds; ++round) {
            std::vector<Index> active;
            for (const Index i : all)
                if (!climbers[static_cast<std::size_t>(i)].done) active.push_back(i);
            if (active.empty()) break;
            Matrix trials(static_cast<Index>(active.size()), points.cols());
            for (Index a = 0; a < trials.rows(); ++a) trials.row(a) = trial(climber(climbers, active, a)).transpose();
            const ValueGradients found = f_.gradients(trials, active);
            for (Index a = 0; a < trials.rows(); ++a)
                advance(climber(climbers, active, a), trials.row(a).transpose(), found.value(a),
                        found.gradient.row(a).transpose());
        }
        for (const Index i : all) {
            points.row(i) = climbers[static_cast<std::size_t>(i)].z.transpose();
            values(i) = climbers[static_cast<std::size_t>(i)].value;
        }
    }

  private:
    static Climber& climber(std::vector<Climber>& climbers, const std::vector<Index>& active, Index a) {
        return climbers[static_cast<std::size_t>(active[static_cast<std::size_t>(a)])];
    }

    void begin(Climber& c, const Vector& z, const ValueGradients& start, Index i) const {
        c.z = z;
        c.value = start.value(i);
        c.gradient = start.gradient.row(i).transpose();
        choose_direction(c);
    }

    Vector trial(const Climber& c) const {
        Vector z = c.z + c.step * c.direction;
        for (Index j = 0; j < z.size(); ++j) z(j) = low_(j) < high_(j) ? std::clamp(z(j), low_(j), high_(j)) : c.z(j);
        return z;
    }

    // H g on the free coordinates; a coordinate at a bound whose gradient points out of the box is held.
    void choose_direction(Climber& c) const {
        Vector g = c.gradient;
        for (Index j = 0; j < g.size(); ++j) {
            const bool free =
                low_(j) < high_(j) && !(c.z(j) <= low_(j) && g(j) < 0) && !(c.z(j) >= high_(j) && g(j) > 0);
            if (!free) g(j) = 0.0;
        }
        const double steepest = g.cwiseAbs().maxCoeff();
        if (!(steepest > 0) || !std::isfinite(steepest)) {
            c.done = true;
            return;
        }
        if (!c.fresh) {
            c.direction = (g.array() != 0).select(c.H * g, 0.0);
            if (!(c.direction.dot(g) > 0)) c.fresh = true;
        }
        if (c.fresh) {
            double width = 0.0;
            for (Index j = 0; j < g.size(); ++j)
                if (low_(j) < high_(j)) width = std::max(width, high_(j) - low_(j));
            c.direction = (first_step * width / steepest) * g;
        }
        c.step = 1.0;
    }

    void advance(Climber& c, const Vector& z, double value, const Vector& gradient) const {
        const Vector s = z - c.z;
        const double promised = c.gradient.dot(s), gain = value - c.value;
        if (!std::isfinite(value) || gain < armijo * promised) {
            if (s.cwiseAbs().maxCoeff() < shortest_step || std::abs(promised) < tolerance_) {
                c.done = true;
                return;
            }
            // The maximiser of the parabola through both values and the slope at the start, kept between 0.1 and 0.5.
            const double ratio = std::isfinite(value) ? 0.5 * promised / (promised - gain) : 0.1;
            c.step *= std::clamp(ratio, 0.1, 0.5);
            return;
        }
        update(c, s, c.gradient - gradient);
        c.z = z;
        c.value = value;
        c.gradient = gradient;
        if (gain < tolerance_)
            c.done = true;
        else
            choose_direction(c);
    }

    // H ← (I - ρ s yᵀ) H (I - ρ y sᵀ) + ρ s sᵀ,  ρ = 1 / sᵀy  [Nocedal2006, eq. 6.17], y the fall of the gradient.
    static void update(Climber& c, const Vector& s, const Vector& y) {
        const double sy = s.dot(y);
        if (!(sy > 1e-12 * s.norm() * y.norm())) return;
        if (c.fresh) c.H = (sy / y.squaredNorm()) * Matrix::Identity(s.size(), s.size());
        c.fresh = false;
        const Vector Hy = c.H * y;
        c.H += ((1.0 + y.dot(Hy) / sy) / sy) * s * s.transpose() - (Hy * s.transpose() + s * Hy.transpose()) / sy;
    }

    const RowFunction& f_;
    Vector low_, high_;
    double tolerance_;
    bool movable_ = false;
};

// The values of a listed column worth trying from `now`.
std::vector<double> worth_trying(const Column& column, double now) {
    if (column.kind == Column::Kind::unordered || column.values.size() <= 64) return column.values;
    const auto here = std::lower_bound(column.values.begin(), column.values.end(), now) - column.values.begin();
    const auto size = static_cast<std::ptrdiff_t>(column.values.size());
    std::vector<double> values;
    for (std::ptrdiff_t step = 1; step < size; step += step < 8 ? 1 : step / 2)
        for (const std::ptrdiff_t k : {here - step, here + step})
            if (k >= 0 && k < size) values.push_back(column.values[static_cast<std::size_t>(k)]);
    return values;
}

// Every start takes the best value of column j, the others as they are. Returns whether one changed.
bool search_column(const RowFunction& f, const Domain& domain, Index j, Matrix& points, Vector& values) {
    std::vector<Index> owner;
    std::vector<double> tried;
    for (Index i = 0; i < points.rows(); ++i)
        for (const double value : worth_trying(domain.column(j), points(i, j))) {
            owner.push_back(i);
            tried.push_back(value);
        }
    Matrix trials = points(owner, Eigen::all);
    for (Index t = 0; t < trials.rows(); ++t) trials(t, j) = tried[static_cast<std::size_t>(t)];
    const Vector found = f.values(trials, owner);
    bool changed = false;
    for (Index t = 0; t < trials.rows(); ++t) {
        const Index i = owner[static_cast<std::size_t>(t)];
        // Rounding must not make two equal points swap places for ever.
        if (found(t) > values(i) + 1e-12 * std::abs(values(i)) && trials(t, j) != points(i, j)) {
            points(i, j) = trials(t, j);
            values(i) = found(t);
            changed = true;
        }
    }
    return changed;
}

// Columns that were searched as continuous but are not: to the nearest allowed value.
void snap(const RowFunction& f, const Domain& domain, Climbed& result) {
    bool moved = false;
    for (Index i = 0; i < result.points.rows(); ++i) {
        const Vector inside = domain.snap(result.points.row(i).transpose());
        moved = moved || inside != result.points.row(i).transpose();
        result.points.row(i) = inside.transpose();
    }
    if (!moved) return;
    std::vector<Index> all(static_cast<std::size_t>(result.points.rows()));
    std::iota(all.begin(), all.end(), 0);
    result.values = f.values(result.points, all);
}

}  // namespace

RowFunction row_function(const Surface& surface) {
    return {[&surface](const Matrix& Z, const std::vector<Index>&) { return surface.values(Z); },
            [&surface](const Matrix& Z, const std::vector<Index>&) { return surface.gradients(Z); }};
}

Climbed climb(const RowFunction& f, const Domain& domain, const Matrix& starts, int rounds, double tolerance) {
    std::vector<Index> all(static_cast<std::size_t>(starts.rows()));
    std::iota(all.begin(), all.end(), 0);
    const Steps steps(f, domain, tolerance);
    Climbed result{starts, Vector(starts.rows())};
    if (!steps.can_move()) result.values = f.values(starts, all);
    for (int turn = 0; turn < most_turns; ++turn) {
        if (steps.can_move()) steps.run(result.points, result.values, rounds);
        bool changed = false;
        for (Index j = 0; j < domain.dimension(); ++j)
            if (domain.listed(j)) changed = search_column(f, domain, j, result.points, result.values) || changed;
        if (!changed) break;
    }
    snap(f, domain, result);
    return result;
}

}  // namespace summand
