// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/svg.hpp"

#include <vector>

namespace summand::plot {

/// A function on a grid: values[j * x.size() + i] at (x[i], y[j]); x and y increase.
struct Grid {
    std::vector<double> x = {}, y = {};
    std::vector<double> values = {};
    double at(std::size_t i, std::size_t j) const { return values[j * x.size() + i]; }
    double lowest() const;  ///< of the finite values; 0 if there are none
    double highest() const;
    bool valid() const;  ///< at least 2 x 2 and sizes that fit
};

/// The lines on which the function equals `level`, by marching squares with linear interpolation on the edges; a saddle
/// is decided by the mean of its four corners. A closed line repeats its first point. Cells with a corner that is not
/// finite are left out.
std::vector<std::vector<Xy>> contour_lines(const Grid& grid, double level);

/// The region where the function is at least `level`, as closed rings for the even-odd rule. Where the region meets the
/// edge of the grid the ring follows the edge.
std::vector<std::vector<Xy>> contour_rings(const Grid& grid, double level);

/// `count` levels strictly between low and high, equally spaced.
std::vector<double> contour_levels(double low, double high, int count);

}  // namespace summand::plot
