// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/map_drawing.hpp"

#include "summand/plot/hover.hpp"
#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace summand::plot {
namespace {

constexpr std::size_t separate_cells = 2500;  // tiles with gaps; more are drawn as one path for each colour
// The text of a tip at column i and row j. The marks stand in this order: a name cannot be taken for one of them.
std::string filled_in(const GridTip& tip, std::size_t i, std::size_t j, const std::string& value) {
    std::string text = tip.text;
    const auto put = [&](std::size_t at, const std::string& word) {
        if (at != text.npos) text.replace(at, 3, word);
    };
    put(text.rfind("{z}"), value);
    put(text.rfind("{y}"), tip.y[j]);
    put(text.find("{x}"), tip.x[i]);
    return text;
}

struct DrawMap {
    Svg& svg;
    const Placement& place;

    Xy map(double x, double y) const { return {place.x(x), place.y(y)}; }
    bool page() const { return svg.document() == Document::inline_html; }

    void draw(const HeatMap& s) const {
        if (s.grid.values.size() != s.grid.x.size() * s.grid.y.size() || s.grid.values.empty()) return;
        const std::vector<double> xs = cell_edges(s.grid.x), ys = cell_edges(s.grid.y);
        const bool separate = s.grid.values.size() <= separate_cells;
        std::map<int, std::string> same;  // one path for each of 64 colours
        for (std::size_t j = 0; j < s.grid.y.size(); ++j)
            for (std::size_t i = 0; i < s.grid.x.size(); ++i) {
                const Xy a = map(xs[i], ys[j]), b = map(xs[i + 1], ys[j + 1]);
                const double x = std::min(a.x, b.x), y = std::min(a.y, b.y), w = std::abs(b.x - a.x),
                             h = std::abs(b.y - a.y);
                const double position = s.colors.position(s.grid.at(i, j));
                if (separate)
                    cell(s, i, j, {x, y}, {w, h});
                else
                    same[static_cast<int>(std::lround(63 * position))] += "M" + coordinate(x) + " " + coordinate(y) +
                                                                          "h" + coordinate(w) + "v" + coordinate(h) +
                                                                          "h" + coordinate(-w) + "z";
            }
        for (const auto& [step, data] : same) {
            Style style = cell_style(s, step / 63.0);
            style.crisp = true;
            svg.path(data, style);
        }
        grid_hover(s.grid, s.tip);
    }

    void grid_hover(const Grid& grid, const GridTip& tip) const {
        if (page() && !tip.text.empty() && tip.x.size() == grid.x.size() && tip.y.size() == grid.y.size())
            svg.path("M0 0", {.data = hover_grid(grid, tip, place.x, place.y)});
    }

    Style cell_style(const HeatMap& s, double position) const {
        if (s.colors.map == ColorScale::Map::tint) return filled(Color::series(0), position);
        return filled(Color::fixed(ColorScale::sequential_hex(position)));
    }

    void cell(const HeatMap& s, std::size_t i, std::size_t j, Xy corner, Xy size) const {
        Style style = cell_style(s, s.colors.position(s.grid.at(i, j)));
        if (!page() && i < s.tip.x.size() && j < s.tip.y.size())
            style.tooltip = filled_in(s.tip, i, j, short_number(s.grid.at(i, j), 3));
        const double gap = std::min(0.5, 0.04 * size.x);
        svg.rect(corner.x + gap, corner.y + gap, size.x - 2 * gap, size.y - 2 * gap, style,
                 std::min(2.0, 0.1 * size.x));
    }

    std::vector<std::vector<Xy>> mapped(std::vector<std::vector<Xy>> lines) const {
        for (auto& line : lines)
            for (Xy& p : line) {
                p = map(p.x, p.y);
                p = {std::round(10 * p.x) / 10, std::round(10 * p.y) / 10};  // a tenth of a pixel: shorter text
            }
        return lines;
    }

    void draw(const Contours& s) const {
        if (!s.grid.valid()) return;
        const Xy a = map(s.grid.x.front(), s.grid.y.front()), b = map(s.grid.x.back(), s.grid.y.back());
        const auto band = [&](int k) { return Color::fixed(ColorScale::sequential_hex((k + 0.5) / (s.levels + 1))); };
        svg.rect(std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y), filled(band(0)));
        const std::vector<double> levels = contour_levels(s.colors.low, s.colors.high, s.levels);
        for (std::size_t k = 0; k < levels.size(); ++k)
            svg.rings(mapped(contour_rings(s.grid, levels[k])), filled(band(static_cast<int>(k) + 1)));
        for (const double level : levels)
            for (const auto& line : mapped(contour_lines(s.grid, level))) {
                Style style = stroked(Color::fixed("#ffffff"), 0.7);
                style.opacity = 0.45;
                svg.polyline(line, style);
            }
        grid_hover(s.grid, s.tip);
    }
};

}  // namespace

void draw_heat_map(Svg& svg, const HeatMap& map, const Placement& placement) {
    DrawMap{svg, placement}.draw(map);
}

void draw_contours(Svg& svg, const Contours& contours, const Placement& placement) {
    DrawMap{svg, placement}.draw(contours);
}

}  // namespace summand::plot
