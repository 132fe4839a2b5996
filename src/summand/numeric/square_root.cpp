// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/square_root.hpp"

#include <Eigen/Eigenvalues>

namespace summand {

Matrix square_root(const Matrix& A) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace summand
