// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/evidence_source.hpp"

#include "summand/structure/walsh_evidence.hpp"

namespace summand::structure {

std::unique_ptr<Evidence> EvidenceSource::annealing_evidence(int candidate_threads) const {
    if (!walsh()) return problem.gram_evidence(candidate_threads);
    // A coefficient of every parameter and some interactions share the variance 1 of y.
    return std::make_unique<WalshEvidence>(two_level, problem.y,
                                           Setting{{}, 1.0 / static_cast<double>(problem.dimension()), 0.3});
}

std::unique_ptr<Evidence> EvidenceSource::sampling_evidence() const {
    return walsh_samples() ? annealing_evidence(threads) : problem.gram_evidence(threads);
}

}  // namespace summand::structure
