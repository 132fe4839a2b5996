// SPDX-License-Identifier: Apache-2.0
// The posterior of single groups and of the sum. With k the prior covariance between the training points and a point,
//     mean = kᵀ α,    covariance = k(z, z') - (L⁻¹ k)ᵀ (L⁻¹ k'),    α = K⁻¹ (y - mean),  K = L Lᵀ   (docs/math.md, eq. M5, M6).
#include "summand/base/error.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/model/additive_gp_state.hpp"

#include <algorithm>
#include <string>

namespace summand {
namespace {

// Points handled at once: enough columns for the triangular solve to run at full speed, few enough to bound the memory.
constexpr Index block_size = 256;

void check_columns(const char* method, Index given, Index needed) {
    if (given != needed)
        throw InvalidArgument(std::string("AdditiveGp::") + method + ": points have " + std::to_string(given) +
                              " coordinates; " + std::to_string(needed) + " are needed");
}

void check_group(const char* method, Index m, Index count) {
    if (m < 0 || m >= count)
        throw InvalidArgument(std::string("AdditiveGp::") + method + ": group " + std::to_string(m) +
                              " was asked for; groups are numbered 0 to " + std::to_string(count - 1));
}

// Marginals of points given by their prior covariances with the data. column(i, out) writes that of point i.
template <class Column>
Marginals marginals(const Cholesky& factor, const Vector& alpha, Index count, double prior_variance,
                    const Column& column) {
    Marginals result{Vector(count), Vector(count)};
    Matrix K(factor.size(), std::min(count, block_size));
    for (Index first = 0; first < count; first += block_size) {
        const Index width = std::min(block_size, count - first);
        for (Index i = 0; i < width; ++i) column(first + i, K.col(i).data());
        result.mean.segment(first, width).noalias() = K.leftCols(width).transpose() * alpha;
        factor.forward_in_place(K.leftCols(width));
        for (Index i = 0; i < width; ++i)
            result.variance[first + i] = std::max(0.0, prior_variance - K.col(i).squaredNorm());
    }
    return result;
}

}  // namespace

Marginals AdditiveGp::group_marginals(Index m, const Matrix& Z) const {
    const State& s = *state_;
    check_group("group_marginals", m, s.partition.group_count());
    check_columns("group_marginals", Z.cols(), static_cast<Index>(s.partition.group(m).size()));
    Marginals result = marginals(s.factor, s.alpha(), Z.rows(), s.group_variance(m), [&](Index i, double* column) {
        s.group_column(m, s.scaled_group_point(m, Z.row(i)), column);
    });
    result.mean *= s.unit;
    result.variance *= s.unit * s.unit;
    return result;
}

Matrix AdditiveGp::group_cross_covariance(Index m, const Matrix& Z, const Matrix& Z2) const {
    const State& s = *state_;
    check_group("group_cross_covariance", m, s.partition.group_count());
    check_columns("group_cross_covariance", Z.cols(), static_cast<Index>(s.partition.group(m).size()));
    check_columns("group_cross_covariance", Z2.cols(), Z.cols());
    const auto spread = [&](const Matrix& part) {  // the group's columns among all D, the others zero
        Matrix all = Matrix::Zero(part.rows(), dimension());
        for (Index j = 0; j < part.cols(); ++j)
            all.col(s.partition.group(m)[static_cast<std::size_t>(j)]) = part.col(j);
        return all;
    };
    const Matrix X = spread(Z), X2 = spread(Z2);
    const auto gram = [&](const Matrix& A, const Matrix& B) {
        return group_gram(s.family, s.partition.group(m), s.group_variance(m), s.hyperparameters.lengthscale,
                          s.unordered, A, B);
    };
    Matrix V = gram(s.X, X), V2 = gram(s.X, X2);
    s.factor.forward_in_place(V);
    s.factor.forward_in_place(V2);
    Matrix result = gram(X, X2);
    result.noalias() -= V.transpose() * V2;
    return result * (s.unit * s.unit);
}

// As group_cross_covariance(m, Z, Z) with one triangular solve instead of two, and exactly symmetric.
Matrix AdditiveGp::group_covariance(Index m, const Matrix& Z) const {
    const State& s = *state_;
    check_group("group_covariance", m, s.partition.group_count());
    check_columns("group_covariance", Z.cols(), static_cast<Index>(s.partition.group(m).size()));
    Matrix V(s.size(), Z.rows()), all = Matrix::Zero(Z.rows(), dimension());
    for (Index i = 0; i < Z.rows(); ++i) s.group_column(m, s.scaled_group_point(m, Z.row(i)), V.col(i).data());
    s.factor.forward_in_place(V);
    all(Eigen::all, s.partition.group(m)) = Z;
    Matrix result = Matrix::Zero(Z.rows(), Z.rows());
    add_group_gram(s.family, s.partition.group(m), s.group_variance(m),
                   scale_inputs(all, s.hyperparameters.lengthscale, s.unordered), result);
    if (s.size() > 0) result.selfadjointView<Eigen::Lower>().rankUpdate(V.transpose(), -1.0);  // Eigen divides by it
    result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
    return result * (s.unit * s.unit);
}

Marginals AdditiveGp::sum_marginals(const Matrix& X) const {
    const State& s = *state_;
    check_columns("sum_marginals", X.cols(), dimension());
    const double prior = s.hyperparameters.variance.sum() / (s.unit * s.unit);
    Marginals result = marginals(s.factor, s.alpha(), X.rows(), prior, [&](Index i, double* column) {
        Vector::Map(column, s.size()) = s.sum_column(s.scaled_point(X.row(i)));
    });
    result.mean = (result.mean * s.unit).array() + s.hyperparameters.mean;
    result.variance *= s.unit * s.unit;
    return result;
}

Matrix AdditiveGp::sum_covariance(const Matrix& X) const {
    const State& s = *state_;
    check_columns("sum_covariance", X.cols(), dimension());
    Matrix V(s.size(), X.rows()), result(X.rows(), X.rows());
    for (Index i = 0; i < X.rows(); ++i) V.col(i) = s.sum_column(s.scaled_point(X.row(i)));
    s.factor.forward_in_place(V);
    const ScaledInputs points = scale_inputs(X, s.hyperparameters.lengthscale, s.unordered);
    sum_gram(s.family, s.partition, s.hyperparameters.variance / (s.unit * s.unit), points, 0.0, result);
    if (s.size() > 0) result.selfadjointView<Eigen::Lower>().rankUpdate(V.transpose(), -1.0);  // Eigen divides by it
    result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
    return result * (s.unit * s.unit);
}

Vector AdditiveGp::sum_of_group_variances(const Matrix& X) const {
    check_columns("sum_of_group_variances", X.cols(), dimension());
    Vector total = Vector::Zero(X.rows());
    for (Index m = 0; m < partition().group_count(); ++m) {
        const auto& group = partition().group(m);
        Matrix Z(X.rows(), static_cast<Index>(group.size()));
        for (Index j = 0; j < Z.cols(); ++j) Z.col(j) = X.col(group[static_cast<std::size_t>(j)]);
        total += group_marginals(m, Z).variance;
    }
    return total;
}

MarginalGradient AdditiveGp::group_gradient(Index m, const Vector& z) const {
    const State& s = *state_;
    check_group("group_gradient", m, s.partition.group_count());
    check_columns("group_gradient", z.size(), static_cast<Index>(s.partition.group(m).size()));
    return s.gradient({m}, s.scaled_group_point(m, z), s.partition.group(m));
}

MarginalGradient AdditiveGp::sum_gradient(const Vector& x) const {
    const State& s = *state_;
    check_columns("sum_gradient", x.size(), dimension());
    std::vector<Index> groups, columns;
    for (Index m = 0; m < s.partition.group_count(); ++m) groups.push_back(m);
    for (Index j = 0; j < dimension(); ++j) columns.push_back(j);
    MarginalGradient result = s.gradient(groups, s.scaled_point(x), columns);
    result.mean += s.hyperparameters.mean;
    return result;
}

// ∂mean/∂x_j = Σ_i α_i ∂k_i/∂x_j and ∂variance/∂x_j = -2 Σ_i (K⁻¹ k)_i ∂k_i/∂x_j, where
// ∂k_i/∂x_j = dk/d(r²) · 2 (x_j - x_ij) / l_j² for a number, in scaled coordinates 2 (u_j - u_ij) / l_j; 0 for a choice.
MarginalGradient AdditiveGp::State::gradient(const std::vector<Index>& groups, const Vector& scaled,
                                             const std::vector<Index>& columns) const {
    const Index n = size();
    Matrix slope(n, static_cast<Index>(groups.size()));
    Vector k = Vector::Zero(n), run(n);
    double prior = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Index m = groups[g];
        squared_distances(inputs, partition.group(m), 0, n, scaled, run.data());
        apply_kernel_and_slope(family, group_variance(m), n, run.data(), slope.col(static_cast<Index>(g)).data());
        k += run;
        prior += group_variance(m);
    }
    const Vector v = factor.forward(k), weight = factor.backward(v);
    const auto size_of_gradient = static_cast<Index>(columns.size());
    MarginalGradient result{k.dot(alpha()) * unit, std::max(0.0, prior - v.squaredNorm()) * unit * unit,
                            Vector::Zero(size_of_gradient), Vector::Zero(size_of_gradient)};
    for (Index c = 0; c < size_of_gradient; ++c) {
        const Index j = columns[static_cast<std::size_t>(c)];
        if (inputs.mismatch[j] > 0) continue;
        const Index g = groups.size() == 1 ? 0 : partition.group_of(j);
        const Vector change = slope.col(g).cwiseProduct((scaled[j] - inputs.U.col(j).array()).matrix());
        const double factor_of_column = 2.0 / hyperparameters.lengthscale[j];
        result.mean_gradient[c] = factor_of_column * change.dot(alpha()) * unit;
        result.variance_gradient[c] = -2.0 * factor_of_column * change.dot(weight) * unit * unit;
    }
    return result;
}

}  // namespace summand
