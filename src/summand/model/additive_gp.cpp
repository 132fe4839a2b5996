// SPDX-License-Identifier: Apache-2.0
#include "summand/model/additive_gp.hpp"

#include "summand/base/error.hpp"
#include "summand/model/additive_gp_state.hpp"
#include "summand/model/value_limits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace summand {
namespace {

std::string number(double value) {  // in as few digits as tell it apart
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

void check_data(const Matrix& X, const Vector& y, const Partition& partition, const std::vector<bool>& unordered) {
    if (X.rows() != y.size() || X.cols() != partition.dimension())
        throw InvalidArgument("AdditiveGp: X is " + std::to_string(X.rows()) + " x " + std::to_string(X.cols()) +
                              " with " + std::to_string(y.size()) + " values and a partition of " +
                              std::to_string(partition.dimension()) +
                              " parameters; X needs one row a value and one column a parameter");
    if (X.cols() < 1)
        throw InvalidArgument("AdditiveGp: " + std::to_string(X.rows()) +
                              " points of 0 parameters were given; at least 1 parameter is needed");
    if (!unordered.empty() && static_cast<Index>(unordered.size()) != X.cols())
        throw InvalidArgument("AdditiveGp: `unordered` has " + std::to_string(unordered.size()) + " entries for " +
                              std::to_string(X.cols()) + " parameters; give one a parameter, or none at all");
    for (Index i = 0; i < X.rows(); ++i) {
        if (!std::isfinite(y[i]))
            throw InvalidArgument("AdditiveGp: value " + std::to_string(i) + " is " + std::to_string(y[i]) +
                                  "; values must be finite (leave failed evaluations out, or give them a penalty)");
        if (std::abs(y[i]) > largest_value)
            throw InvalidArgument("AdditiveGp: value " + std::to_string(i) + " is " + number(y[i]) +
                                  "; variances are in squared units of the values, so values must lie within 1e150 of "
                                  "0: divide them by a constant, or leave out one that is wrong");
        for (Index j = 0; j < X.cols(); ++j)
            if (!std::isfinite(X(i, j)))
                throw InvalidArgument("AdditiveGp: coordinate " + std::to_string(j) + " of point " + std::to_string(i) +
                                      " is " + std::to_string(X(i, j)) + "; coordinates must be finite");
    }
}

double standard_deviation(const Vector& y) {
    if (y.size() < 2) return 1.0;
    const double deviation = std::sqrt((y.array() - y.mean()).square().mean());
    return deviation > smallest_deviation ? deviation : 1.0;
}

bool has_duplicates(const Matrix& X) {
    std::vector<Index> order(static_cast<std::size_t>(X.rows()));
    std::iota(order.begin(), order.end(), Index{0});
    const auto before = [&](Index a, Index b) {
        for (Index j = 0; j < X.cols(); ++j)
            if (X(a, j) != X(b, j)) return X(a, j) < X(b, j);
        return false;
    };
    std::sort(order.begin(), order.end(), before);
    return std::adjacent_find(order.begin(), order.end(), [&](Index a, Index b) { return !before(a, b); }) !=
           order.end();
}

// Why a covariance may be indefinite even with jitter, most likely cause first.
std::string likely_cause(const Matrix& X, const Hyperparameters& hyperparameters) {
    const Vector& lengthscale = hyperparameters.lengthscale;
    std::string cause;
    if (has_duplicates(X)) cause += " some points are exact duplicates;";
    if (lengthscale.size() > 0 && lengthscale.maxCoeff() > 100)
        cause += " the longest lengthscale is " + number(lengthscale.maxCoeff()) +
                 ", so points look alike in that parameter (keep lengthscales below 100 in the unit cube);";
    if (lengthscale.size() > 0 && lengthscale.minCoeff() < 1e-100)
        cause += " the shortest lengthscale is " + number(lengthscale.minCoeff()) +
                 ", so distances overflow (keep lengthscales above 1e-6 in the unit cube);";
    return cause + " the noise variance is " + number(hyperparameters.noise_variance / hyperparameters.variance.sum()) +
           " of the signal's (raise it above 1e-6 of it)";
}

}  // namespace

double AdditiveGp::State::diagonal() const {
    return (hyperparameters.variance.sum() + hyperparameters.noise_variance) / (unit * unit) + jitter;
}

void AdditiveGp::State::factorise() {
    const auto assemble = [this](Matrix& K) {
        sum_gram(family, partition, hyperparameters.variance / (unit * unit), inputs,
                 hyperparameters.noise_variance / (unit * unit), K);
    };
    auto result = factor_with_jitter(size(), assemble);
    if (!result)
        throw NumericalError("AdditiveGp: the covariance of " + std::to_string(size()) +
                             " points is not positive definite even with 1e-5 of its diagonal added; likely cause:" +
                             likely_cause(X, hyperparameters));
    factor = std::move(result->factor);
    jitter = result->jitter;
    whitened = factor.forward((y.array() - hyperparameters.mean).matrix() / unit);
    weights = std::make_shared<Alpha>();
}

void AdditiveGp::Alpha::compute(const State& state) const {
    std::call_once(once_, [&] {
        inner_ = state.factor.backward(state.whitened);
        user_ = inner_ / state.unit;
    });
}

const Vector& AdditiveGp::Alpha::inner(const State& state) const {
    compute(state);
    return inner_;
}

const Vector& AdditiveGp::Alpha::user(const State& state) const {
    compute(state);
    return user_;
}

void AdditiveGp::Alpha::set(const State& state, Vector inner) {
    std::call_once(once_, [&] {
        inner_ = std::move(inner);
        user_ = inner_ / state.unit;
    });
}

void AdditiveGp::State::group_column(Index m, const Vector& scaled, double* column) const {
    write_kernel(family, group_variance(m), inputs, partition.group(m), 0, size(), scaled.data(), column);
}

Vector AdditiveGp::State::sum_column(const Vector& scaled, Index row) const {
    const Index count = size() - row;
    Vector total = Vector::Zero(count);
    for (Index m = 0; m < partition.group_count(); ++m)
        add_kernel(family, group_variance(m), inputs, partition.group(m), row, count, scaled.data(), total.data());
    return total;
}

Vector AdditiveGp::State::scaled_point(const Vector& x) const {
    Vector scaled = x;
    for (Index j = 0; j < x.size(); ++j)
        if (inputs.mismatch[j] == 0) scaled[j] /= hyperparameters.lengthscale[j];
    return scaled;
}

Vector AdditiveGp::State::scaled_group_point(Index m, const Vector& z) const {
    Vector x = Vector::Zero(X.cols());
    for (std::size_t i = 0; i < partition.group(m).size(); ++i) x[partition.group(m)[i]] = z[static_cast<Index>(i)];
    return scaled_point(x);
}

AdditiveGp::AdditiveGp(KernelFamily family, Partition partition, Hyperparameters hyperparameters, Matrix X, Vector y,
                       std::vector<bool> unordered)
    : state_(std::make_shared<State>()) {
    check_data(X, y, partition, unordered);
    check_hyperparameters(hyperparameters, partition, "AdditiveGp");
    State& s = *state_;
    s.family = family;
    s.partition = std::move(partition);
    s.hyperparameters = std::move(hyperparameters);
    s.unordered = std::move(unordered);
    s.X = std::move(X);
    s.y = std::move(y);
    s.unit = standard_deviation(s.y);
    s.inputs = scale_inputs(s.X, s.hyperparameters.lengthscale, s.unordered);
    s.factorise();
}

void AdditiveGp::State::add_row(const Vector& x, const Vector& scaled, double value) {
    const Index n = size();
    X.conservativeResize(n + 1, Eigen::NoChange);
    X.row(n) = x.transpose();
    y.conservativeResize(n + 1);
    y[n] = value;
    inputs.U.conservativeResize(n + 1, Eigen::NoChange);
    inputs.U.row(n) = scaled.transpose();
    inputs.points.conservativeResize(Eigen::NoChange, n + 1);
    inputs.points.col(n) = scaled;
}

void AdditiveGp::append(const Vector& x, double y) {
    check_data(x.transpose(), Vector::Constant(1, y), state_->partition, state_->unordered);
    if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
    State& s = *state_;
    const Index n = s.size();
    const Vector scaled = s.scaled_point(x);
    if (!s.factor.try_append(s.sum_column(scaled), s.diagonal())) {
        auto anew = std::make_shared<State>(s);  // factoring anew may throw: nothing has changed then
        anew->add_row(x, scaled, y);
        anew->factorise();
        state_ = std::move(anew);
        return;
    }
    s.add_row(x, scaled, y);
    // The last row of L w = y - mean.
    const double known = s.factor.last_row_dot(s.whitened);
    s.whitened.conservativeResize(n + 1);
    s.whitened[n] = ((y - s.hyperparameters.mean) / s.unit - known) / s.factor.diagonal(n);
    s.weights = std::make_shared<Alpha>();
}

AdditiveGp AdditiveGp::with_pending(const Matrix& points) const {
    if (points.rows() == 0) return *this;
    const Vector predicted = sum_marginals(points).mean;
    check_data(points, predicted, state_->partition, state_->unordered);
    AdditiveGp result = *this;
    result.state_ = std::make_shared<State>(*state_);
    State& s = *result.state_;
    const Index n = s.size(), k = points.rows();
    s.X.conservativeResize(n + k, Eigen::NoChange);
    s.X.bottomRows(k) = points;
    s.y.conservativeResize(n + k);
    s.y.tail(k) = predicted;
    s.inputs = scale_inputs(s.X, s.hyperparameters.lengthscale, s.unordered);

    Matrix B(k, n), C(k, k);
    for (Index i = 0; i < k; ++i) {
        const Vector column = s.sum_column(s.inputs.U.row(n + i));
        B.row(i) = column.head(n).transpose();
        C.col(i) = column.tail(k);
        C(i, i) = s.diagonal();
    }
    if (!s.factor.try_append(B, C)) {
        s.factorise();
        return result;
    }
    // A value equal to its prediction has no weight: α gains zeros, so every mean stays as it was, bit for bit.
    Vector padded = Vector::Zero(n + k);
    padded.head(n) = state_->alpha();
    s.weights = std::make_shared<Alpha>();
    s.weights->set(s, std::move(padded));
    s.whitened = s.factor.forward((s.y.array() - s.hyperparameters.mean).matrix() / s.unit);
    return result;
}

Index AdditiveGp::size() const {
    return state_->size();
}
Index AdditiveGp::dimension() const {
    return state_->X.cols();
}
const Partition& AdditiveGp::partition() const {
    return state_->partition;
}
const Hyperparameters& AdditiveGp::hyperparameters() const {
    return state_->hyperparameters;
}
KernelFamily AdditiveGp::family() const {
    return state_->family;
}
const std::vector<bool>& AdditiveGp::unordered() const {
    return state_->unordered;
}
const Matrix& AdditiveGp::inputs() const {
    return state_->X;
}
const Vector& AdditiveGp::values() const {
    return state_->y;
}
double AdditiveGp::jitter() const {
    return state_->jitter * state_->unit * state_->unit;
}
const Vector& AdditiveGp::alpha() const {
    return state_->weights->user(*state_);
}

double AdditiveGp::log_marginal_likelihood() const {
    const State& s = *state_;
    const auto n = static_cast<double>(s.size());
    // -½ (yᵀK⁻¹y + log det K + n log 2π); det K carries unit^2n.
    return -0.5 * (s.whitened.squaredNorm() + s.factor.log_determinant() + n * std::log(2 * std::numbers::pi)) -
           n * std::log(s.unit);
}

Matrix AdditiveGp::solve(const Matrix& B) const {
    return state_->factor.solve(B) / (state_->unit * state_->unit);
}

}  // namespace summand
