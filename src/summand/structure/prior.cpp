// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/prior.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <math.h>

namespace summand::structure {
namespace {

constexpr Index most_labels = 10'000;

// std::lgamma also writes the global `signgam`, a race between chains that run side by side.
double log_gamma(double x) {
    int sign = 0;
    return lgamma_r(x, &sign);
}

}  // namespace

AssignmentPrior::AssignmentPrior(const PriorOptions& options, Index dimension) {
    process_ = std::holds_alternative<DirichletProcess>(options.family);
    labels_ = dimension;
    if (const auto* finite = std::get_if<DirichletMultinomial>(&options.family); finite && finite->labels != 0)
        labels_ = finite->labels;
    if (labels_ < 1 || labels_ > std::max(most_labels, dimension))
        throw InvalidArgument("prior: " + std::to_string(labels_) + " labels were given; between 1 and " +
                              std::to_string(most_labels) + " are allowed (0 means one for each parameter)");
    alpha_ = options.alpha;
    if (alpha_.size() != 1 && (process_ || static_cast<Index>(alpha_.size()) != labels_))
        throw InvalidArgument("prior: alpha has " + std::to_string(alpha_.size()) +
                              " numbers; give one for all labels" +
                              (process_ ? "" : ", or one for each of the " + std::to_string(labels_)));
    for (const double alpha : alpha_)
        if (!(alpha > 0) || !std::isfinite(alpha))
            throw InvalidArgument("prior: alpha is " + std::to_string(alpha) +
                                  "; it must be above 0 (the paper uses 1)");
    alpha_.resize(static_cast<std::size_t>(labels_), alpha_.front());
}

double AssignmentPrior::log_weight(Index label, Index count, Index empty) const {
    const double alpha = alpha_[static_cast<std::size_t>(label)];
    // DM: n_m + α_m.  DP: n_m for labels in use; the unused ones share α.
    if (!process_) return std::log(static_cast<double>(count) + alpha);
    return count > 0 ? std::log(static_cast<double>(count)) : std::log(alpha / static_cast<double>(empty));
}

double AssignmentPrior::log_weight_of_new(const std::vector<Index>& counts_without_j) const {
    if (process_) return std::log(alpha_.front());
    double total = 0;
    for (std::size_t m = 0; m < alpha_.size(); ++m)
        if (counts_without_j[m] == 0) total += alpha_[m];
    return std::log(total);
}

Index AssignmentPrior::draw_unused(const std::vector<Index>& counts_without_j, Rng& rng) const {
    std::vector<double> log_weights(alpha_.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t m = 0; m < alpha_.size(); ++m)
        if (counts_without_j[m] == 0) log_weights[m] = process_ ? 0.0 : std::log(alpha_[m]);
    return static_cast<Index>(rng.categorical_log(log_weights));
}

double AssignmentPrior::log_density(const std::vector<Index>& counts) const {
    double sum = 0;
    Index unused = 0;
    for (std::size_t m = 0; m < counts.size(); ++m) {
        if (counts[m] == 0) {
            ++unused;
            continue;
        }
        const auto n = static_cast<double>(counts[m]);
        sum += process_ ? std::log(alpha_.front()) + log_gamma(n) : log_gamma(n + alpha_[m]) - log_gamma(alpha_[m]);
    }
    return process_ ? sum + log_gamma(static_cast<double>(unused) + 1) : sum;
}

// G groups have M! / (M - G)! labellings.
double AssignmentPrior::log_mass(const std::vector<Index>& counts) const {
    const auto unused = static_cast<double>(std::count(counts.begin(), counts.end(), 0));
    return log_density(counts) - log_gamma(unused + 1);
}

}  // namespace summand::structure
