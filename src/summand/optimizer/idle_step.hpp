// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"

#include <vector>

namespace summand::optimizer {

/// Parameters that seem to do nothing where the search stands (a hand that touches no object, an option of a feature that is
/// switched off), in increasing order. Elsewhere in their range they may matter, and no slope and no model points there:
/// all values seen there belong to other settings of the parameters that do matter.
///
/// How much is lost by moving parameter j far away, s_j >= 0 in parts of what separates the centre from the median:
///     min(1, (y_centre - y_i) / (y_centre - median))  ≈  Σ_j s_j min(1, |x_ij - centre_j| / 0.2).
/// A value as good as the centre's acquits every parameter in which its point differs; a bad one accuses all of them together.
/// Every call weighs the values anew (Bayesian bootstrap [Rubin1981]): the less is known, the more the answers differ.
std::vector<Index> idle_parameters(const Matrix& X, const Vector& y, Index centre, Rng& rng);

/// The centre with these parameters drawn anew, anywhere in the domain.
Vector redrawn(const Domain& domain, const Vector& centre, const std::vector<Index>& parameters, Rng& rng);

}  // namespace summand::optimizer
