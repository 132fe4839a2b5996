// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/marginal_surface.hpp"

#include "summand/acquisition/group_kernel.hpp"
#include "summand/acquisition/screen.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace summand {
namespace {

// Formulas divide by the standard deviation: below this share of the prior's it is rounding error.
constexpr double smallest_variance = 1e-12;
// Fewer points than this are evaluated exactly: a screen has to be built first.
constexpr Index worth_screening = 400;

double stddev(double variance, double prior) {
    return std::sqrt(std::max(variance, smallest_variance * prior));
}

Vector apply(const Formula& formula, const Marginals& marginals, double prior) {
    Vector result(marginals.mean.size());
    for (Index i = 0; i < result.size(); ++i)
        result(i) = formula(marginals.mean(i), stddev(marginals.variance(i), prior)).value;
    return result;
}

class GroupSurface final : public Surface {
  public:
    GroupSurface(const AdditiveGp& gp, Index m, Formula formula, const GroupScreens* screens)
        : gp_(gp), m_(m), kernel_(gp, m), formula_(std::move(formula)), screens_(screens) {}

    Index dimension() const override { return kernel_.dimension(); }

    Vector values(const Matrix& Z) const override {
        return apply(formula_, gp_.group_marginals(m_, Z), kernel_.variance());
    }

    ValueGradients gradients(const Matrix& Z) const override {
        Matrix k, slope;
        kernel_.cross(Z, k, slope);
        const Matrix solved = gp_.solve(k);
        const Matrix by_mean = kernel_.gradient(Z, slope, gp_.alpha().replicate(1, Z.rows()));
        const Matrix by_explained = kernel_.gradient(Z, slope, solved);
        ValueGradients result{Vector(Z.rows()), Matrix(Z.rows(), Z.cols())};
        for (Index i = 0; i < Z.rows(); ++i) {
            // variance = v - kᵀ K⁻¹ k, so ∇variance = -2 Σ_n (K⁻¹ k)_n ∇k_n and ∇stddev = ∇variance / (2 stddev).
            const double sd = stddev(kernel_.variance() - k.col(i).dot(solved.col(i)), kernel_.variance());
            const Score score = formula_(k.col(i).dot(gp_.alpha()), sd);
            result.value(i) = score.value;
            result.gradient.row(i) = score.by_mean * by_mean.row(i) - score.by_stddev / sd * by_explained.row(i);
        }
        return result;
    }

    Vector screen(const Matrix& Z) const override {
        if (Z.rows() < worth_screening) return values(Z);
        const Marginals rough = screens_ ? screens_->of(m_).marginals(Z) : GroupScreen(gp_, m_).marginals(Z);
        return apply(formula_, rough, kernel_.variance());
    }

  private:
    const AdditiveGp& gp_;
    Index m_;
    GroupKernel kernel_;
    Formula formula_;
    const GroupScreens* screens_;
};

class MeanSurface final : public Surface {
  public:
    MeanSurface(const AdditiveGp& gp, Index m) : gp_(gp), kernel_(gp, m) {}
    Index dimension() const override { return kernel_.dimension(); }
    Vector values(const Matrix& Z) const override { return kernel_.mean(Z); }
    ValueGradients gradients(const Matrix& Z) const override {
        Matrix k, slope;
        kernel_.cross(Z, k, slope);
        return {k.transpose() * gp_.alpha(), kernel_.gradient(Z, slope, gp_.alpha().replicate(1, Z.rows()))};
    }

  private:
    const AdditiveGp& gp_;
    GroupKernel kernel_;
};

class SumSurface final : public Surface {
  public:
    SumSurface(const AdditiveGp& gp, Formula formula)
        : gp_(gp), prior_(gp.hyperparameters().variance.sum()), formula_(std::move(formula)) {}

    Index dimension() const override { return gp_.dimension(); }
    Vector values(const Matrix& X) const override { return apply(formula_, gp_.sum_marginals(X), prior_); }

    ValueGradients gradients(const Matrix& X) const override {
        ValueGradients result{Vector(X.rows()), Matrix(X.rows(), X.cols())};
        for (Index i = 0; i < X.rows(); ++i) {
            const MarginalGradient g = gp_.sum_gradient(X.row(i).transpose());
            const double sd = stddev(g.variance, prior_);
            const Score score = formula_(g.mean, sd);
            result.value(i) = score.value;
            result.gradient.row(i) =
                (score.by_mean * g.mean_gradient + score.by_stddev / (2 * sd) * g.variance_gradient).transpose();
        }
        return result;
    }

  private:
    const AdditiveGp& gp_;
    double prior_;
    Formula formula_;
};

class GroupwiseSurface final : public Surface {
  public:
    GroupwiseSurface(const AdditiveGp& gp, std::vector<std::unique_ptr<Surface>> groups)
        : gp_(gp), groups_(std::move(groups)) {}

    Index dimension() const override { return gp_.dimension(); }

    Vector values(const Matrix& X) const override {
        return total(X, [](const Surface& group, const Matrix& Z) { return group.values(Z); });
    }
    Vector screen(const Matrix& X) const override {
        return total(X, [](const Surface& group, const Matrix& Z) { return group.screen(Z); });
    }
    ValueGradients gradients(const Matrix& X) const override {
        ValueGradients result{Vector::Constant(X.rows(), gp_.hyperparameters().mean), Matrix(X.rows(), X.cols())};
        for (std::size_t m = 0; m < groups_.size(); ++m) {
            const ValueGradients part = groups_[m]->gradients(X(Eigen::all, gp_.partition().groups()[m]));
            result.value += part.value;
            result.gradient(Eigen::all, gp_.partition().groups()[m]) = part.gradient;
        }
        return result;
    }

  private:
    template <class Evaluate>
    Vector total(const Matrix& X, const Evaluate& evaluate) const {
        Vector result = Vector::Constant(X.rows(), gp_.hyperparameters().mean);
        for (std::size_t m = 0; m < groups_.size(); ++m)
            result += evaluate(*groups_[m], X(Eigen::all, gp_.partition().groups()[m]));
        return result;
    }
    const AdditiveGp& gp_;
    std::vector<std::unique_ptr<Surface>> groups_;
};

}  // namespace

std::unique_ptr<Surface> group_surface(const AdditiveGp& gp, Index m, Formula formula, const GroupScreens* screens) {
    return std::make_unique<GroupSurface>(gp, m, std::move(formula), screens);
}

std::unique_ptr<Surface> mean_surface(const AdditiveGp& gp, Index m) {
    return std::make_unique<MeanSurface>(gp, m);
}

std::unique_ptr<Surface> sum_surface(const AdditiveGp& gp, Formula formula) {
    return std::make_unique<SumSurface>(gp, std::move(formula));
}

std::unique_ptr<Surface> groupwise_surface(const AdditiveGp& gp, std::vector<std::unique_ptr<Surface>> groups) {
    return std::make_unique<GroupwiseSurface>(gp, std::move(groups));
}

}  // namespace summand
