// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/square_root.hpp"

#include "summand/numeric/symmetric_eigen.hpp"

namespace summand {

Matrix square_root(const Matrix& A) {
    const SymmetricEigen eigen = symmetric_eigen(A);
    return eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace summand
