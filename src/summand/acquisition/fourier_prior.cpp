// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/fourier_prior.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace summand {
namespace {

constexpr Index block = 256;

// cos 2πu and sin 2πu. With r = u - round(u) and h = πr in [-π/2, π/2]: cos 2h = 1 - 2 sin² h, sin 2h = 2 sin h cos h, and
// the Taylor series up to h²² leave 1e-18. Straight-line code, so the compiler makes it vector instructions: five times as
// fast as the library's cos and sin.
void turn(Index count, const double* u, double* cosine, double* sine) {
    constexpr double to_integer = 0x1.8p52;  // adding and taking it away again rounds to the nearest integer
    for (Index i = 0; i < count; ++i) {
        const double h = std::numbers::pi * (u[i] - ((u[i] + to_integer) - to_integer)), q = h * h;
        double s = 0.0, c = 0.0;
        for (int k = 22; k >= 2; k -= 2) {
            s = (1.0 + s) * (-q * (1.0 / static_cast<double>(k * (k + 1))));
            c = (1.0 + c) * (-q * (1.0 / static_cast<double>(k * (k - 1))));
        }
        s = h * (1.0 + s);
        c = 1.0 + c;
        cosine[i] = 1.0 - 2.0 * s * s;
        sine[i] = 2.0 * s * c;
    }
}

Matrix normals(Index rows, Index columns, Rng& rng) {
    Matrix result(rows, columns);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = rng.normal();
    return result;
}

}  // namespace

FourierPrior::FourierPrior(const AdditiveGp& gp, Index m, const Vector& scale, int frequencies, const Rng& rng)
    : amplitude_(std::sqrt(gp.hyperparameters().variance(m) / frequencies)),
      choices_(rng.stream("fourier/choices", {m})) {
    const auto& columns = gp.partition().group(m);
    const auto d = static_cast<Index>(columns.size());
    lengthscale_ = gp.hyperparameters().lengthscale(columns);
    for (const Index j : columns)
        unordered_.push_back(!gp.unordered().empty() && gp.unordered()[static_cast<std::size_t>(j)]);

    Rng spectrum = rng.stream("fourier/frequencies", {m});
    stretch_ = Vector::Ones(frequencies);
    if (gp.family() != KernelFamily::squared_exponential)
        for (double& stretch : stretch_) stretch = std::sqrt(5.0 / (2.0 * spectrum.gamma(2.5)));  // χ²₅ = 2 gamma(5/2)
    turns_ = normals(frequencies, d, spectrum);
    for (Index j = 0; j < d; ++j)
        turns_.col(j) *=
            unordered_[static_cast<std::size_t>(j)] ? 0.0 : 1.0 / (2.0 * std::numbers::pi * lengthscale_(j));
    turns_ = stretch_.asDiagonal() * turns_;

    for (std::size_t j = 0; j < unordered_.size(); ++j)
        if (unordered_[j])
            for (const double value : gp.inputs().col(columns[j]))
                known_choices_.try_emplace({j, value}, choice_turns(j, value));
    Rng weights = rng.stream("fourier/weights", {m});
    for (Matrix* const weight : {&a_, &b_}) {
        *weight = Matrix::Zero(frequencies, scale.size());
        for (Index b = 0; b < scale.size(); ++b)
            if (scale(b) != 0.0) weight->col(b) = scale(b) * normals(frequencies, 1, weights);
    }
}

Vector FourierPrior::choice_turns(std::size_t column, double value) const {
    const auto known = known_choices_.find({column, value});
    if (known != known_choices_.end()) return known->second;
    Rng rng = choices_.stream("value", {static_cast<std::int64_t>(column), std::bit_cast<std::int64_t>(value)});
    Vector turns(stretch_.size());
    const double scale =
        1.0 / (2.0 * std::numbers::pi * std::numbers::sqrt2 * lengthscale_(static_cast<Index>(column)));
    for (Index f = 0; f < turns.size(); ++f) turns(f) = stretch_(f) * scale * rng.normal();
    return turns;
}

void FourierPrior::features(const Matrix& Z, Matrix& cosine, Matrix& sine) const {
    Matrix phase = turns_ * Z.transpose();
    for (std::size_t j = 0; j < unordered_.size(); ++j)
        if (unordered_[j])
            for (Index i = 0; i < Z.rows(); ++i) phase.col(i) += choice_turns(j, Z(i, static_cast<Index>(j)));
    cosine.resize(phase.rows(), phase.cols());
    sine.resize(phase.rows(), phase.cols());
    turn(phase.size(), phase.data(), cosine.data(), sine.data());
}

Matrix FourierPrior::values(const Matrix& Z) const {
    Matrix result(Z.rows(), a_.cols()), cosine, sine;
    for (Index first = 0; first < Z.rows(); first += block) {
        const Index width = std::min(block, Z.rows() - first);
        features(Z.middleRows(first, width), cosine, sine);
        result.middleRows(first, width).noalias() = cosine.transpose() * a_;
        result.middleRows(first, width).noalias() += sine.transpose() * b_;
    }
    return amplitude_ * result;
}

void FourierPrior::add_gradients(const Matrix& Z, const std::vector<Index>& draws, Vector& value,
                                 Matrix& gradient) const {
    Matrix cosine, sine;
    features(Z, cosine, sine);
    for (Index i = 0; i < Z.rows(); ++i) {
        const auto a = a_.col(draws[static_cast<std::size_t>(i)]), b = b_.col(draws[static_cast<std::size_t>(i)]);
        value(i) += amplitude_ * (cosine.col(i).dot(a) + sine.col(i).dot(b));
        // d/dz of a cos 2πω·z + b sin 2πω·z = 2π ω (b cos - a sin)
        const Vector slope = cosine.col(i).cwiseProduct(b) - sine.col(i).cwiseProduct(a);
        gradient.row(i) += (2.0 * std::numbers::pi * amplitude_) * (slope.transpose() * turns_);
    }
}

}  // namespace summand
