// SPDX-License-Identifier: Apache-2.0
#include "problems/draw.hpp"
#include "problems/walker.hpp"
#include "summand/plot/svg.hpp"
#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>

namespace summand::problems {
namespace {

using namespace plot;
using walker::Sample;

constexpr double ground_margin = 28.0, ground_top = 66.0,
                 figure_height = 1.7;  ///< metres above the ground that the picture shows

/// Ground to pixels; the same scale both ways.
struct GroundView {
    double low = 0.0, scale = 100.0;
    Xy operator()(double x, double y) const {
        return {ground_margin + (x - low) * scale, ground_top + (figure_height - y) * scale};
    }
};

struct Joints {
    double hip_x, hip_y, swing_x, swing_y, head_x, head_y;
};

Joints joints_of(const Sample& sample) {
    const auto& q = sample.state;
    const double hip_x = sample.foot + walker::leg * std::sin(q[0]), hip_y = walker::leg * std::cos(q[0]);
    return {hip_x,
            hip_y,
            hip_x - walker::leg * std::sin(q[1]),
            hip_y - walker::leg * std::cos(q[1]),
            hip_x + walker::torso * std::sin(q[2]),
            hip_y + walker::torso * std::cos(q[2])};
}

bool finite(const Sample& sample) {
    return std::ranges::all_of(sample.state, [](double v) { return std::isfinite(v); }) && std::isfinite(sample.foot);
}

void draw_figure(Svg& svg, const GroundView& view, const Sample& sample, Color color, double opacity, double width) {
    const Joints j = joints_of(sample);
    const Xy hip = view(j.hip_x, j.hip_y);
    const auto limb = [&](Xy end, double thickness, double fade) {
        svg.line(hip, end, {.stroke = color, .width = thickness, .opacity = opacity * fade, .round_caps = true});
    };
    limb(view(j.swing_x, j.swing_y), width, 0.55);
    limb(view(sample.foot, 0.0), width, 1.0);
    limb(view(j.head_x, j.head_y), 1.8 * width, 1.0);
    const Xy head = view(j.head_x + 0.065 * (j.head_x - j.hip_x) / walker::torso,
                         j.head_y + 0.065 * (j.head_y - j.hip_y) / walker::torso);
    svg.circle(head, 0.065 * view.scale, filled(color, opacity));
}

/// The samples at multiples of `interval`, and the last.
std::vector<Sample> thinned(const std::vector<Sample>& samples, double interval) {
    std::vector<Sample> some;
    double next = 0.0;
    for (const Sample& sample : samples)
        if (sample.time >= next) {
            some.push_back(sample);
            next += interval;
        }
    if (some.back().time < samples.back().time) some.push_back(samples.back());
    return some;
}

void draw_ground(Svg& svg, const GroundView& view, double high) {
    svg.line({ground_margin, view(0, 0).y}, {view(high, 0).x, view(0, 0).y}, stroked(Color::muted(), 1.5));
    for (int metre = static_cast<int>(std::ceil(view.low)); metre <= static_cast<int>(std::floor(high)); ++metre) {
        const Xy at = view(metre, 0.0);
        svg.line(at, {at.x, at.y + 6.0}, stroked(Color::muted(), 1.0));
        svg.text({at.x, at.y + 20.0}, std::to_string(metre) + " m",
                 {.size = 11, .anchor = Anchor::middle, .color = Color::muted()});
    }
}

const char* words_of(walker::End end) {
    switch (end) {
        case walker::End::time:
            return "walks for the whole 5 s";
        case walker::End::step:
            return "takes as many steps as a trial may have";
        case walker::End::fall:
            return "falls";
        case walker::End::failure:
            return "loses its hold (the integration fails)";
    }
    return "";
}

std::string headline(const walker::Walk& walk, bool paper, double value) {
    const auto steps = std::ranges::count(walk.ends, walker::End::step);
    return short_number(walk.distance, 3) + " m in " + short_number(walk.samples.back().time, 3) + " s, " +
           std::to_string(steps) + (steps == 1 ? " step; " : " steps; ") +
           (paper ? "the trial goes on after " + std::to_string(std::ranges::count(walk.ends, walker::End::fall)) +
                        " falls"
                  : words_of(walk.ends.back())) +
           (std::isfinite(value) ? "" : " (not a number)");
}

}  // namespace

std::string draw_walker(const Vector& values, bool paper) {
    walker::Walk walk = walker::simulate(values, paper ? walker::paper_rules : walker::sound_rules);
    const double value = paper ? walker::paper_value(walk) : walk.distance / 5.0;
    std::erase_if(walk.samples, [](const Sample& sample) { return !finite(sample); });

    double low = -0.8, high = 0.8;
    for (const Sample& sample : walk.samples) {
        const Joints j = joints_of(sample);
        low = std::min({low, j.swing_x - 0.1, j.head_x - 0.3, sample.foot - 0.1});
        high = std::max({high, j.swing_x + 0.1, j.head_x + 0.3, sample.foot + 0.1});
    }
    const double scale = std::clamp(1000.0 / (high - low), 60.0, 190.0);
    const GroundView view{low, scale};
    const double width = std::max((high - low) * scale + 2.0 * ground_margin, 420.0);
    Svg svg(width, ground_top + figure_height * scale + 40.0, "Walker");
    svg.rect(0, 0, svg.width(), svg.height(), filled(Color::paper()));
    svg.text({ground_margin, 26.0},
             (paper ? "Walker (paper's variant): " : "Walker: ") + short_number(value, 4) + " m/s",
             {.size = 16, .bold = true});
    svg.text({ground_margin, 46.0}, headline(walk, paper, value), {.size = 12, .color = Color::muted()});
    draw_ground(svg, view, high);

    std::vector<Xy> hip;
    for (const Sample& sample : thinned(walk.samples, 0.01))
        hip.push_back(view(joints_of(sample).hip_x, joints_of(sample).hip_y));
    const auto figures = thinned(walk.samples, std::max(0.05, walk.samples.back().time / 26.0));
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool last = i + 1 == figures.size();
        draw_figure(svg, view, figures[i], last ? Color::series(1) : Color::series(0), last ? 1.0 : 0.45,
                    last ? 3.0 : 1.8);
    }
    svg.polyline(hip, {.stroke = Color::ink(), .width = 1.2, .opacity = 0.7, .dash = "2 3"});
    for (std::size_t i = 0; i < walk.samples.size(); ++i)
        if (i == 0 || walk.samples[i].foot != walk.samples[i - 1].foot)
            svg.circle(view(walk.samples[i].foot, 0.0), 3.2, filled(Color::ink()));
    return svg.str();
}

}  // namespace summand::problems
