// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace summand::plot {
namespace {

struct Growing {
    Axis::Scale scale;
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    void add(double v) {
        if (!std::isfinite(v) || (scale == Axis::Scale::log && !(v > 0))) return;
        range.low = std::min(range.low, v);
        range.high = std::max(range.high, v);
    }
    void add(const std::vector<double>& values) {
        for (const double v : values) add(v);
    }
};

struct Extents {
    Growing& x;
    Growing& y;
    void operator()(const Line& s) const { x.add(s.x), y.add(s.y); }
    void operator()(const Band& s) const { x.add(s.x), y.add(s.low), y.add(s.high); }
    void operator()(const Scatter& s) const { x.add(s.x), y.add(s.y); }
    void operator()(const ErrorBars& s) const {
        x.add(s.x);
        for (std::size_t i = 0; i < std::min(s.y.size(), s.error.size()); ++i)
            y.add(s.y[i] - s.error[i]), y.add(s.y[i] + s.error[i]);
    }
    void operator()(const Bars& s) const {
        Growing& value = s.horizontal ? x : y;
        value.add(0.0);
        for (std::size_t i = 0; i < s.values.size(); ++i) {
            const double error = i < s.errors.size() ? s.errors[i] : 0.0;
            value.add(s.values[i] + (s.values[i] < 0 ? -error : error));
        }
    }
    void operator()(const HeatMap& s) const {
        if (!s.grid.x.empty() && !s.grid.y.empty()) x.add(cell_edges(s.grid.x)), y.add(cell_edges(s.grid.y));
    }
    void operator()(const Contours& s) const { x.add(s.grid.x), y.add(s.grid.y); }
    void operator()(const Labels& s) const { x.add(s.x), y.add(s.y); }
    void operator()(const Rule& s) const { (s.vertical ? x : y).add(s.at); }
};

}  // namespace

// Halfway between neighbours, and as far outside the ends.
std::vector<double> cell_edges(const std::vector<double>& centres) {
    const std::size_t n = centres.size();
    if (n == 1) return {centres[0] - 0.5, centres[0] + 0.5};
    std::vector<double> edges = {centres[0] - (centres[1] - centres[0]) / 2};
    for (std::size_t i = 0; i + 1 < n; ++i) edges.push_back((centres[i] + centres[i + 1]) / 2);
    edges.push_back(centres[n - 1] + (centres[n - 1] - centres[n - 2]) / 2);
    return edges;
}

Extent extent_of(const std::vector<Series>& series, Axis::Scale x_scale, Axis::Scale y_scale) {
    Growing x{x_scale}, y{y_scale};
    for (const Series& s : series) std::visit(Extents{x, y}, s);
    return {x.range, y.range};
}

const std::string& name_of(const Series& series) {
    static const std::string none;
    return std::visit(
        [](const auto& s) -> const std::string& {
            if constexpr (requires { s.name; })
                return s.name;
            else
                return none;
        },
        series);
}

std::optional<Color> color_of(const Series& series) {
    return std::visit(
        [](const auto& s) -> std::optional<Color> {
            if constexpr (requires { s.color; })
                return s.color;
            else
                return std::nullopt;
        },
        series);
}

}  // namespace summand::plot
