// SPDX-License-Identifier: Apache-2.0
#include "problems/draw.hpp"
#include "problems/rover.hpp"
#include "problems/rover_obstacles.hpp"
#include "summand/plot/svg.hpp"
#include "summand/plot/text.hpp"

#include <algorithm>

namespace summand::problems {
namespace {

using namespace plot;

constexpr double map_top = 56.0;
constexpr double map_low = -0.1, map_high = 1.1;  ///< what the picture shows: all that guides can reach

double x_of(double x) {
    return picture_margin + (x - map_low) / (map_high - map_low) * picture_side;
}
double y_of(double y) {
    return map_top + (map_high - y) / (map_high - map_low) * picture_side;
}

void draw_map(Svg& svg) {
    svg.rect(x_of(map_low), y_of(map_high), picture_side, picture_side, filled(Color::grid(), 0.55));
    svg.rect(x_of(0.0), y_of(1.0), x_of(1.0) - x_of(0.0), y_of(0.0) - y_of(1.0),
             {.fill = Color::paper(), .stroke = Color::muted(), .width = 1.0});
    const double width = x_of(2.0 * rover_half_side) - x_of(0.0);
    for (const auto& centre : rover_obstacles)
        svg.rect(x_of(centre[0] - rover_half_side), y_of(centre[1] + rover_half_side), width, width,
                 {.fill = Color::muted(), .opacity = 0.5});
}

void draw_guides(Svg& svg, const Matrix& guides) {
    std::vector<Xy> points;
    for (Index i = 0; i < guides.rows(); ++i) points.push_back({x_of(guides(i, 0)), y_of(guides(i, 1))});
    svg.polyline(points, {.stroke = Color::series(1), .width = 0.8, .opacity = 0.35});
    for (std::size_t i = 0; i < points.size(); ++i)
        svg.circle(points[i], 2.6,
                   {.fill = Color::series(1), .opacity = 0.8, .tooltip = "point " + std::to_string(i + 1)});
}

/// Stretches of the path that are free, or that are not.
void draw_stretches(Svg& svg, const RoverTrip& trip, bool hits, const Style& style) {
    std::vector<Xy> stretch;
    for (Index k = 0; k < trip.path.rows(); ++k) {
        if (trip.hits[static_cast<std::size_t>(k)] == hits) {
            stretch.push_back({x_of(trip.path(k, 0)), y_of(trip.path(k, 1))});
        } else {
            svg.polyline(stretch, style);
            stretch.clear();
        }
    }
    svg.polyline(stretch, style);
}

void draw_mark(Svg& svg, double at, const char* name) {
    svg.circle({x_of(at), y_of(at)}, 7.0, {.fill = Color::paper(), .stroke = Color::ink(), .width = 2.0});
    svg.circle({x_of(at), y_of(at)}, 2.5, filled(Color::ink()));
    svg.text({x_of(at), y_of(at) + 22.0}, name, {.size = 12, .anchor = Anchor::middle, .bold = true});
}

void draw_map_key(Svg& svg) {
    double x = picture_margin;
    const double y = map_top + picture_side + 22.0;
    const auto entry = [&](const Style& style, const char* words) {
        svg.line({x, y - 4.0}, {x + 22.0, y - 4.0}, style);
        svg.text({x + 28.0, y}, words, {.size = 12, .color = Color::muted()});
        x += 44.0 + text_width(words, 12);
    };
    entry(stroked(Color::series(0), 3.0), "path");
    entry(stroked(Color::warning(), 3.0), "in an obstacle or off the map");
    entry({.stroke = Color::series(1), .width = 5.0, .dash = "0.1 7", .round_caps = true}, "the 30 points it fits");
}

}  // namespace

std::string draw_rover(const Vector& values) {
    const RoverTrip trip = drive_rover((1.2 * values.array() - 0.1).matrix());
    Svg svg(picture_side + 2.0 * picture_margin, map_top + picture_side + 40.0, "Rover");
    svg.rect(0, 0, svg.width(), svg.height(), filled(Color::paper()));
    const auto blocked = std::count(trip.hits.begin(), trip.hits.end(), true);
    svg.text({picture_margin, 26.0}, "Rover: value " + short_number(trip.value, 5), {.size = 16, .bold = true});
    svg.text({picture_margin, 44.0}, short_number(static_cast<double>(blocked) / 10.0, 3) + " % of the path is blocked",
             {.size = 12, .color = Color::muted()});
    draw_map(svg);
    draw_guides(svg, trip.guides);
    draw_stretches(svg, trip, false, {.stroke = Color::series(0), .width = 3.0, .round_caps = true});
    draw_stretches(svg, trip, true, {.stroke = Color::warning(), .width = 3.0, .round_caps = true});
    draw_mark(svg, rover_start, "start");
    draw_mark(svg, rover_goal, "goal");
    draw_map_key(svg);
    return svg.str();
}

}  // namespace summand::problems
