// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace summand {

PivotedCholesky pivoted_cholesky(const Vector& diagonal, const std::function<void(Index, Eigen::Ref<Vector>)>& column,
                                 Index max_rank, double tolerance) {
    PivotedCholesky result{{}, Matrix(diagonal.size(), std::min(max_rank, diagonal.size())), diagonal};
    Matrix& F = result.factor;
    Index rank = 0;
    for (; rank < F.cols(); ++rank) {
        Index pivot = 0;
        const double largest = result.residual.maxCoeff(&pivot);
        if (!(largest > tolerance) || !(largest > 0)) break;
        // f = (A_:p - Σ_s F_:s F_ps) / √residual_p
        column(pivot, F.col(rank));
        F.col(rank).noalias() -= F.leftCols(rank) * F.row(pivot).head(rank).transpose();
        F.col(rank) /= std::sqrt(largest);
        for (const Index earlier : result.pivots) F(earlier, rank) = 0.0;
        F(pivot, rank) = std::sqrt(largest);
        result.pivots.push_back(pivot);
        result.residual = (result.residual - F.col(rank).cwiseAbs2()).cwiseMax(0.0);
        result.residual(pivot) = 0.0;
    }
    F.conservativeResize(Eigen::NoChange, rank);
    return result;
}

PivotedCholesky pivoted_cholesky(const Matrix& A, Index max_rank, double tolerance) {
    const auto column = [&](Index i, Eigen::Ref<Vector> target) { target = A.col(i); };
    return pivoted_cholesky(A.diagonal(), column, max_rank, tolerance);
}

}  // namespace summand
