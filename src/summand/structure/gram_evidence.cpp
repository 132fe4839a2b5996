// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/gram_evidence.hpp"

#include "summand/base/parallel.hpp"
#include "summand/numeric/cholesky.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace summand::structure {

GramEvidence::GramEvidence(KernelFamily family, const Matrix& X, const Vector& y, const std::vector<bool>& unordered,
                           Index labels, Setting setting, int threads)
    : family_(family),
      X_(X),
      y_(y),
      unordered_(unordered),
      labels_(labels),
      setting_(std::move(setting)),
      threads_(threads),
      cache_(family, X, setting_.lengthscale, unordered, labels),
      work_(static_cast<std::size_t>(threads)) {}

void GramEvidence::sync(const Assignment& assignment) {
    for (Index m = 0; m < labels_; ++m) cache_.place(m, assignment.members(m));
    // Two groups change a step; after a sweep of steps the sum is added up afresh, so rounding stays near 1e-14.
    if (++syncs_ % X_.cols() == 0) cache_.refresh_sum();
}

// With K = variance (C + ratio I): log p = -(yᵀ(C + ratio I)⁻¹y / variance + log|C + ratio I| + N log(2π variance)) / 2.
double GramEvidence::factor(Matrix& covariance) const {
    Vector b = y_;
    const auto found = factor_and_solve_in_place(covariance, b);
    if (!found) return -std::numeric_limits<double>::infinity();
    const auto N = static_cast<double>(y_.size());
    return -0.5 * (found->quadratic / setting_.variance + found->log_determinant +
                   N * std::log(2 * std::numbers::pi * setting_.variance));
}

// Rounding makes an eigenvalue wrong by N ε times the diagonal, which is one for each group, and a few times that where groups
// were added and taken out. All partitions get the same least noise: were it only those that cannot be factored without, or
// were these refused, the arithmetic would choose between them.
double GramEvidence::noise_variance() const {
    constexpr double least = 64 * std::numeric_limits<double>::epsilon();
    const double floor = least * static_cast<double>(X_.rows() * X_.cols()) * setting_.variance;
    return std::max(setting_.noise_variance, floor);
}

double GramEvidence::log_likelihood(const Assignment& assignment) {
    sync(assignment);
    cache_.assemble(diagonal(), work_[0]);
    ++factorisations_;
    return factor(work_[0]);
}

std::vector<double> GramEvidence::log_likelihoods_with(const Assignment& without_j, Index j,
                                                       const std::vector<Index>& labels) {
    sync(without_j);
    cache_.prepare(j);
    std::vector<double> result(labels.size());
    // Each thread has its own matrix and takes the next candidate when it is free, so one whose core is shared with others
    // does not keep the rest waiting; which thread computes a value does not change it.
    std::atomic<std::size_t> next{0};
    parallel_for(threads_, threads_, [&](std::int64_t t) {
        Matrix& covariance = work_[static_cast<std::size_t>(t)];
        for (std::size_t i = next++; i < labels.size(); i = next++) {
            cache_.assemble_with(labels[i], diagonal(), covariance);
            result[i] = factor(covariance);
        }
    });
    factorisations_ += static_cast<long>(labels.size());
    return result;
}

void GramEvidence::set(const Setting& setting) {
    const bool same_correlation = setting.lengthscale == setting_.lengthscale;
    setting_ = setting;
    if (!same_correlation) cache_ = GramCache(family_, X_, setting.lengthscale, unordered_, labels_);
}

double GramEvidence::em_noise(const Assignment& assignment) {
    sync(assignment);
    cache_.assemble(diagonal(), work_[0]);
    ++factorisations_;
    const auto N = static_cast<double>(y_.size());
    const double v = noise_variance(), variance = setting_.variance;
    auto factor = Cholesky::try_factor(work_[0]);
    if (!factor) return v;
    // K⁻¹ = (C + ratio I)⁻¹ / variance;  tr K⁻¹ = |L⁻¹|²_F.
    const Vector alpha = factor->solve(y_) / variance;
    Matrix inverse = Matrix::Identity(y_.size(), y_.size());
    factor->forward_in_place(inverse);
    const double trace = inverse.squaredNorm() / variance;
    return (v * v * alpha.squaredNorm() + v * (N - v * trace)) / N;
}

// Moves to the candidate if it explains y better than `best`.
bool GramEvidence::try_setting(const Assignment& assignment, const Setting& candidate, double& best) {
    const Setting before = setting_;
    set(candidate);
    const double found = log_likelihood(assignment);
    if (found > best) {
        best = found;
        return true;
    }
    set(before);
    return false;
}

// Up by the factor, else down by it, whichever is the first to explain y better.
bool GramEvidence::try_step(const Assignment& assignment, double factor,
                            const std::function<void(Setting&, double)>& scale, double& best) {
    for (const double by : {factor, 1 / factor}) {
        Setting candidate = setting_;
        scale(candidate, by);
        if (try_setting(assignment, candidate, best)) return true;
    }
    return false;
}

namespace {

void scale_variance(Setting& setting, double factor) {
    setting.variance *= factor;
}
// Beyond these, points are either all alike or all unrelated.
void scale_lengthscale(Setting& setting, double factor) {
    setting.lengthscale = (setting.lengthscale * factor).cwiseMax(0.01).cwiseMin(10.0);
}

}  // namespace

void GramEvidence::improve(const Assignment& assignment, const Improvement& limits) {
    setting_.noise_variance = limited(em_noise(assignment), setting_.noise_variance, limits);
    if (limits.noise_only) return;
    double best = log_likelihood(assignment);
    try_step(assignment, 1.3, scale_variance, best);
    try_step(assignment, 1.3, scale_lengthscale, best);
}

void GramEvidence::polish(const Assignment& assignment, const Improvement& limits) {
    const auto scale_noise = [&](Setting& setting, double factor) {
        setting.noise_variance = std::clamp(setting.noise_variance * factor, limits.noise_floor, 1.0);
    };
    double best = log_likelihood(assignment);
    for (double factor = 4.0; factor > 1.05;) {
        bool moved = try_step(assignment, 1 / factor, scale_noise, best);
        if (!limits.noise_only) {
            moved = try_step(assignment, std::min(factor, 1.5), scale_variance, best) || moved;
            moved = try_step(assignment, std::min(factor, 1.5), scale_lengthscale, best) || moved;
        }
        if (!moved) factor = std::sqrt(factor);
    }
}

}  // namespace summand::structure
