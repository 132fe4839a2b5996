// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace summand {

SymmetricEigen symmetric_eigen(const Matrix& A) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
    return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace summand
