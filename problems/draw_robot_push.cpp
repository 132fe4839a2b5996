// SPDX-License-Identifier: Apache-2.0
#include "problems/draw.hpp"
#include "problems/robot_push.hpp"
#include "summand/plot/svg.hpp"
#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>

namespace summand::problems {
namespace {

using namespace plot;

constexpr double table_top = 62.0;
constexpr std::size_t square = 0, disc = 1;
constexpr std::size_t ghost_steps = 12;  ///< frames between two outlines of a moving body

/// Table to pixels: a square that shows every object all the time; hands may leave it.
struct TableView {
    double centre_x = 0.0, centre_y = 0.5, half = 6.2;
    Xy operator()(double x, double y) const {
        return {(x - centre_x + half) / (2.0 * half) * picture_side,
                (centre_y + half - y) / (2.0 * half) * picture_side};
    }
    double scale() const { return picture_side / (2.0 * half); }
};

TableView view_of(const PushOutcome& outcome) {
    double low_x = -5.8, high_x = 5.8, low_y = -5.4, high_y = 5.8;
    for (const auto& frame : outcome.frames)
        for (const std::size_t object : {square, disc}) {
            low_x = std::min(low_x, frame[object].x - 1.2);
            high_x = std::max(high_x, frame[object].x + 1.2);
            low_y = std::min(low_y, frame[object].y - 1.2);
            high_y = std::max(high_y, frame[object].y + 1.2);
        }
    return {(low_x + high_x) / 2.0, (low_y + high_y) / 2.0, std::max(high_x - low_x, high_y - low_y) / 2.0};
}

Color color_of(std::size_t body) {
    static const int series[] = {0, 1, 2, 3};
    return Color::series(series[body]);
}

/// The outline of a body: a square of side 1, a disc of radius 1, hands of 2 x 0.6.
void draw_body(Svg& svg, const TableView& view, std::size_t body, const Pose& pose, const Style& style) {
    if (body == disc) {
        svg.circle(view(pose.x, pose.y), view.scale(), style);
        return;
    }
    const double half_width = body == square ? 0.5 : 1.0, half_height = body == square ? 0.5 : 0.3;
    std::vector<Xy> corners;
    for (const auto& [sx, sy] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        const double dx = sx * half_width, dy = sy * half_height;
        corners.push_back(view(pose.x + dx * std::cos(pose.angle) - dy * std::sin(pose.angle),
                               pose.y + dx * std::sin(pose.angle) + dy * std::cos(pose.angle)));
    }
    svg.polygon(corners, style);
}

void draw_grid(Svg& svg, const TableView& view) {
    const int low_x = static_cast<int>(std::ceil(view.centre_x - view.half));
    const int low_y = static_cast<int>(std::ceil(view.centre_y - view.half));
    for (int i = 0; i <= static_cast<int>(2.0 * view.half); ++i) {
        svg.line({view(low_x + i, 0).x, 0}, {view(low_x + i, 0).x, picture_side}, stroked(Color::grid(), 0.8));
        svg.line({0, view(0, low_y + i).y}, {picture_side, view(0, low_y + i).y}, stroked(Color::grid(), 0.8));
    }
}

void draw_motion(Svg& svg, const TableView& view, std::size_t body, const PushOutcome& outcome) {
    std::vector<Xy> path;
    for (const auto& frame : outcome.frames) path.push_back(view(frame[body].x, frame[body].y));
    Pose last = outcome.frames.front()[body];
    for (std::size_t t = 0; t < outcome.frames.size(); t += ghost_steps) {
        const Pose& pose = outcome.frames[t][body];
        const bool moved =
            std::hypot(pose.x - last.x, pose.y - last.y) > 0.15 || std::abs(pose.angle - last.angle) > 0.2;
        if (t > 0 && !moved) continue;
        last = pose;
        const double age = static_cast<double>(t) / static_cast<double>(outcome.frames.size());
        draw_body(svg, view, body, pose, {.stroke = color_of(body), .width = 1.0, .opacity = 0.3 + 0.4 * age});
    }
    svg.polyline(path, {.stroke = color_of(body), .width = 1.6, .opacity = 0.85});
    svg.circle(path.front(), 2.8, {.fill = Color::paper(), .stroke = color_of(body), .width = 1.5});
    draw_body(svg, view, body, outcome.frames.back()[body],
              {.fill = color_of(body),
               .stroke = color_of(body),
               .width = 1.5,
               .opacity = body == disc || body == square ? 0.75 : 0.5});
}

void draw_goals(Svg& svg, const TableView& view) {
    for (const std::size_t object : {square, disc}) {
        const auto [x, y] = push_goals[object];
        draw_body(svg, view, object, {x, y, 0.0}, stroked(color_of(object), 2.0, "5 4"));
        const Xy at = view(x, y);
        svg.text({at.x, at.y + 4.0}, "goal", {.size = 11, .anchor = Anchor::middle});
    }
}

void draw_table_key(Svg& svg) {
    static const char* const names[] = {"square", "disc", "hand 1", "hand 2"};
    double x = picture_margin;
    const double y = table_top + picture_side + 24.0;
    for (std::size_t body = 0; body < 4; ++body) {
        svg.rect(x, y - 10.0, 12.0, 12.0, filled(color_of(body), 0.75), body == disc ? 6.0 : 1.0);
        svg.text({x + 18.0, y}, names[body], {.size = 12, .color = Color::muted()});
        x += 36.0 + text_width(names[body], 12);
    }
    svg.text({picture_margin + picture_side, y}, "outlines every 0.12 s; grid 1 m",
             {.size = 12, .anchor = Anchor::end, .color = Color::muted()});
}

}  // namespace

std::string draw_robot_push(const Vector& values) {
    const PushOutcome outcome = push_objects(values, true);
    const TableView view = view_of(outcome);
    Svg svg(picture_side + 2.0 * picture_margin, table_top + picture_side + 42.0, "Robot pushing");
    svg.rect(0, 0, svg.width(), svg.height(), filled(Color::paper()));
    svg.text({picture_margin, 26.0}, "Robot pushing: reward " + short_number(outcome.reward, 4),
             {.size = 16, .bold = true});
    const auto missing = [&](std::size_t object) {
        return short_number(std::hypot(outcome.objects[object].x - push_goals[object][0],
                                       outcome.objects[object].y - push_goals[object][1]),
                            3);
    };
    svg.text({picture_margin, 46.0},
             "the square ends " + missing(square) + " m from its goal, the disc " + missing(disc) + " m; " +
                 short_number(static_cast<double>(outcome.frames.size() - 1) / 100.0, 3) + " s",
             {.size = 12, .color = Color::muted()});
    svg.window(picture_margin, table_top, picture_side, picture_side, [&] {
        draw_grid(svg, view);
        for (const std::size_t body : {std::size_t{2}, std::size_t{3}, disc, square})
            draw_motion(svg, view, body, outcome);
        draw_goals(svg, view);
    });
    svg.rect(picture_margin, table_top, picture_side, picture_side, stroked(Color::muted(), 1.0));
    draw_table_key(svg);
    return svg.str();
}

}  // namespace summand::problems
