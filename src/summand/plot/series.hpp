// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/axis.hpp"
#include "summand/plot/contour.hpp"
#include "summand/plot/svg.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What a panel can show, and what each point of it says when the pointer is on it. A file of its own gives every point with
// a tooltip a <title>. In an HTML page points cost less: they stay one path, and data- attributes tell the page's script
// where they are and what they say (hover.hpp). There a point with an id says what the script knows of that id.
// Series of one name share a colour and an entry in the legend; an empty name has no entry.
// A colour left out follows from the name: the i-th name of a figure gets Color::series(i).
namespace summand::plot {

struct Line {
    std::string name = {};
    std::vector<double> x = {}, y = {};  ///< a value that is not finite makes a gap
    std::optional<Color> color = {};
    double width = 1.8;
    std::string dash = {};
    bool step = false;  ///< keeps each value until the next x
    double opacity = 1.0;
    std::vector<std::string> tooltips = {};  ///< one for each point, or none
    std::optional<std::int64_t> id = {};     ///< of the whole line
    std::string tooltip = {};                ///< likewise
};

/// The area between two lines: mean ± a standard error, say.
struct Band {
    std::string name = {};
    std::vector<double> x = {}, low = {}, high = {};
    std::optional<Color> color = {};
    double opacity = 0.2;
};

struct Scatter {
    enum class Marker { dot, ring, cross, diamond };
    std::string name = {};
    std::vector<double> x = {}, y = {};
    std::vector<std::string> tooltips = {};  ///< one for each point, or none
    std::vector<std::int64_t> ids = {};      ///< likewise
    std::optional<Color> color = {};
    double radius = 2.5;
    double opacity = 1.0;
    Marker marker = Marker::dot;
};

struct ErrorBars {
    std::string name = {};
    std::vector<double> x = {}, y = {}, error = {};
    std::vector<std::string> tooltips = {};  ///< one for each, or none
    std::optional<Color> color = {};
};

/// Bar k belongs to category k of the x axis (of the y axis when horizontal). Several Bars stand side by side.
struct Bars {
    std::string name = {};
    std::vector<double> values = {};
    std::vector<double> errors = {};
    std::vector<std::string> tooltips = {};
    std::vector<std::string> labels = {};  ///< written at the ends of the bars
    std::optional<Color> color = {};
    bool horizontal = false;
};

/// What a place of a map says: the text, in which {x}, {y} and {z}, in this order, stand for its names along the axes and
/// its value.
struct GridTip {
    std::string text = {};                    ///< empty: nothing
    std::vector<std::string> x = {}, y = {};  ///< a name for each place along the axes
};

/// One rectangle for each value of the grid, centred on it.
struct HeatMap {
    Grid grid = {};
    ColorScale colors = {};
    GridTip tip = {};
};

/// Filled levels of a function of two variables, with lines between them.
struct Contours {
    Grid grid = {};
    ColorScale colors = {};
    int levels = 10;
    GridTip tip = {};
};

/// Words at places, in the middle above them (below: under them).
struct Labels {
    std::vector<double> x = {}, y = {};
    std::vector<std::string> texts = {};
    bool below = false;
};

/// A straight line right across the panel: an optimum, a limit.
struct Rule {
    std::string name = {};
    double at = 0.0;
    bool vertical = false;
    std::optional<Color> color = {};
    std::string dash = "5 4";
};

using Series = std::variant<Line, Band, Scatter, ErrorBars, Bars, HeatMap, Contours, Rule, Labels>;

struct Extent {
    Range x = {}, y = {};
};
/// The smallest box around the finite data (above zero on a log axis); low > high where there is none.
Extent extent_of(const std::vector<Series>& series, Axis::Scale x_scale, Axis::Scale y_scale);

/// The edges of cells around some centres: halfway between neighbours, and as far outside the ends.
std::vector<double> cell_edges(const std::vector<double>& centres);

/// Where a series is drawn: the two maps, the colour of its name, and its place among the panel's bars.
struct Placement {
    AxisMap x = {}, y = {};
    Color color = {};
    int bar = 0, bars = 1;
};
void draw(Svg& svg, const Series& series, const Placement& placement);

/// A sample of the series, 18 pixels wide, for the legend.
void draw_key(Svg& svg, const Series& series, const Color& color, Xy centre);

const std::string& name_of(const Series& series);  ///< empty for maps
std::optional<Color> color_of(const Series& series);

}  // namespace summand::plot
