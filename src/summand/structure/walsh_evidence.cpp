// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/walsh_evidence.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace summand::structure {

WalshEvidence::WalshEvidence(const TwoLevelData& data, const Vector& y, Setting setting)
    : setting_(std::move(setting)) {
    for (const TwoLevelBlock& block : data.blocks) blocks_.emplace_back(block.sign, y(block.rows));
}

double WalshEvidence::log_likelihood(const Assignment& assignment) {
    double sum = 0;
    for (WalshBlock& block : blocks_) sum += block.log_likelihood(assignment, setting_);
    factorisations_ += static_cast<long>(blocks_.size());
    return sum;
}

std::vector<double> WalshEvidence::log_likelihoods_with(const Assignment& without_j, Index j,
                                                        const std::vector<Index>& labels) {
    std::vector<double> sum(labels.size(), 0.0);
    for (WalshBlock& block : blocks_) {
        const auto part = block.log_likelihoods_with(without_j, j, labels, setting_);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    factorisations_ += static_cast<long>(blocks_.size());
    return sum;
}

void WalshEvidence::improve(const Assignment& assignment, const Improvement& limits) {
    WalshBlock::Moments total;
    Index points = 0;
    for (WalshBlock& block : blocks_) {
        const auto part = block.moments(assignment, setting_);
        total.residual += part.residual;
        total.squares += part.squares;
        total.coefficients += part.coefficients;
        points += block.points();
    }
    factorisations_ += static_cast<long>(blocks_.size());
    setting_.noise_variance = limited(total.residual / static_cast<double>(points), setting_.noise_variance, limits);
    if (!limits.noise_only) setting_.variance = total.squares / static_cast<double>(total.coefficients);
}

void WalshEvidence::polish(const Assignment& assignment, const Improvement& limits) {
    for (int step = 0; step < 100; ++step) {
        const double before = setting_.noise_variance;
        improve(assignment, limits);
        if (std::abs(std::log(setting_.noise_variance / before)) < 1e-3) break;
    }
}

std::optional<double> WalshEvidence::points_per_coefficient(const Assignment& assignment) {
    double points = 0, coefficients = 0;
    for (WalshBlock& block : blocks_) {
        points += static_cast<double>(block.points());
        coefficients += static_cast<double>(block.moments(assignment, setting_).coefficients + 1);
    }
    return points / coefficients;
}

}  // namespace summand::structure
