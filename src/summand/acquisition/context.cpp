// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/context.hpp"

#include "summand/acquisition/group_kernel.hpp"

namespace summand {

double best_observed_mean(const Context& context) {
    const AdditiveGp& gp = context.gp;
    if (gp.size() == 0) return context.group ? 0.0 : gp.hyperparameters().mean;
    if (context.group) {
        const GroupKernel kernel(gp, *context.group);
        return kernel.mean(kernel.observed()).maxCoeff();
    }
    // mean + K α = y - σ² α, because (K + σ² I) α = y - mean.
    return (gp.values() - (gp.hyperparameters().noise_variance + gp.jitter()) * gp.alpha()).maxCoeff();
}

}  // namespace summand
