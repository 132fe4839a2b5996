// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/axis.hpp"

#include "summand/plot/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace summand::plot {
namespace {

// The step 1, 2 or 5 times a power of ten that gives the number of intervals nearest (in ratio) to `count`.
struct Step {
    double size = 1.0;
    int exponent = 0;  // of the power of ten
};

Step round_step(double range, int count, bool whole) {
    const double raw = range / std::max(1, count);
    int exponent = static_cast<int>(std::floor(std::log10(raw)));
    double factor = raw / std::pow(10.0, exponent);
    factor = factor < std::sqrt(2.0) ? 1.0 : factor < std::sqrt(10.0) ? 2.0 : factor < std::sqrt(50.0) ? 5.0 : 10.0;
    if (factor == 10.0) factor = 1.0, ++exponent;
    if (whole && exponent < 0) factor = 1.0, exponent = 0;
    return {factor * std::pow(10.0, exponent), exponent};
}

// All ticks of an axis show the same number of decimals.
std::string tick_label(double value, int exponent, double largest) {
    if (value == 0.0) return "0";
    if (largest >= 1e6 || largest < 1e-4)
        return short_number(value,
                            1 + std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value)))) - exponent));
    char buffer[64];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, std::max(0, -exponent)).ptr;
    return {buffer, end};
}

std::string power_of_ten(int exponent) {
    static const char* const superscript[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char c : std::to_string(std::abs(exponent))) text += superscript[c - '0'];
    return text;
}

}  // namespace

std::vector<Tick> linear_ticks(double low, double high, int count, bool whole) {
    std::vector<Tick> ticks;
    if (!(high > low) || !std::isfinite(high - low)) return ticks;
    const double largest = std::max(std::abs(low), std::abs(high));
    if (high - low < 1e-12 * largest) return {{low, short_number(low, 12)}};  // steps would be lost in rounding
    const Step step = round_step(high - low, count, whole);
    const double slack = 1e-9 * (high - low) / step.size;  // an end that is a round number but for rounding counts
    const double first = std::ceil(low / step.size - slack), last = std::floor(high / step.size + slack);
    for (int i = 0; first + i <= last; ++i) {
        const double k = first + i;
        const double value = k == 0.0 ? 0.0 : k * step.size;
        ticks.push_back({value, tick_label(value, step.exponent, largest)});
    }
    return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int count) {
    if (!(low > 0) || !(high > low) || !std::isfinite(high)) return {};
    if (high / low < 3) return linear_ticks(low, high, count);
    const double decades = std::log10(high / low);
    const bool plain = low >= 0.9e-3 && high <= 1.1e4;
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::floor(std::log10(low))),
              last = static_cast<int>(std::ceil(std::log10(high)));
    const int stride = std::max(1, static_cast<int>(std::lround(decades / std::max(1, count))));
    for (int exponent = first; exponent <= last; ++exponent)
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor != 1.0 && decades >= 2) continue;
            if (factor == 1.0 && ((exponent % stride) + stride) % stride != 0) continue;
            const double value = factor * std::pow(10.0, exponent);
            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
            ticks.push_back({value, plain || factor != 1.0 ? short_number(value) : power_of_ten(exponent)});
        }
    return ticks;
}

double AxisMap::operator()(double value) const {
    if (scale == Axis::Scale::linear) return from + (value - low) / (high - low) * (to - from);
    if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
    return from + std::log(value / low) / std::log(high / low) * (to - from);
}

Range axis_range(const Axis& axis, Range data, bool with_margin) {
    if (!axis.categories.empty())
        return {axis.low.value_or(-0.5), axis.high.value_or(static_cast<double>(axis.categories.size()) - 0.5)};
    if (axis.low) data.low = *axis.low;
    if (axis.high) data.high = *axis.high;
    const bool log = axis.scale == Axis::Scale::log;
    if (!std::isfinite(data.low) || !std::isfinite(data.high) || (log && !(data.low > 0)))
        data = log ? Range{1, 10} : Range{0, 1};
    if (!(data.high > data.low)) {
        if (log) return {data.low / 2, data.low * 2};
        const double room = data.low == 0.0 ? 1.0 : 0.1 * std::abs(data.low);
        return {data.low - room, data.low + room};
    }
    if (!with_margin) return data;
    constexpr double margin = 0.04;
    if (log) {
        const double factor = std::pow(data.high / data.low, margin);
        return {axis.low ? data.low : data.low / factor, axis.high ? data.high : data.high * factor};
    }
    const double room = margin * (data.high - data.low);
    return {axis.low ? data.low : data.low - room, axis.high ? data.high : data.high + room};
}

}  // namespace summand::plot
