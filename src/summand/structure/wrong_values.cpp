// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/wrong_values.hpp"

#include "summand/base/kth_smallest.hpp"
#include "summand/numeric/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace summand::structure {
namespace {

// Standard deviations of the residuals. Right values beyond it are rare, and what leaving one out costs is one point.
constexpr double far_off = 3.5;
constexpr double bisquare_width = 4.685;  // 95 % efficient at the normal distribution
constexpr double median_to_stddev = 1.4826;
constexpr Index fewest_points = 20;
constexpr int reweightings = 15;

double median(const Vector& values) {
    return kth_smallest(values, values.size() / 2);
}

double robust_stddev(const Vector& residual) {
    return median_to_stddev * median(residual.cwiseAbs());
}

Vector bisquare(const Vector& residual, double stddev) {
    const Eigen::ArrayXd u = residual.array() / (bisquare_width * stddev);
    return (u.abs() < 1.0).select((1.0 - u.square()).square(), 0.0).matrix();
}

// A constant, a line for each parameter, and a parabola if there are four points for each coefficient.
Matrix main_effects(const Matrix& X) {
    const Index N = X.rows(), D = X.cols();
    const bool lines = N >= 2 * (D + 1), parabolas = N >= 4 * (2 * D + 1);
    Matrix F = Matrix::Ones(N, 1 + (lines ? D : 0) + (parabolas ? D : 0));
    if (lines) F.middleCols(1, D) = 2.0 * X.array() - 1.0;
    if (parabolas) F.rightCols(D) = (2.0 * X.array() - 1.0).square() - 1.0 / 3.0;
    return F;
}

}  // namespace

Index most_wrong_values(Index points) {
    return std::max<Index>(3, points / 50);
}

std::vector<Index> far_off_rows(const Matrix& X, const Vector& y) {
    const Index N = y.size();
    if (N < fewest_points) return {};
    // In units of the median distance from the median; first of the largest value, so that nothing overflows.
    const Vector unit = y / y.cwiseAbs().maxCoeff();
    const Vector distance = (unit.array() - median(unit)).matrix();
    double stddev = robust_stddev(distance);
    if (!(stddev > 0)) return {};
    const double least = least_wrong_share * stddev;
    Vector residual = distance;
    Matrix F = main_effects(X);
    for (int step = 0; step < reweightings; ++step) {
        const Vector weight = bisquare(residual, stddev);
        const Matrix weighted = F.transpose() * weight.asDiagonal();
        Matrix A = weighted * F;
        A.diagonal().array() += 1e-8 * static_cast<double>(N);  // levels that never change
        // Values of weight 0 may be beyond all bounds: 0 times them must be 0.
        const Vector kept = (weight.array() > 0.0).select(distance, 0.0).matrix();
        const auto factor = Cholesky::try_factor(std::move(A));
        if (!factor) return {};
        residual = distance - F * factor->solve(Vector(weighted * kept));
        stddev = robust_stddev(residual) * std::sqrt(static_cast<double>(N) / static_cast<double>(N - F.cols()));
        if (!(stddev > 0)) return {};
    }
    std::vector<Index> rows;
    for (Index i = 0; i < N; ++i)
        if (std::abs(residual(i)) > std::max(far_off * stddev, least)) rows.push_back(i);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](Index a, Index b) { return std::abs(residual(a)) > std::abs(residual(b)); });
    rows.resize(static_cast<std::size_t>(std::min<Index>(static_cast<Index>(rows.size()), most_wrong_values(N))));
    return rows;
}

}  // namespace summand::structure
