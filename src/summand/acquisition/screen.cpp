// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/screen.hpp"

#include "summand/acquisition/group_kernel.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/numeric/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace summand {
namespace {

constexpr Index block = 128;

// Enough points for the ranking (docs/math.md has the measured loss), few enough that N kernel values remain the larger cost.
Index largest_rank(Index observed) {
    return std::clamp<Index>(observed / 4, 48, 96);
}

constexpr double rank_tolerance = 1e-4;  // of the group's variance: single precision can resolve no less through K_PP⁻¹

// The observed points, those that explain the group's kernel best first.
std::vector<Index> pivots_first(const std::vector<Index>& pivots, Index n) {
    std::vector<bool> taken(static_cast<std::size_t>(n), false);
    std::vector<Index> order = pivots;
    for (const Index p : pivots) taken[static_cast<std::size_t>(p)] = true;
    for (Index i = 0; i < n; ++i)
        if (!taken[static_cast<std::size_t>(i)]) order.push_back(i);
    return order;
}

// T of the header. F Fᵀ ≈ k_m(X, X) with F's pivot rows = L_PP, so K_XP K_PP⁻¹ = F L_PP⁻¹; with A = Fᵀ (K + σ²)⁻¹ F = L_A L_Aᵀ,
// TᵀT = L_PP⁻ᵀ A L_PP⁻¹ and Tᵀ = L_PP⁻ᵀ L_A.
Matrix reduction(const AdditiveGp& gp, const PivotedCholesky& low_rank) {
    const Matrix L_PP = low_rank.factor(low_rank.pivots, Eigen::all);
    Matrix A = low_rank.factor.transpose() * gp.solve(low_rank.factor);
    A.diagonal().array() += 1e-10;  // A <= 1; its smallest eigenvalues are rounding error
    const auto factor = Cholesky::try_factor(std::move(A));
    const auto pivots = Cholesky::try_factor(L_PP * L_PP.transpose());
    if (!factor || !pivots) return Matrix::Zero(L_PP.rows(), L_PP.rows());  // no reduction: the prior ranks the points
    Matrix T = factor->lower();
    pivots->backward_in_place(T);
    return T.transpose();
}

}  // namespace

GroupScreen::GroupScreen(const AdditiveGp& gp, Index m)
    : family_(gp.family()), unit_(std::sqrt(gp.hyperparameters().variance(m))) {
    const GroupKernel kernel(gp, m);
    const Index n = gp.size();
    const auto& columns = gp.partition().group(m);
    lengthscale_ = gp.hyperparameters().lengthscale(columns);
    for (const Index j : columns)
        unordered_.push_back(!gp.unordered().empty() && gp.unordered()[static_cast<std::size_t>(j)]);

    const Matrix X = kernel.observed();
    const auto column = [&](Index i, Eigen::Ref<Vector> target) { target = kernel.cross(X.row(i)); };
    const auto low_rank = pivoted_cholesky(Vector::Constant(n, kernel.variance()), column, largest_rank(n),
                                           rank_tolerance * kernel.variance());
    const std::vector<Index> order = pivots_first(low_rank.pivots, n);

    scaled_.resize(n, X.cols());
    for (Index j = 0; j < X.cols(); ++j)
        scaled_.col(j) =
            (X(order, j) / (unordered_[static_cast<std::size_t>(j)] ? 1.0 : lengthscale_(j))).cast<float>();
    // In units of the group's standard deviation, k/unit² has entries up to 1: mean = unit · (k/unit²)ᵀ (unit α).
    alpha_ = (unit_ * gp.alpha()(order)).cast<float>();
    reduction_ = (unit_ * reduction(gp, low_rank)).cast<float>();
}

GroupScreens::GroupScreens(const AdditiveGp& gp)
    : gp_(gp), made_(gp.partition().groups().size()), screens_(made_.size()) {}

const GroupScreen& GroupScreens::of(Index m) const {
    const auto i = static_cast<std::size_t>(m);
    std::call_once(made_[i], [&] { screens_[i] = std::make_unique<GroupScreen>(gp_, m); });
    return *screens_[i];
}

Marginals GroupScreen::marginals(const Matrix& Z) const {
    const Index n = scaled_.rows(), rank = reduction_.rows();
    Marginals result{Vector(Z.rows()), Vector(Z.rows())};
    Eigen::MatrixXf K(n, block), W(rank, block);
    Eigen::ArrayXf s(n);
    for (Index first = 0; first < Z.rows(); first += block) {
        const Index width = std::min(block, Z.rows() - first);
        for (Index i = 0; i < width; ++i) {
            auto r2 = K.col(i).array();
            r2.setZero();
            for (Index j = 0; j < Z.cols(); ++j) {
                const double z = Z(first + i, j), length = lengthscale_(j);
                if (unordered_[static_cast<std::size_t>(j)])
                    r2 += (scaled_.col(j).array() != static_cast<float>(z)).cast<float>() *
                          static_cast<float>(1.0 / (length * length));
                else
                    r2 += (scaled_.col(j).array() - static_cast<float>(z / length)).square();
            }
            if (family_ == KernelFamily::squared_exponential) {
                r2 = (-0.5F * r2).exp();
                continue;
            }
            s = (5.0F * r2).sqrt();
            r2 = (1.0F + s + s.square() * (1.0F / 3.0F)) * (-s).exp();
        }
        W.leftCols(width).noalias() = reduction_ * K.topLeftCorner(rank, width);
        const Eigen::VectorXf mean = K.leftCols(width).transpose() * alpha_;
        const Eigen::VectorXf explained = W.leftCols(width).colwise().squaredNorm().transpose();
        result.mean.segment(first, width) = unit_ * mean.cast<double>();
        result.variance.segment(first, width) =
            unit_ * unit_ * (1.0 - explained.cast<double>().array()).max(1e-6).matrix();
    }
    return result;
}

}  // namespace summand
