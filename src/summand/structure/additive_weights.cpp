// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/additive_weights.hpp"

#include "summand/structure/summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace summand::structure {
namespace {

// Hyperparameters are polished for so many samples: those that suit groups with a pair too few (a short lengthscale, say)
// hide that the pair is missing.
constexpr std::size_t samples_polished = 4;

}  // namespace

AdditiveWeights::AdditiveWeights(const Problem& problem, const Setting& start, std::vector<WeightedPartition> samples)
    : problem_(problem), start_(start), samples_(std::move(samples)) {
    for (const WeightedPartition& sample : samples_)
        assignments_.emplace_back(sample.partition, problem.prior.labels());
    for (std::size_t z = 0; z < std::min(samples_.size(), samples_polished); ++z) polish_for(z);
    find_best();
}

void AdditiveWeights::polish_for(std::size_t z) {
    const auto evidence = problem_.gram_evidence(1);
    if (start_.lengthscale.size() > 0) evidence->set(start_);
    evidence->polish(assignments_[z], problem_.limits());
    Column column{.setting = evidence->setting()};
    for (const Assignment& sample : assignments_) {
        problem_.check_stop();
        column.log_likelihood.push_back(evidence->log_likelihood(sample));
    }
    columns_.push_back(std::move(column));
    factorisations_ += evidence->factorisations();
}

void AdditiveWeights::find_best() {
    for (std::size_t h = 0; h < columns_.size(); ++h)
        for (std::size_t z = 0; z < samples_.size(); ++z)
            if (columns_[h].log_likelihood[z] > columns_[at_].log_likelihood[best_]) {
                best_ = z;
                at_ = h;
            }
}

bool AdditiveWeights::add(WeightedPartition candidate) {
    assignments_.emplace_back(candidate.partition, problem_.prior.labels());
    samples_.push_back(std::move(candidate));
    const std::size_t added = samples_.size() - 1;
    for (Column& column : columns_) {
        problem_.check_stop();
        const auto evidence = problem_.gram_evidence(1);
        evidence->set(column.setting);
        column.log_likelihood.push_back(evidence->log_likelihood(assignments_[added]));
        factorisations_ += evidence->factorisations();
    }
    polish_for(added);
    find_best();
    return best_ == added;
}

bool AdditiveWeights::holds(const Partition& partition) const {
    return std::any_of(samples_.begin(), samples_.end(), [&](const auto& z) { return z.partition == partition; });
}

std::vector<WeightedPartition> AdditiveWeights::weighted() const {
    std::vector<WeightedPartition> samples = samples_;
    const double highest = columns_[at_].log_likelihood[best_];
    if (!std::isfinite(highest)) return samples;  // nothing can be said against their shares
    double sum = 0;
    for (std::size_t z = 0; z < samples.size(); ++z) {
        samples[z].weight = 0;
        for (const Column& column : columns_) samples[z].weight += std::exp(column.log_likelihood[z] - highest);
        sum += samples[z].weight;
    }
    for (WeightedPartition& sample : samples) sample.weight /= sum;
    sort_by_weight(samples);
    return samples;
}

}  // namespace summand::structure
