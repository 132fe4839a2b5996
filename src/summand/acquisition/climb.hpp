// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"
#include "summand/acquisition/surface.hpp"

#include <functional>
#include <vector>

namespace summand {

/// A function for each start, evaluated at many rows in one call: row i belongs to start owner[i].
struct RowFunction {
    std::function<Vector(const Matrix& Z, const std::vector<Index>& owner)> values = {};
    std::function<ValueGradients(const Matrix& Z, const std::vector<Index>& owner)> gradients = {};
};
/// The same function for every start.
RowFunction row_function(const Surface& surface);

struct Climbed {
    Matrix points = {};  ///< one row for each start
    Vector values = {};
};

/// Local maxima from every row of `starts` (rows of the domain): bounded quasi-Newton steps in the columns that are not
/// listed, in turn with a search along every listed column (all its values; of an ordered column of more than 64 the 8
/// nearest and ever farther ones), until neither helps. Never worse than the start; the result lies in the domain.
///
/// All starts advance in the same rounds and share each call of f, because at N observations a call costs N² whether it
/// carries one point or ten. A start stops when a step gains less than `tolerance`. At most `rounds` rounds of steps.
Climbed climb(const RowFunction& f, const Domain& domain, const Matrix& starts, int rounds, double tolerance);

}  // namespace summand
