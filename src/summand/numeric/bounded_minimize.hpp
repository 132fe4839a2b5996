// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <functional>

namespace summand {

/// Returns f(x) and writes its gradient. A value that is not finite means "not here": the search steps back.
using DifferentiableFunction = std::function<double(const Vector& x, Vector& gradient)>;

struct MinimizeOptions {
    int max_evaluations = 100;  ///< of f with its gradient; at least 1 is made
    double gradient_tolerance =
        1e-6;                        ///< stop when no step along the projected gradient is longer (largest coordinate)
    double value_tolerance = 1e-10;  ///< stop when a step gains less than this times max(1, |f|)
    double first_step = 0.3;         ///< length of the first step in its longest coordinate, as a share of the box
    int memory = 8;                  ///< pairs kept to model the curvature
};

struct MinimizeResult {
    Vector x = {};
    double value = 0.0;
    int evaluations = 0;
    bool converged = false;  ///< by one of the two tolerances, not by running out of evaluations
};

/// A local minimum of a smooth function on the box low <= x <= high, from x0 (moved into the box first).
///
/// Limited-memory BFGS on the coordinates that are not held at a bound, with backtracking along the projected path
/// [Bertsekas1982; Nocedal2006, sec. 7.2]. Every accepted step lowers f, so the result is the best point seen.
/// Never throws for a hard function; exceptions of f pass through. If f(x0) is not finite the result is x0 itself.
/// Why not a library: docs/decisions/0003-linear-algebra-and-optimiser.md.
MinimizeResult minimize_bounded(const DifferentiableFunction& f, const Vector& x0, const Vector& low,
                                const Vector& high, const MinimizeOptions& options = {});

}  // namespace summand
