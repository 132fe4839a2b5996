// SPDX-License-Identifier: Apache-2.0
#pragma once
// The public interface: what this file includes, and what that includes, is installed and described in the API reference.
// Everything else below src/summand is detail: not installed, and free to change.

/// \namespace summand
/// Finds good settings of expensive functions: a SearchSpace, an Optimizer that is asked and told, a Study that keeps all of it.

#include "summand/base/error.hpp"           // what is thrown
#include "summand/optimizer/optimizer.hpp"  // Optimizer: ask and tell
#include "summand/optimizer/options.hpp"    // Options, Strategy
#include "summand/space/search_space.hpp"   // SearchSpace, Real, Integer, Choice, Levels
#include "summand/space/trial.hpp"          // Trial, TrialState
#include "summand/study/study.hpp"          // Study: an optimiser whose history lives in a database
