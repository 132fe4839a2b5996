// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/learner.hpp"

namespace summand::structure {

/// Throws InvalidArgument for given hyperparameters, or a start of learned ones, that cannot be used.
void check_hyperparameters(const LearnOptions& options, Index dimension);

/// The options for y / unit; hyperparameters so far from the values that they leave [1e-100, 1e100] stop there.
LearnOptions in_units(LearnOptions options, double unit);
/// A posterior of y / unit as one of y.
StructurePosterior in_users_units(StructurePosterior posterior, double unit);

}  // namespace summand::structure
