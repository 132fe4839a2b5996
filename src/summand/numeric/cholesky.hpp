// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <functional>
#include <optional>

namespace summand {

/// A = L Lᵀ of a symmetric positive definite matrix, which can grow by rows at its end.
///
/// A factorisation is refused (an expected outcome, so std::optional) when a pivot is not above n ε max_i A_ii: below
/// that it is rounding error, whatever its sign. Const methods may be called from several threads at once.
/// Memory: one n x n matrix, up to 1.5 times that (in n²) after appending, so that appending seldom has to copy.
class Cholesky {
  public:
    Cholesky() = default;

    /// Reads the lower triangle of A only, and factors in A's own memory: pass it with std::move. O(n³/3).
    static std::optional<Cholesky> try_factor(Matrix A);

    /// Grows A to [A Bᵀ; B C] for k new rows: B is k x n, the lower triangle of C is read. O(k n²).
    /// Returns false and changes nothing if the grown matrix is refused.
    bool try_append(const Matrix& B, const Matrix& C);
    /// The same for one row: A to [A b; bᵀ c].
    bool try_append(const Vector& b, double c);

    Index size() const { return size_; }
    double log_determinant() const;                            ///< of A
    double diagonal(Index i) const { return storage_(i, i); }  ///< L_ii
    /// Σ_{j < n-1} L_{n-1,j} b_j: what solving for the last entry of L x = c still needs after an append.
    double last_row_dot(const Vector& b) const { return storage_.row(size_ - 1).head(size_ - 1).dot(b); }
    Matrix lower() const;  ///< L, with zeros above the diagonal

    Vector solve(const Vector& b) const;                 ///< A⁻¹ b
    Matrix solve(Matrix B) const;                        ///< A⁻¹ B
    Vector forward(const Vector& b) const;               ///< L⁻¹ b
    Vector backward(const Vector& b) const;              ///< L⁻ᵀ b
    void forward_in_place(Eigen::Ref<Matrix> B) const;   ///< B <- L⁻¹ B
    void backward_in_place(Eigen::Ref<Matrix> B) const;  ///< B <- L⁻ᵀ B
    Vector times_lower(const Vector& b) const;  ///< L b: turns standard normal draws into draws with covariance A
    Matrix inverse() const;                     ///< A⁻¹, both triangles, O(n³)
    Matrix into_inverse() &&;  ///< the lower triangle of A⁻¹, in the factor's own memory (which it gives up)

  private:
    void reserve(Index capacity);

    Matrix storage_;  // the first size_ rows and columns hold L; above the diagonal is unspecified
    Index size_ = 0;
    double largest_diagonal_ = 0.0;  // of A
};

/// A factor, and what had to be added to the diagonal to get it.
struct JitteredCholesky {
    Cholesky factor = {};
    double jitter = 0.0;  ///< 0 almost always
};

/// The policy for covariances that are not positive definite in double precision: try as given, then with jitter
/// 1e-10, 1e-9, .. 1e-5 times the mean of the diagonal added to it; the first that works is reported in the result.
/// Empty if none does: the caller knows what the matrix is made of and throws NumericalError naming the cause.
///
/// assemble(A) writes the lower triangle of an n x n matrix. It is called again for each attempt, so that the usual case
/// keeps no copy.
std::optional<JitteredCholesky> factor_with_jitter(Index n, const std::function<void(Matrix&)>& assemble);

/// log det A + bᵀ A⁻¹ b, A's lower triangle read, factored in place: what a Gaussian likelihood needs and no more.
/// Both arguments are overwritten: A by its factor, b by L⁻¹ b. Empty if A is refused.
struct LogDeterminantAndQuadratic {
    double log_determinant = 0.0, quadratic = 0.0;
};
std::optional<LogDeterminantAndQuadratic> factor_and_solve_in_place(Eigen::Ref<Matrix> A, Vector& b);

}  // namespace summand
