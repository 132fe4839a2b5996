// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace summand {
namespace {

using Eigen::Lower;

// A pivot at or below this is rounding error. A pivot carries an error of about n ε A_ii after n subtractions.
double smallest_pivot(Index n, double largest_diagonal) {
    return static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest_diagonal;
}

// Are all pivots L_ii² sound? The comparison is also false for NaN.
bool sound(const Eigen::Ref<const Matrix>& L, Index from, double threshold) {
    for (Index i = from; i < L.rows(); ++i)
        if (!(L(i, i) * L(i, i) > threshold) || !std::isfinite(L(i, i))) return false;
    return true;
}

bool factor_in_place(Eigen::Ref<Matrix> A, double threshold) {
    const Eigen::LLT<Eigen::Ref<Matrix>, Lower> llt(A);
    return llt.info() == Eigen::Success && sound(A, 0, threshold);
}

}  // namespace

std::optional<Cholesky> Cholesky::try_factor(Matrix A) {
    assert(A.rows() == A.cols());
    Cholesky result;
    result.size_ = A.rows();
    result.largest_diagonal_ = A.rows() > 0 ? A.diagonal().maxCoeff() : 0.0;
    result.storage_ = std::move(A);
    if (!factor_in_place(result.storage_, smallest_pivot(result.size_, result.largest_diagonal_))) return {};
    return result;
}

void Cholesky::reserve(Index capacity) {
    if (capacity <= storage_.rows()) return;
    // Side x 1.2, so the memory stays below 1.5 n² and a copy happens once in n/5 appended rows.
    const Index side = std::max(capacity, size_ + size_ / 5);
    Matrix larger(side, side);
    for (Index j = 0; j < size_; ++j) larger.col(j).segment(j, size_ - j) = storage_.col(j).segment(j, size_ - j);
    storage_ = std::move(larger);
}

bool Cholesky::try_append(const Matrix& B, const Matrix& C) {
    const Index n = size_, k = B.rows();
    assert(B.cols() == n && C.rows() == k && C.cols() == k);
    if (k == 0) return true;
    // [L 0; V M] with V = (L⁻¹ Bᵀ)ᵀ and M Mᵀ = C - V Vᵀ.
    Matrix V = B.transpose();
    forward_in_place(V);
    Matrix M = C;
    M.selfadjointView<Lower>().rankUpdate(V.transpose(), -1.0);
    const double largest = std::max(largest_diagonal_, C.diagonal().maxCoeff());
    if (!factor_in_place(M, smallest_pivot(n + k, largest))) return false;
    reserve(n + k);
    storage_.block(n, 0, k, n) = V.transpose();
    storage_.block(n, n, k, k) = M;
    size_ = n + k;
    largest_diagonal_ = largest;
    return true;
}

bool Cholesky::try_append(const Vector& b, double c) {
    const Index n = size_;
    const Vector v = n > 0 ? forward(b) : Vector();
    const double pivot = c - v.squaredNorm(), largest = std::max(largest_diagonal_, c);
    if (!(pivot > smallest_pivot(n + 1, largest)) || !std::isfinite(pivot)) return false;
    reserve(n + 1);
    storage_.row(n).head(n) = v.transpose();
    storage_(n, n) = std::sqrt(pivot);
    size_ = n + 1;
    largest_diagonal_ = largest;
    return true;
}

double Cholesky::log_determinant() const {
    if (size_ == 0) return 0.0;
    return 2.0 * storage_.diagonal().head(size_).array().log().sum();
}

Matrix Cholesky::lower() const {
    Matrix L = Matrix::Zero(size_, size_);
    L.triangularView<Lower>() = storage_.topLeftCorner(size_, size_);
    return L;
}

Vector Cholesky::forward(const Vector& b) const {
    Vector x = b;
    storage_.topLeftCorner(size_, size_).triangularView<Lower>().solveInPlace(x);
    return x;
}

Vector Cholesky::backward(const Vector& b) const {
    Vector x = b;
    storage_.topLeftCorner(size_, size_).triangularView<Lower>().transpose().solveInPlace(x);
    return x;
}

Vector Cholesky::solve(const Vector& b) const {
    return backward(forward(b));
}

void Cholesky::forward_in_place(Eigen::Ref<Matrix> B) const {
    if (size_ == 0) return;  // Eigen's blocking divides by the size
    storage_.topLeftCorner(size_, size_).triangularView<Lower>().solveInPlace(B);
}

void Cholesky::backward_in_place(Eigen::Ref<Matrix> B) const {
    if (size_ == 0) return;
    storage_.topLeftCorner(size_, size_).triangularView<Lower>().transpose().solveInPlace(B);
}

Matrix Cholesky::solve(Matrix B) const {
    forward_in_place(B);
    backward_in_place(B);
    return B;
}

Vector Cholesky::times_lower(const Vector& b) const {
    return storage_.topLeftCorner(size_, size_).triangularView<Lower>() * b;
}

Matrix Cholesky::into_inverse() && {
    constexpr Index width = 64;
    const Index n = size_;
    Matrix V = storage_.rows() == n ? std::move(storage_) : Matrix(storage_.topLeftCorner(n, n));
    *this = Cholesky();
    // V = L⁻¹ by block columns, each solved below its diagonal only: n³/3. Column c needs those of L from c on.
    Matrix column(n, std::min(width, n));
    for (Index c = 0; c < n; c += width) {
        const Index rest = n - c, w = std::min(width, rest);
        auto block = column.topLeftCorner(rest, w);
        block.setIdentity();
        V.bottomRightCorner(rest, rest).triangularView<Lower>().solveInPlace(block);
        V.block(c, c, rest, w) = block;
    }
    // A⁻¹ = VᵀV by block rows, where V's zeros above the diagonal leave another n³/3. Row r needs those of V from r on.
    Matrix row(std::min(width, n), n);
    for (Index r = 0; r < n; r += width) {
        const Index rest = n - r, w = std::min(width, rest);
        auto block = row.topLeftCorner(w, r + w);
        block.noalias() = V.block(r, r, rest, w).transpose() * V.block(r, 0, rest, r + w);
        V.block(r, 0, w, r + w) = block;
    }
    return V;
}

Matrix Cholesky::inverse() const {
    Matrix result = Cholesky(*this).into_inverse();
    result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
    return result;
}

std::optional<JitteredCholesky> factor_with_jitter(Index n, const std::function<void(Matrix&)>& assemble) {
    for (const double relative : {0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
        Matrix A(n, n);
        assemble(A);
        const double jitter = n > 0 ? relative * A.diagonal().mean() : 0.0;
        A.diagonal().array() += jitter;
        if (auto factor = Cholesky::try_factor(std::move(A))) return JitteredCholesky{std::move(*factor), jitter};
    }
    return {};
}

std::optional<LogDeterminantAndQuadratic> factor_and_solve_in_place(Eigen::Ref<Matrix> A, Vector& b) {
    const double threshold = smallest_pivot(A.rows(), A.diagonal().maxCoeff());
    if (!factor_in_place(A, threshold)) return {};
    A.triangularView<Lower>().solveInPlace(b);
    return LogDeterminantAndQuadratic{2.0 * A.diagonal().array().log().sum(), b.squaredNorm()};
}

}  // namespace summand
