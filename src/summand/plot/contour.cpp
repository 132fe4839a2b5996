// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/contour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace summand::plot {
namespace {

// Edges of the grid have numbers: 2 (j nx + i) goes from node (i, j) to (i + 1, j), one more goes to (i, j + 1).
using Edge = std::size_t;

// One piece of the line inside a cell, oriented so that the higher side lies on its left (y up). Each edge is then left
// by at most one piece and reached by at most one, so chains follow from two maps.
struct Pieces {
    std::map<Edge, Edge> next = {};
    std::map<Edge, bool> reached = {};
    void add(Edge from, Edge to) {
        next[from] = to;
        reached[to] = true;
    }
};

void march_cell(const Grid& grid, std::size_t i, std::size_t j, double level, Pieces& pieces) {
    const std::size_t nx = grid.x.size();
    // Corners in counter-clockwise order from (i, j), and the edge after each corner.
    const double corner[4] = {grid.at(i, j), grid.at(i + 1, j), grid.at(i + 1, j + 1), grid.at(i, j + 1)};
    if (!std::all_of(corner, corner + 4, [](double v) { return !std::isnan(v) && v < HUGE_VAL; })) return;
    const Edge edge[4] = {2 * (j * nx + i), 2 * (j * nx + i + 1) + 1, 2 * ((j + 1) * nx + i), 2 * (j * nx + i) + 1};
    // Going round, the line leaves the cell where high turns to low... and enters where low turns to high.
    std::vector<Edge> up, down;
    for (std::size_t k = 0; k < 4; ++k) {
        const bool here = corner[k] >= level, there = corner[(k + 1) % 4] >= level;
        if (!here && there) up.push_back(edge[k]);
        if (here && !there) down.push_back(edge[k]);
    }
    if (up.size() == 1) pieces.add(down[0], up[0]);
    if (up.size() != 2) return;
    // A saddle. Ordered round the cell; the high corner between up[k] and the following down is cut off alone when the
    // middle is low, and joined with the other high corner when it is high.
    const double middle = (corner[0] + corner[1] + corner[2] + corner[3]) / 4;
    const bool first_high = corner[0] >= level;  // then the order round is down, up, down, up; else up, down, up, down
    if (first_high) {
        pieces.add(down[0], middle >= level ? up[0] : up[1]);
        pieces.add(down[1], middle >= level ? up[1] : up[0]);
    } else {
        pieces.add(down[0], middle >= level ? up[1] : up[0]);
        pieces.add(down[1], middle >= level ? up[0] : up[1]);
    }
}

Xy crossing(const Grid& grid, Edge edge, double level) {
    const std::size_t nx = grid.x.size(), node = edge / 2, i = node % nx, j = node / nx;
    const std::size_t i2 = edge % 2 == 0 ? i + 1 : i, j2 = edge % 2 == 0 ? j : j + 1;
    const double a = grid.at(i, j), b = grid.at(i2, j2);
    const double t = std::isinf(a) ? 1.0 : std::isinf(b) ? 0.0 : (level - a) / (b - a);
    return {grid.x[i] + t * (grid.x[i2] - grid.x[i]), grid.y[j] + t * (grid.y[j2] - grid.y[j])};
}

std::vector<std::vector<Xy>> chains(const Grid& grid, Pieces& pieces, double level) {
    std::vector<std::vector<Xy>> lines;
    const auto follow = [&](Edge start) {
        std::vector<Xy> line = {crossing(grid, start, level)};
        for (auto it = pieces.next.find(start); it != pieces.next.end(); it = pieces.next.find(start)) {
            start = it->second;
            pieces.next.erase(it);
            line.push_back(crossing(grid, start, level));
        }
        lines.push_back(std::move(line));
    };
    std::vector<Edge> open;
    for (const auto& [from, to] : pieces.next)
        if (!pieces.reached.contains(from)) open.push_back(from);
    for (const Edge start : open) follow(start);
    while (!pieces.next.empty()) follow(pieces.next.begin()->first);
    return lines;
}

// The grid with a frame of no width and value -inf around it: every line on it is closed.
Grid framed(const Grid& grid) {
    Grid result;
    const auto stretched = [](const std::vector<double>& v) {
        std::vector<double> r = {v.front()};
        r.insert(r.end(), v.begin(), v.end());
        r.push_back(v.back());
        return r;
    };
    result.x = stretched(grid.x);
    result.y = stretched(grid.y);
    const std::size_t nx = result.x.size();
    result.values.assign(nx * result.y.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < grid.y.size(); ++j)
        for (std::size_t i = 0; i < grid.x.size(); ++i) {
            const double v = grid.at(i, j);
            if (std::isfinite(v)) result.values[(j + 1) * nx + i + 1] = v;
        }
    return result;
}

}  // namespace

double Grid::lowest() const {
    double low = HUGE_VAL;
    for (const double v : values)
        if (std::isfinite(v)) low = std::min(low, v);
    return std::isfinite(low) ? low : 0.0;
}

double Grid::highest() const {
    double high = -HUGE_VAL;
    for (const double v : values)
        if (std::isfinite(v)) high = std::max(high, v);
    return std::isfinite(high) ? high : 0.0;
}

bool Grid::valid() const {
    return x.size() >= 2 && y.size() >= 2 && values.size() == x.size() * y.size();
}

std::vector<std::vector<Xy>> contour_lines(const Grid& grid, double level) {
    if (!grid.valid()) return {};
    Pieces pieces;
    for (std::size_t j = 0; j + 1 < grid.y.size(); ++j)
        for (std::size_t i = 0; i + 1 < grid.x.size(); ++i) {
            const bool finite = std::isfinite(grid.at(i, j)) && std::isfinite(grid.at(i + 1, j)) &&
                                std::isfinite(grid.at(i, j + 1)) && std::isfinite(grid.at(i + 1, j + 1));
            if (finite) march_cell(grid, i, j, level, pieces);
        }
    return chains(grid, pieces, level);
}

std::vector<std::vector<Xy>> contour_rings(const Grid& grid, double level) {
    if (!grid.valid()) return {};
    const Grid closed = framed(grid);
    Pieces pieces;
    for (std::size_t j = 0; j + 1 < closed.y.size(); ++j)
        for (std::size_t i = 0; i + 1 < closed.x.size(); ++i) march_cell(closed, i, j, level, pieces);
    return chains(closed, pieces, level);
}

std::vector<double> contour_levels(double low, double high, int count) {
    std::vector<double> levels;
    if (!(high > low)) return levels;
    for (int k = 1; k <= count; ++k) levels.push_back(low + (high - low) * k / (count + 1));
    return levels;
}

}  // namespace summand::plot
