// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace summand::problems {

/// Dormand-Prince 5(4) with the step control of MATLAB's ode45 [Shampine1997]: what it accepts and how it grows and
/// shrinks steps shows in results that are sums over the integrator's own steps. The step and its dense output are
/// Boost.odeint's. Included by one .cpp only, to keep Boost out of the others.
template <class State, class System>
class Ode45 {
  public:
    struct Tolerance {
        double relative = 1e-5;
        double absolute = 1e-6;
        bool accept_nan = false;  ///< MATLAB: an error estimate that is not a number is not larger than the tolerance
    };

    Ode45(System system, const Tolerance& tolerance, double time, const State& x, double end)
        : system_(std::move(system)), tolerance_(tolerance), time_(time), end_(end), x_(x) {
        system_(x_, dxdt_, time_);
        longest_ = 0.1 * (end_ - time_);
        // First step: |h ẋ| is a fifth root of the tolerance relative to x.
        double rate = 0.0;
        for (std::size_t i = 0; i < x_.size(); ++i)
            rate = std::max(rate, std::abs(dxdt_[i]) / std::max(std::abs(x_[i]), threshold()));
        rate /= 0.8 * std::pow(tolerance_.relative, 0.2);
        step_ = std::max(shortest(), longest_ * rate > 1.0 ? 1.0 / rate : longest_);
    }

    /// One step, never beyond the end. False if the tolerance cannot be met by steps above 16 ulp of the time.
    bool advance() {
        double h = std::clamp(step_, shortest(), std::max(longest_, shortest()));
        if (1.1 * h >= end_ - time_) h = end_ - time_;
        bool failed = false;
        while (true) {
            stepper_.do_step(std::ref(system_), x_, dxdt_, time_, next_, next_dxdt_, h, error_);
            const double error = relative_error();
            if (tolerance_.accept_nan ? !(error > tolerance_.relative) : error <= tolerance_.relative) {
                accept(h, error, failed);
                return true;
            }
            if (h <= shortest()) return false;
            const double factor = failed || !(error < std::numeric_limits<double>::infinity())
                                      ? 0.5
                                      : std::max(0.1, 0.8 * std::pow(tolerance_.relative / error, 0.2));
            h = std::max(shortest(), h * factor);
            failed = true;
        }
    }

    bool finished() const { return time_ >= end_; }
    double time() const { return time_; }
    double previous_time() const { return previous_time_; }
    const State& state() const { return x_; }
    const State& previous_state() const { return previous_; }

    /// The state within the last step, by the fourth-order interpolant.
    State at(double time) const {
        State x;
        stepper_.calc_state(time, x, previous_, previous_dxdt_, previous_time_, x_, dxdt_, time_);
        return x;
    }

  private:
    double threshold() const { return tolerance_.absolute / tolerance_.relative; }
    double shortest() const { return 16.0 * (std::nextafter(time_, std::numeric_limits<double>::infinity()) - time_); }
    /// max_i |error_i| / max(|x_i|, |x_i,new|, absolute / relative); not a number if any is not.
    double relative_error() const {
        double largest = 0.0;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const double scale = std::max({std::abs(x_[i]), std::abs(next_[i]), threshold()});
            const double error = std::abs(error_[i]) / scale;
            if (std::isnan(error) || std::isnan(next_[i])) return std::numeric_limits<double>::quiet_NaN();
            largest = std::max(largest, error);
        }
        return largest;
    }
    void accept(double h, double error, bool failed) {
        step_ = h;
        if (!failed) {
            const double shrink = 1.25 * std::pow(error / tolerance_.relative, 0.2);
            step_ = shrink > 0.2 ? h / shrink : 5.0 * h;
        }
        previous_time_ = time_;
        previous_ = x_;
        previous_dxdt_ = dxdt_;
        time_ = end_ - time_ == h ? end_ : time_ + h;
        x_ = next_;
        dxdt_ = next_dxdt_;
    }

    System system_;
    Tolerance tolerance_;
    double time_, end_, step_ = 0.0, longest_ = 0.0, previous_time_ = 0.0;
    State x_, dxdt_ = {}, previous_ = {}, previous_dxdt_ = {}, next_ = {}, next_dxdt_ = {}, error_ = {};
    boost::numeric::odeint::runge_kutta_dopri5<State> stepper_;
};

}  // namespace summand::problems
