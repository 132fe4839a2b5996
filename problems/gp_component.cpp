// SPDX-License-Identifier: Apache-2.0
#include "problems/additive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace summand::problems {
namespace {

/// Leaves out terms of variance below this share of the whole. See docs/problems/additive.md for the error that results.
constexpr double negligible = 1e-11;

/// How many leading bounds keep `product` times them above the threshold; bounds do not increase.
Index kept(const Vector& bound, double product) {
    const auto end =
        std::ranges::partition_point(bound, [product](double next) { return product * next >= negligible; });
    return static_cast<Index>(end - bound.begin());
}

}  // namespace

GpComponent::GpComponent(std::shared_ptr<const SeBasis> basis, Index size, double variance, Rng rng)
    : basis_(std::move(basis)), size_(size), stddev_(std::sqrt(variance)) {
    Index terms = 0;
    const std::function<void(Row, Index, double)> add_rows = [&](Row row, Index level, double product) {
        const Index count = kept(basis_->bound(), product);
        if (level + 1 == size_) {
            row.offset = terms;
            row.length = count;
            rows_.push_back(row);
            terms += count;
            return;
        }
        for (Index i = 0; i < count; ++i) {
            row.index[static_cast<std::size_t>(level)] = static_cast<std::int32_t>(i);
            add_rows(row, level + 1, product * basis_->bound()[i]);
        }
    };
    add_rows({}, 0, 1.0);
    coefficients_.resize(terms);
    for (double& coefficient : coefficients_) coefficient = stddev_ * rng.normal();
}

std::vector<Vector> GpComponent::basis_values(const Vector& x) const {
    std::vector<Vector> phi;
    for (const double coordinate : x) phi.push_back(basis_->values(coordinate));
    return phi;
}

/// Σ over rows of φ_{i_1} ... φ_{i_{g-1}} · term_sum(row).
template <class TermSum>
double GpComponent::sum_rows(const std::vector<Vector>& phi, const TermSum& term_sum) const {
    double sum = 0.0;
    for (const Row& row : rows_) {
        double weight = 1.0;
        for (std::size_t level = 0; level + 1 < phi.size(); ++level) weight *= phi[level][row.index[level]];
        sum += weight * term_sum(row);
    }
    return sum;
}

double GpComponent::value(const Vector& x) const {
    const std::vector<Vector> phi = basis_values(x);
    const Vector& last = phi.back();
    return sum_rows(
        phi, [&](const Row& row) { return coefficients_.segment(row.offset, row.length).dot(last.head(row.length)); });
}

double GpComponent::covariance(const Vector& x, const Vector& y) const {
    std::vector<Vector> phi = basis_values(x);
    const std::vector<Vector> psi = basis_values(y);
    for (std::size_t level = 0; level < phi.size(); ++level) phi[level] = phi[level].cwiseProduct(psi[level]);
    return stddev_ * stddev_ * sum_rows(phi, [&](const Row& row) { return phi.back().head(row.length).sum(); });
}

/// f on the product grid, the last coordinate running fastest.
Vector GpComponent::grid_values(Index points) const {
    const Index n = basis_->size();
    Matrix phi(points, n);
    for (Index p = 0; p < points; ++p)
        phi.row(p) = basis_->values(static_cast<double>(p) / static_cast<double>(points - 1)).transpose();
    // All coefficients as a dense array, the LAST index fastest.
    Vector tensor = Vector::Zero(static_cast<Index>(std::pow(n, size_) + 0.5));
    for (const Row& row : rows_) {
        Index start = 0;
        for (Index level = 0; level + 1 < size_; ++level)
            start = start * n + row.index[static_cast<std::size_t>(level)];
        tensor.segment(start * n, row.length) = coefficients_.segment(row.offset, row.length);
    }
    // Contract the fastest index with φ and make its grid coordinate the slowest; after g rounds the last coordinate,
    // contracted first, is the fastest again.
    for (Index level = 0; level < size_; ++level) {
        const Index rest = tensor.size() / n;
        const Matrix rotated = (phi * Eigen::Map<const Matrix>(tensor.data(), n, rest)).transpose();
        tensor = Eigen::Map<const Vector>(rotated.data(), rotated.size());
    }
    return tensor;
}

/// Compass search: try a step along each axis both ways, halve it when none helps. At the last step s the value is within
/// about g s²/l² standard deviations of the local maximum.
GpComponent::Maximum GpComponent::polish(Vector x, double step) const {
    double best = value(x);
    while (step > 1e-8) {
        bool moved = false;
        for (Index j = 0; j < size_; ++j)
            for (const double direction : {step, -step}) {
                Vector next = x;
                next[j] = std::clamp(x[j] + direction, 0.0, 1.0);
                const double found = value(next);
                if (found > best) {
                    best = found;
                    x = next;
                    moved = true;
                }
            }
        if (!moved) step /= 2.0;
    }
    return {best, x};
}

GpComponent::Maximum GpComponent::maximum(double per_lengthscale) const {
    const Index points = static_cast<Index>(std::ceil(per_lengthscale / basis_->lengthscale())) + 1;
    const Vector grid = grid_values(points);
    const double threshold = grid.maxCoeff() - 0.25 * stddev_;
    const auto is_peak = [&](Index at) {
        for (Index level = 0, stride = 1; level < size_; ++level, stride *= points) {
            const Index coordinate = at / stride % points;
            if (coordinate > 0 && grid[at - stride] > grid[at]) return false;
            if (coordinate + 1 < points && grid[at + stride] > grid[at]) return false;
        }
        return true;
    };
    const double step = 1.0 / static_cast<double>(points - 1);
    Maximum best{-std::numeric_limits<double>::infinity(), {}};
    for (Index at = 0; at < grid.size(); ++at) {
        if (grid[at] < threshold || !is_peak(at)) continue;
        Vector x(size_);
        for (Index level = size_ - 1, rest = at; level >= 0; --level, rest /= points)
            x[level] = static_cast<double>(rest % points) * step;
        Maximum found = polish(x, step / 2.0);
        if (found.value > best.value) best = std::move(found);
    }
    return best;
}

}  // namespace summand::problems
