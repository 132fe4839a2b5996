// SPDX-License-Identifier: Apache-2.0
#include "problems/rover.hpp"

#include "problems/parameters.hpp"
#include "problems/rover_obstacles.hpp"

#include <algorithm>
#include <cmath>

namespace summand::problems {
namespace {

constexpr Index guide_count = 30;
constexpr Index path_count = 1000;
using Cubic = Eigen::Matrix<double, 4, 2>;  ///< coefficients of u⁰ .. u³ for x and y

/// Which obstacles reach into each cell of a 20 x 20 grid over the unit square; a point asks only its own cell.
class ObstacleMap {
  public:
    ObstacleMap() {
        for (const auto& centre : rover_obstacles)
            for (int i = cell(centre[0] - rover_half_side); i <= cell(centre[0] + rover_half_side); ++i)
                for (int j = cell(centre[1] - rover_half_side); j <= cell(centre[1] + rover_half_side); ++j)
                    cells_[index(i, j)].push_back(centre);
    }

    /// In an obstacle, low <= q < high in both coordinates, or outside [0,1)².
    bool blocked(double x, double y) const {
        if (!(x >= 0.0 && x < 1.0 && y >= 0.0 && y < 1.0)) return true;
        return std::ranges::any_of(cells_[index(cell(x), cell(y))], [x, y](const std::array<double, 2>& centre) {
            return inside(x, centre[0]) && inside(y, centre[1]);
        });
    }

  private:
    static constexpr int side = 20;
    static bool inside(double q, double centre) {
        return centre - rover_half_side <= q && q < centre + rover_half_side;
    }
    static int cell(double q) { return std::clamp(static_cast<int>(q * side), 0, side - 1); }
    static std::size_t index(int i, int j) { return static_cast<std::size_t>(i * side + j); }
    std::array<std::vector<std::array<double, 2>>, side * side> cells_;
};

/// u_1 = 0 .. u_30 = 1, increasing by the distances between neighbours; equally spaced if all points are the same.
Vector chord_parameter(const Matrix& points) {
    Vector u = Vector::Zero(points.rows());
    for (Index i = 1; i < u.size(); ++i) u[i] = u[i - 1] + (points.row(i) - points.row(i - 1)).norm();
    const double length = u[u.size() - 1];
    if (length == 0.0) return Vector::LinSpaced(u.size(), 0.0, 1.0);
    return u / length;
}

/// Least squares by modified Gram-Schmidt of the columns 1, u, u², u³ (30 x 4, condition about 10³: no normal equations).
Cubic fit_cubic(const Vector& u, const Matrix& points) {
    Eigen::Matrix<double, guide_count, 4> Q;
    Eigen::Matrix<double, 4, 4> R = Eigen::Matrix<double, 4, 4>::Zero();
    for (Index k = 0; k < 4; ++k) {
        if (k == 0)
            Q.col(k).setOnes();
        else
            Q.col(k) = u.array().pow(static_cast<int>(k)).matrix();
        for (Index i = 0; i < k; ++i) {
            R(i, k) = Q.col(i).dot(Q.col(k));
            Q.col(k) -= R(i, k) * Q.col(i);
        }
        R(k, k) = Q.col(k).norm();
        Q.col(k) /= R(k, k);
    }
    Cubic cubic = Q.transpose() * points;
    for (Index k = 3; k >= 0; --k) {
        for (Index i = k + 1; i < 4; ++i) cubic.row(k) -= R(k, i) * cubic.row(i);
        cubic.row(k) /= R(k, k);
    }
    return cubic;
}

Matrix sample_path(const Cubic& cubic) {
    const Eigen::ArrayXd u = Eigen::ArrayXd::LinSpaced(path_count, 0.0, 1.0);
    Matrix path(path_count, 2);
    for (Index c = 0; c < 2; ++c)
        path.col(c) = (((cubic(3, c) * u + cubic(2, c)) * u + cubic(1, c)) * u + cubic(0, c)).matrix();
    return path;
}

}  // namespace

RoverTrip drive_rover(const Vector& raw) {
    static const ObstacleMap map;
    RoverTrip trip;
    trip.guides = Eigen::Map<const Eigen::Matrix<double, 2, guide_count>>(raw.data()).transpose();
    trip.path = sample_path(fit_cubic(chord_parameter(trip.guides), trip.guides));
    const Matrix& q = trip.path;
    trip.hits.resize(static_cast<std::size_t>(path_count));
    double cost = 0.0, previous = 0.0;
    for (Index k = 0; k < path_count; ++k) {
        const bool hit = map.blocked(q(k, 0), q(k, 1));
        trip.hits[static_cast<std::size_t>(k)] = hit;
        const double here = 0.05 + (hit ? 20.0 : 0.0);
        // Trapezoids: Σ |q_{k+1} - q_k| (c_k + c_{k+1}) / 2.
        if (k > 0) cost += std::hypot(q(k, 0) - q(k - 1, 0), q(k, 1) - q(k - 1, 1)) * (previous + here) / 2.0;
        previous = here;
    }
    // The penalties are 1-norms.
    cost += 10.0 * (q.row(0).array() - rover_start).abs().sum();
    cost += 10.0 * (q.row(path_count - 1).array() - rover_goal).abs().sum();
    trip.value = 5.0 - cost;
    return trip;
}

Problem make_rover(const std::string& name, const Options& options) {
    std::vector<Range> ranges;
    for (Index i = 1; i <= guide_count; ++i) {
        ranges.push_back({indexed("x", i), 0.0, 1.0});
        ranges.push_back({indexed("y", i), 0.0, 1.0});
    }
    const auto function = [stddev = options.noise_stddev](const Vector& x, Rng& noise) {
        Vector raw = (1.2 * x.array() - 0.1).matrix();
        if (stddev > 0.0)
            for (double& coordinate : raw) coordinate += stddev * noise.normal();
        return drive_rover(raw).value;
    };
    // No path is shorter than the straight line, and missing start or goal by d costs 10 d to save 0.05 d.
    const Best bound{5.0 - 0.05 * std::sqrt(2.0) * (rover_goal - rover_start), Best::Kind::bound, {}};
    return Problem(name, make_space(ranges, options), options, function, [bound] { return bound; });
}

}  // namespace summand::problems
