// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/idle_step.hpp"

#include "summand/base/kth_smallest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace summand::optimizer {
namespace {

/// min |A s - b|² + ridge |s|² over s >= 0, by coordinate descent. The ridge shares blame out evenly where rows cannot tell.
Vector nonnegative_least_squares(const Matrix& A, const Vector& b, double ridge) {
    constexpr int rounds = 200;
    Matrix gram = A.transpose() * A;
    gram.diagonal().array() += ridge;
    const Vector right = A.transpose() * b;
    Vector s = Vector::Zero(A.cols());
    for (int round = 0; round < rounds; ++round)
        for (Index j = 0; j < s.size(); ++j) s[j] = std::max(0.0, s[j] + (right[j] - gram.col(j).dot(s)) / gram(j, j));
    return s;
}

}  // namespace

std::vector<Index> idle_parameters(const Matrix& X, const Vector& y, Index centre, Rng& rng) {
    constexpr double far = 0.2, sameness = 0.05, ridge = 10.0, affordable_loss = 0.1;
    const double scale = y[centre] - kth_smallest(y, y.size() / 2);
    if (!(scale > 0)) return {};
    Matrix moved = ((X.rowwise() - X.row(centre)).cwiseAbs() / far).cwiseMin(1.0);
    Vector loss = ((y[centre] - y.array()) / scale).cwiseMax(0.0).cwiseMin(1.0);
    for (Index i = 0; i < y.size(); ++i) {
        const double weight = std::sqrt(rng.exponential()) / (sameness + loss[i]);
        moved.row(i) *= weight;
        loss[i] *= weight;
    }
    const Vector s = nonnegative_least_squares(moved, loss, ridge);

    std::vector<Index> parameters(static_cast<std::size_t>(X.cols()));
    std::iota(parameters.begin(), parameters.end(), Index{0});
    std::stable_sort(parameters.begin(), parameters.end(), [&](Index a, Index b) { return s[a] < s[b]; });
    double expected_loss = 0.0;
    const auto first_busy = std::find_if(parameters.begin(), parameters.end(),
                                         [&](Index j) { return (expected_loss += s[j]) > affordable_loss; });
    parameters.erase(first_busy, parameters.end());
    std::sort(parameters.begin(), parameters.end());
    return parameters;
}

Vector redrawn(const Domain& domain, const Vector& centre, const std::vector<Index>& parameters, Rng& rng) {
    const Vector elsewhere = domain.random(rng);
    Vector point = centre;
    for (const Index j : parameters) point[j] = elsewhere[j];
    return point;
}

}  // namespace summand::optimizer
