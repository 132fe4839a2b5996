// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/contour.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace summand::plot {
namespace {

Grid sampled(int n, double low, double high, const std::function<double(double, double)>& f) {
    Grid grid;
    for (int i = 0; i < n; ++i) grid.x.push_back(low + (high - low) * i / (n - 1));
    grid.y = grid.x;
    for (const double y : grid.y)
        for (const double x : grid.x) grid.values.push_back(f(x, y));
    return grid;
}

double length(const std::vector<Xy>& line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        sum += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    return sum;
}

// Positive when the ring runs counter-clockwise.
double area(const std::vector<Xy>& ring) {
    double sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Xy a = ring[i], b = ring[(i + 1) % ring.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return sum / 2;
}

double total_area(const std::vector<std::vector<Xy>>& rings) {
    double sum = 0;
    for (const auto& ring : rings) sum += area(ring);
    return std::abs(sum);
}

TEST(ContourLines, OfAParaboloidAreACircle) {
    constexpr int n = 61;
    const double h = 2.0 / (n - 1);
    const Grid grid = sampled(n, -1, 1, [](double x, double y) { return x * x + y * y; });
    const auto lines = contour_lines(grid, 0.49);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].front().x, lines[0].back().x);
    EXPECT_EQ(lines[0].front().y, lines[0].back().y);
    // Linear interpolation of a function with second derivative 2 errs by at most h²/8 * 2, the radius by that over 2 r.
    for (const Xy& p : lines[0]) EXPECT_NEAR(std::hypot(p.x, p.y), 0.7, h * h / 4 / (2 * 0.69));
    // A polygon inscribed with chords up to sqrt(2) h is shorter by less than 1/24 (chord / r)² and the radius' share.
    EXPECT_NEAR(length(lines[0]), 2 * std::numbers::pi * 0.7,
                2 * std::numbers::pi * 0.7 * (2 * h * h / 24 / 0.49 + h * h / 2));
}

TEST(ContourRings, EncloseTheRegionAboveTheLevelWithItsHolesAndTheEdge) {
    const double circle = std::numbers::pi * 0.49;
    const Grid bowl = sampled(61, -1, 1, [](double x, double y) { return x * x + y * y; });
    // At least 0.49: the square [-1,1]² less the disc.
    EXPECT_NEAR(total_area(contour_rings(bowl, 0.49)), 4 - circle, 2e-3);
    EXPECT_EQ(contour_rings(bowl, 0.49).size(), 2u);
    const Grid hill = sampled(61, -1, 1, [](double x, double y) { return -x * x - y * y; });
    EXPECT_NEAR(total_area(contour_rings(hill, -0.49)), circle, 2e-3);
    EXPECT_NEAR(total_area(contour_rings(hill, -10)), 4, 1e-12);
    EXPECT_TRUE(contour_rings(hill, 10).empty());
}

TEST(ContourLines, OfAPlaneAreStraightAndOpen) {
    const Grid grid = sampled(11, 0, 1, [](double x, double y) { return x + 2 * y; });
    const auto lines = contour_lines(grid, 1.03);
    ASSERT_EQ(lines.size(), 1u);
    for (const Xy& p : lines[0]) EXPECT_NEAR(p.x + 2 * p.y, 1.03, 1e-12);
    EXPECT_NEAR(length(lines[0]), std::hypot(1, 0.5), 1e-12);
}

TEST(ContourLines, ASaddleJoinsTheSideOfItsMiddle) {
    Grid grid{{0, 1}, {0, 1}, {1, 0, 0, 1}};  // mean 0.5
    for (const double level : {0.4, 0.6}) {
        const auto lines = contour_lines(grid, level);
        ASSERT_EQ(lines.size(), 2u);
        // Below the mean the high corners are joined, so each line cuts off a low corner, and the other way round.
        const bool cuts_low = level < 0.5;
        for (const auto& line : lines) {
            const Xy middle{(line[0].x + line[1].x) / 2, (line[0].y + line[1].y) / 2};
            const bool near_low = (middle.x - 0.5) * (middle.y - 0.5) < 0;
            EXPECT_EQ(near_low, cuts_low) << level;
        }
    }
}

TEST(Contours, LeaveOutWhatIsNotFinite) {
    Grid grid = sampled(11, -1, 1, [](double x, double y) { return x * x + y * y; });
    grid.values[5 * 11 + 5] = std::nan("");
    for (const auto& line : contour_lines(grid, 0.5))
        for (const Xy& p : line) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
    EXPECT_FALSE(contour_rings(grid, 0.5).empty());
    EXPECT_TRUE(contour_lines(Grid{{0}, {0}, {1}}, 0.5).empty());
    EXPECT_EQ(contour_levels(0, 4, 3), (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(contour_levels(1, 1, 3).empty());
}

}  // namespace
}  // namespace summand::plot
