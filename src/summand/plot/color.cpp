// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace summand::plot {
namespace {

const std::array<Color, 8>& palette() {
    static const std::array<Color, 8> colors = {{
        {"#0072b2", "#4ea3e8", "s0"},  // blue
        {"#d55e00", "#f0803c", "s1"},  // vermillion
        {"#009e73", "#2fc79b", "s2"},  // bluish green
        {"#cc79a7", "#e59cc6", "s3"},  // reddish purple
        {"#e69f00", "#f2b632", "s4"},  // orange
        {"#56b4e9", "#a4daff", "s5"},  // sky blue
        {"#444444", "#cccccc", "s6"},  // black
        {"#9c9200", "#f0e442", "s7"},  // yellow
    }};
    return colors;
}

// OKLab to linear sRGB [Ottosson2020].
std::array<double, 3> linear_rgb(double L, double a, double b) {
    const auto cube = [](double v) { return v * v * v; };
    const double l = cube(L + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(L - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(L - 0.0894841775 * a - 1.2914855480 * b);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::string hex(const std::array<double, 3>& linear) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text = "#";
    for (const double c : linear) {
        const double v = std::clamp(c, 0.0, 1.0);
        const double gamma = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
        const auto byte = static_cast<unsigned>(std::lround(255 * gamma));
        text += {digits[byte / 16], digits[byte % 16]};
    }
    return text;
}

}  // namespace

Color Color::ink() {
    return {"#1c2430", "#e7ebf0", "ink"};
}
Color Color::muted() {
    return {"#5b6675", "#a3adba", "muted"};
}
Color Color::grid() {
    return {"#e3e7ec", "#333b47", "grid"};
}
Color Color::paper() {
    return {"#ffffff", "#161b22", "paper"};
}
Color Color::warning() {
    return {"#c2321e", "#ff7b66", "warning"};
}

Color Color::series(int i) {
    const int count = static_cast<int>(palette().size());
    return palette()[static_cast<std::size_t>((i % count + count) % count)];
}

double ColorScale::position(double value) const {
    if (std::isnan(value)) return 0.0;
    if (!(high > low)) return 0.5;
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

std::string ColorScale::sequential_hex(double position) {
    // Lightness and hue run linearly; the chroma is the largest of a few steps that sRGB can still show.
    const double t = std::clamp(position, 0.0, 1.0);
    const double L = 0.28 + 0.64 * t;
    const double hue = (305.0 - 200.0 * t) * std::numbers::pi / 180.0;
    std::array<double, 3> rgb{};
    for (int step = 60; step >= 0; --step) {
        const double chroma = 0.0025 * step;
        rgb = linear_rgb(L, chroma * std::cos(hue), chroma * std::sin(hue));
        if (std::all_of(rgb.begin(), rgb.end(), [](double c) { return c >= 0.0 && c <= 1.0; })) break;
    }
    return hex(rgb);
}

std::string stylesheet() {
    std::vector<Color> roles = {Color::ink(), Color::muted(), Color::grid(), Color::paper(), Color::warning()};
    roles.insert(roles.end(), palette().begin(), palette().end());
    std::string css = "@media (prefers-color-scheme:dark){";
    for (const Color& color : roles)
        css += ".pf-" + color.role + "{fill:" + color.dark + "}.ps-" + color.role + "{stroke:" + color.dark + "}";
    return css + "}";
}

}  // namespace summand::plot
