// SPDX-License-Identifier: Apache-2.0
#include "problems/lasso.hpp"

#include "problems/parameters.hpp"
#include "summand/base/error.hpp"

#include <cmath>

namespace summand::problems {
namespace {

constexpr double correlation = 0.6;  ///< of neighbouring features
constexpr double signal_to_noise = 10.0;

/// Rows are autoregressive: X_{j+1} = ρ X_j + √(1 - ρ²) ε, so that features i and j correlate as ρ^|i-j|.
Matrix correlated_features(Index samples, Index dimension, Rng rng) {
    Matrix X(samples, dimension);
    for (Index j = 0; j < dimension; ++j)
        for (Index i = 0; i < samples; ++i)
            X(i, j) = j == 0 ? rng.normal()
                             : correlation * X(i, j - 1) + std::sqrt(1.0 - correlation * correlation) * rng.normal();
    return X;
}

/// +1, -1, +1, ... at D/20 equally spaced features.
Vector true_coefficients(Index dimension) {
    Vector w = Vector::Zero(dimension);
    const Index support = dimension / 20;
    for (Index k = 0; k < support; ++k) w[k * (dimension / support)] = k % 2 == 0 ? 1.0 : -1.0;
    return w;
}

double soft_threshold(double value, double threshold) {
    return std::copysign(std::max(std::abs(value) - threshold, 0.0), value);
}

/// One pass over the features; the largest change of a coefficient. Keeps residual = y - X w.
double descend(const Matrix& X, const Vector& penalty, const Vector& squares, Vector& w, Vector& residual,
               bool active_only) {
    const double n = static_cast<double>(X.rows());
    double largest = 0.0;
    for (Index j = 0; j < X.cols(); ++j) {
        if (active_only && w[j] == 0.0) continue;
        const double old = w[j];
        w[j] = soft_threshold(old * squares[j] + X.col(j).dot(residual) / n, penalty[j]) / squares[j];
        if (w[j] == old) continue;
        residual -= (w[j] - old) * X.col(j);
        largest = std::max(largest, std::abs(w[j] - old));
    }
    return largest;
}

/// The rows whose fold is, or is not, k.
std::vector<Index> rows(const LassoData& data, int k, bool in_fold) {
    std::vector<Index> chosen;
    for (std::size_t i = 0; i < data.fold.size(); ++i)
        if ((data.fold[i] == k) == in_fold) chosen.push_back(static_cast<Index>(i));
    return chosen;
}

double mean_square(const Vector& v) {
    return v.squaredNorm() / static_cast<double>(v.size());
}

double cross_validated_error(const LassoData& data, const Vector& penalty) {
    double sum = 0.0;
    for (int k = 0; k < lasso_folds; ++k) {
        const auto train = rows(data, k, false), held_out = rows(data, k, true);
        const Vector w = weighted_lasso(data.X(train, Eigen::all), data.y(train), penalty);
        sum += mean_square(data.y(held_out) - data.X(held_out, Eigen::all) * w);
    }
    return sum / lasso_folds;
}

}  // namespace

LassoData make_lasso_data(Index dimension, std::uint64_t seed) {
    const Rng rng = Rng::from_seed(seed).stream("problem/lasso");
    const Index samples = dimension / 2;
    LassoData data;
    const Matrix X = correlated_features(samples, dimension, rng.stream("features"));
    data.truth = true_coefficients(dimension);
    Rng noise_rng = rng.stream("noise");
    Vector noise(samples);
    for (double& v : noise) v = noise_rng.normal();
    const Vector signal = X * data.truth;
    const Vector y = signal + noise * (signal.norm() / (signal_to_noise * noise.norm()));
    // The first 85 % train (samples are exchangeable); the rest would be a test set, which the value does not use.
    const Index training = samples - static_cast<Index>(std::ceil(0.15 * static_cast<double>(samples)));
    data.X = X.topRows(training);
    data.y = y.head(training);
    for (Index i = 0; i < training; ++i) data.fold.push_back(static_cast<int>(i % lasso_folds));
    data.penalty_max = (data.X.transpose() * data.y).cwiseAbs().maxCoeff() / static_cast<double>(training);
    return data;
}

Vector weighted_lasso(const Matrix& X, const Vector& y, const Vector& penalty) {
    constexpr double tolerance = 1e-9;
    constexpr int max_passes = 10000;
    const Vector squares = X.colwise().squaredNorm().transpose() / static_cast<double>(X.rows());
    Vector w = Vector::Zero(X.cols()), residual = y;
    // Most coefficients stay at zero: settle the others first, then look at all again.
    for (int pass = 0; pass < max_passes && descend(X, penalty, squares, w, residual, false) > tolerance; ++pass)
        for (int inner = 0; inner < max_passes && descend(X, penalty, squares, w, residual, true) > tolerance;) ++inner;
    return w;
}

Problem make_lasso(const std::string& name, const Options& options) {
    const Index D = options.dimension.value();
    if (D < 40)
        throw InvalidArgument("problem \"" + name + "\": dimension " + std::to_string(D) +
                              " was given; it has D/20 features that matter and D/2 samples, so give at least 40");
    const auto data = std::make_shared<const LassoData>(make_lasso_data(D, options.seed));
    const double oracle = mean_square(data->y - data->X * data->truth);
    const auto function = [data, oracle](const Vector& x) {
        // x from -1 to 1: log-uniform from penalty_max / 100 to penalty_max.
        const Vector penalty = data->penalty_max * (std::log(10.0) * (x.array() - 1.0)).exp().matrix();
        return cross_validated_error(*data, penalty) / oracle;
    };
    return Problem(name, make_space(numbered(D, -1.0, 1.0), options), options, with_value_noise(function, options));
}

}  // namespace summand::problems
