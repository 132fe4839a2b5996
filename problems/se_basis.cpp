// SPDX-License-Identifier: Apache-2.0
#include "problems/se_basis.hpp"

#include <cmath>
#include <vector>

namespace summand::problems {

SeBasis::SeBasis(double lengthscale, double tolerance) : lengthscale_(lengthscale) {
    const Index count = static_cast<Index>(std::ceil(20.0 / lengthscale)) + 21;
    const Vector candidates = Vector::LinSpaced(count, 0.0, 1.0);
    Vector residual = Vector::Ones(count);  // k(x, x) - Σ φ_i(x)²
    std::vector<Vector> columns;            // φ_i at the candidates
    std::vector<Index> chosen;
    Index pivot = 0;
    while (residual.maxCoeff(&pivot) > tolerance) {
        const double scale = std::sqrt(residual[pivot]);
        Vector column = (-0.5 * ((candidates.array() - candidates[pivot]) / lengthscale).square()).exp().matrix();
        for (const Vector& earlier : columns) column -= earlier[pivot] * earlier;
        column /= scale;
        residual = (residual.array() - column.array().square()).max(0.0).matrix();
        residual[pivot] = 0.0;
        bound_.conservativeResize(bound_.size() + 1);
        bound_[bound_.size() - 1] = scale * scale;
        columns.push_back(std::move(column));
        chosen.push_back(pivot);
    }
    const Index n = static_cast<Index>(chosen.size());
    pivots_ = candidates(chosen);
    factor_ = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) factor_.col(i).tail(n - i) = columns[static_cast<std::size_t>(i)](chosen).tail(n - i);
}

Vector SeBasis::values(double x) const {
    Vector phi = (-0.5 * ((pivots_.array() - x) / lengthscale_).square()).exp().matrix();
    for (Index i = 0; i < phi.size(); ++i) {  // forward substitution, by columns
        phi[i] /= factor_(i, i);
        const Index below = phi.size() - i - 1;
        phi.tail(below) -= phi[i] * factor_.col(i).tail(below);
    }
    return phi;
}

}  // namespace summand::problems
