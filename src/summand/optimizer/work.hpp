// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/optimizer/options.hpp"

namespace summand::optimizer {

/// Floating-point operations of learning a structure, roughly: a sweep moves every parameter and tries about D/2 groups,
/// each a Cholesky factorisation (N³/3).
double learning_work(Index dimension, Index points, int sweeps);

/// Whether learning that costs `work` fits into what the user allows, `spent` already used: evaluations so far times
/// Options::evaluation_seconds times suggestion_share, at 10^10 operations a second (a fast core does more, so the share is
/// kept, not exhausted). Counted, never measured. The first time is always allowed: without a structure there is no model.
bool affordable(const Options& options, double work, double spent, Index evaluations);

}  // namespace summand::optimizer
