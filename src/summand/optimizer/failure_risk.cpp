// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/failure_risk.hpp"

#include <cmath>

namespace summand::optimizer {
namespace {

double weight(double mean_squared_distance) {
    return std::pow(mean_squared_distance + 1e-6, -3);
}

}  // namespace

FailureRisk::FailureRisk(Matrix told, Matrix failed, std::vector<bool> unordered)
    : told_(std::move(told)), failed_(std::move(failed)), unordered_(std::move(unordered)) {}

double FailureRisk::weight_sum(const Matrix& rows, const Vector& x) const {
    double sum = 0.0;
    for (Index i = 0; i < rows.rows(); ++i) {
        double distance2 = 0.0;
        for (Index j = 0; j < x.size(); ++j) {
            const double difference = rows(i, j) - x(j);
            const bool choice = unordered_[static_cast<std::size_t>(j)];
            distance2 += choice ? (difference != 0.0 ? 1.0 : 0.0) : difference * difference;
        }
        sum += weight(distance2 / static_cast<double>(x.size()));
    }
    return sum;
}

double FailureRisk::operator()(const Vector& x) const {
    const double prior_success = 0.5 * weight(0.1 * 0.1);
    const double failed = weight_sum(failed_, x);
    return failed / (prior_success + failed + weight_sum(told_, x));
}

}  // namespace summand::optimizer
