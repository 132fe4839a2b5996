// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/group_kernel.hpp"

#include <algorithm>
#include <numeric>

namespace summand {

GroupKernel::GroupKernel(const AdditiveGp& gp, Index m)
    : gp_(gp),
      variance_(gp.hyperparameters().variance(m)),
      group_(gp.partition().group(m).size()),
      columns_(gp.partition().group(m)) {
    std::iota(group_.begin(), group_.end(), 0);
    lengthscale_ = gp.hyperparameters().lengthscale(columns_);
    std::vector<bool> unordered;
    if (!gp.unordered().empty())
        for (const Index j : columns_) unordered.push_back(gp.unordered()[static_cast<std::size_t>(j)]);
    inputs_ = scale_inputs(observed(), lengthscale_, unordered);
}

Matrix GroupKernel::observed() const {
    return gp_.inputs()(Eigen::all, columns_);
}

Vector GroupKernel::scaled(const Matrix& Z, Index i) const {
    Vector z = Z.row(i).transpose();
    for (Index j = 0; j < dimension(); ++j)
        if (inputs_.mismatch(j) == 0) z(j) /= lengthscale_(j);
    return z;
}

Matrix GroupKernel::cross(const Matrix& Z) const {
    const Index n = inputs_.U.rows();
    Matrix kernel(n, Z.rows());
    for (Index i = 0; i < Z.rows(); ++i) {
        squared_distances(inputs_, group_, 0, n, scaled(Z, i), kernel.col(i).data());
        apply_kernel(gp_.family(), variance_, n, kernel.col(i).data());
    }
    return kernel;
}

void GroupKernel::cross(const Matrix& Z, Matrix& kernel, Matrix& slope) const {
    const Index n = inputs_.U.rows();
    kernel.resize(n, Z.rows());
    slope.resize(n, Z.rows());
    for (Index i = 0; i < Z.rows(); ++i) {
        squared_distances(inputs_, group_, 0, n, scaled(Z, i), kernel.col(i).data());
        apply_kernel_and_slope(gp_.family(), variance_, n, kernel.col(i).data(), slope.col(i).data());
    }
}

Vector GroupKernel::mean(const Matrix& Z) const {
    constexpr Index block = 256;
    Vector mean(Z.rows());
    for (Index first = 0; first < Z.rows(); first += block) {
        const Index width = std::min(block, Z.rows() - first);
        mean.segment(first, width).noalias() = cross(Z.middleRows(first, width)).transpose() * gp_.alpha();
    }
    return mean;
}

// ∂k(x_n, z)/∂z_j = dk/d(r²) 2 (z_j - x_nj) / l_j², in scaled coordinates 2 (u_j - u_nj) / l_j; 0 for a choice.
Matrix GroupKernel::gradient(const Matrix& Z, const Matrix& slope, const Matrix& weight) const {
    Matrix result = Matrix::Zero(Z.rows(), dimension());
    for (Index i = 0; i < Z.rows(); ++i) {
        const Vector z = scaled(Z, i), product = slope.col(i).cwiseProduct(weight.col(i));
        for (Index j = 0; j < dimension(); ++j)
            if (inputs_.mismatch(j) == 0)
                result(i, j) = 2.0 / lengthscale_(j) * (z(j) - inputs_.U.col(j).array()).matrix().dot(product);
    }
    return result;
}

}  // namespace summand
