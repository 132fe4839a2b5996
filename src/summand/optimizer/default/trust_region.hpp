// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

namespace summand::optimizer {

/// A box around the best point that grows with success and shrinks with failure [Eriksson2019, sec. 2].
/// Differs from TuRBO: what counts is rounds of ten evaluations or more, however many were asked for at once, so that answers
/// one by one mean the same as batches; a region that has shrunk to nothing starts again at its first size around the same
/// point, and all data are kept.
struct TrustRegion {
    double length = 0.8;        ///< side of the box, of the unit cube, before relative lengthscales
    int successes = 0;          ///< rounds in a row that brought something better
    int failures = 0;           ///< evaluations in rounds in a row that did not
    int round_evaluations = 0;  ///< in the round that has not ended
    bool round_improved = false;
    bool operator==(const TrustRegion&) const = default;
};

/// After `evaluations` new values of which the best is `improved` or not. At the end of a round: doubles after 3 successful rounds
/// in a row, halves after as many failed evaluations as there are dimensions (TuRBO: max(4, D) / batch size batches).
TrustRegion updated(TrustRegion region, bool improved, int evaluations, Index dimension);

/// low and high of the box: sides in proportion to lengthscales, their geometric mean `length`; cut at the unit cube.
struct Box {
    Vector low = {}, high = {};
};
Box box_around(const Vector& centre, double length, const Vector& lengthscale);

}  // namespace summand::optimizer
