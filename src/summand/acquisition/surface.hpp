// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <functional>

namespace summand {

/// Values of a function at the rows of a matrix and, row by row, its gradients.
struct ValueGradients {
    Vector value = {};
    Matrix gradient = {};  ///< one row for each point
};

/// A function to be maximised over a group's columns, or over all columns. Const methods may be called at once.
class Surface {
  public:
    virtual ~Surface() = default;
    virtual Index dimension() const = 0;
    virtual Vector values(const Matrix& Z) const = 0;
    /// Many points in one call: the cost at N observations is memory traffic, and a block of points shares it.
    /// The gradient with respect to an unordered column is 0.
    virtual ValueGradients gradients(const Matrix& Z) const = 0;
    /// A cheap stand-in for values(), good enough to rank many points before the best are evaluated exactly.
    virtual Vector screen(const Matrix& Z) const { return values(Z); }
};

/// An acquisition that reads only mean and standard deviation, with its two derivatives.
struct Score {
    double value = 0.0, by_mean = 0.0, by_stddev = 0.0;
};
using Formula = std::function<Score(double mean, double stddev)>;

}  // namespace summand
