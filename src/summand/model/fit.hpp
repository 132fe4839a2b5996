// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/model/kernel.hpp"

#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

namespace summand {

/// Priors on standardised outputs, for maximum a posteriori (docs/math.md). Group variance: log-normal around 1/M.
struct GammaLengthscale {
    double shape = 3.0;
    double rate = 6.0;
};  ///< short and long alike [findings: best with learned groups]
struct LogNormalLengthscale {
    double location = -0.09;
    double scale = 1.0;
};  ///< location + log(group size)/2 [Hvarfner2024 form]
struct PooledLengthscale {
    double shape = 3.0;
    double rate = 6.0;
    double spread = 0.5;
};  ///< log-normal around the lengthscales' own geometric mean, which has the gamma prior (docs/math.md, eq. M9a)
using LengthscalePrior = std::variant<GammaLengthscale, LogNormalLengthscale, PooledLengthscale>;

struct FitOptions {
    KernelFamily family = KernelFamily::matern52;
    LengthscalePrior lengthscale = GammaLengthscale{};
    double variance_log_scale = 1.5;    ///< spread of log group variance around log(1/M)
    double noise_log_location = -9.21;  ///< log 1e-4 of var y
    double noise_log_scale = 2.0;
    bool isotropic = false;    ///< one lengthscale for all dimensions of a group
    int starts = 3;            ///< starting points; the first is the warm start if one is given
    int max_evaluations = 60;  ///< likelihoods with gradient, for each start
    int threads = 1;           ///< starts in parallel; never changes the result
};

struct FitResult {
    Hyperparameters hyperparameters = {};  ///< in the user's units
    double log_posterior =
        0.0;  ///< of standardised y, prior included, up to a constant: compares structures on the same data
    double log_likelihood = 0.0;  ///< eq. (1) in the user's units
    int evaluations = 0;
};

/// Hyperparameters by maximum a posteriori, bounded L-BFGS in logarithms with exact gradients, the mean profiled out.
FitResult fit_hyperparameters(const Partition& partition, const Matrix& X, const Vector& y,
                              const std::vector<bool>& unordered, const FitOptions& options, Rng rng,
                              const std::optional<Hyperparameters>& warm = {}, std::stop_token stop = {});

/// log marginal likelihood and its gradient in (log lengthscale (D), log variance (M), log noise_variance, mean).
struct LikelihoodGradient {
    double log_likelihood = 0.0;
    Vector gradient = {};
};
LikelihoodGradient log_likelihood_gradient(KernelFamily family, const Partition& partition,
                                           const Hyperparameters& hyperparameters, const Matrix& X, const Vector& y,
                                           const std::vector<bool>& unordered);

}  // namespace summand
