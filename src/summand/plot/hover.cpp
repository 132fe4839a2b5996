// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/hover.hpp"

#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>

namespace summand::plot {
namespace {

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string lines(std::span<const std::string> texts) {
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? "" : "\n") + one_line(text);
    return joined;
}

std::string pixels(const std::vector<double>& places, const AxisMap& axis) {
    std::string text;
    for (const double place : places) text += (text.empty() ? "" : " ") + coordinate(std::round(10 * axis(place)) / 10);
    return text;
}

// Two digits of base 36 for a share in [0, 1].
std::string two_digits(double share) {
    constexpr const char* digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    if (!std::isfinite(share)) return "--";
    const auto step = static_cast<std::size_t>(std::lround(1295 * std::clamp(share, 0.0, 1.0)));
    return {digits[step / 36], digits[step % 36]};
}

}  // namespace

DataAttributes hover_ids(std::span<const std::int64_t> ids) {
    std::string text;
    for (const std::int64_t id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
    return {{"ids", text}};
}

DataAttributes hover_tips(std::span<const std::string> tips) {
    return {{"tips", lines(tips)}};
}

DataAttributes hover_grid(const Grid& grid, const GridTip& tip, const AxisMap& x, const AxisMap& y) {
    const double low = grid.lowest(), span = grid.highest() - low;
    std::string z;
    for (const double value : grid.values) z += two_digits(span > 0 ? (value - low) / span : value - low);
    return {{"text", tip.text},
            {"x", pixels(grid.x, x)},
            {"y", pixels(grid.y, y)},
            {"columns", lines(tip.x)},
            {"rows", lines(tip.y)},
            {"z", z},
            {"low", short_number(low, 6)},
            {"high", short_number(low + span, 6)}};
}

std::string point_path(Xy at) {
    return "M" + coordinate(at.x) + " " + coordinate(at.y) + "h0";
}

}  // namespace summand::plot
