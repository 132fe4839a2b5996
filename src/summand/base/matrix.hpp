// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>

namespace summand {

/// Points are rows of an N x D matrix stored by columns, so the N values of one parameter lie side by side in memory.
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

}  // namespace summand
