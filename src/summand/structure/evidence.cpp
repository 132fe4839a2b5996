// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/evidence.hpp"

#include <algorithm>

namespace summand::structure {

double Evidence::limited(double noise, double before, const Improvement& limits) {
    return std::max(limits.noise_floor, std::min(noise, limits.noise_growth * before));
}

void RememberedEvidence::set(const Setting& setting) {
    evidence_.set(setting);
    known_.clear();
}

void RememberedEvidence::improve(const Assignment& assignment, const Improvement& limits) {
    evidence_.improve(assignment, limits);
    known_.clear();
}

void RememberedEvidence::polish(const Assignment& assignment, const Improvement& limits) {
    evidence_.polish(assignment, limits);
    known_.clear();
}

double RememberedEvidence::log_likelihood(const Assignment& assignment) {
    ++asked_;
    const auto found = known_.find(assignment.key());
    if (found != known_.end()) return found->second;
    return known_[assignment.key()] = evidence_.log_likelihood(assignment);
}

std::vector<double> RememberedEvidence::log_likelihoods_with(const Assignment& without_j, Index j,
                                                             const std::vector<Index>& labels) {
    asked_ += static_cast<long>(labels.size());
    std::vector<double> result(labels.size());
    std::vector<Index> missing;
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto found = known_.find(without_j.key_with(j, labels[i]));
        if (found != known_.end()) {
            result[i] = found->second;
        } else {
            missing.push_back(labels[i]);
            place.push_back(i);
        }
    }
    if (missing.empty()) return result;
    const std::vector<double> fresh = evidence_.log_likelihoods_with(without_j, j, missing);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        result[place[i]] = fresh[i];
        known_[without_j.key_with(j, missing[i])] = fresh[i];
    }
    return result;
}

}  // namespace summand::structure
