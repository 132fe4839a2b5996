// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace summand::plot {

struct Axis {
    enum class Scale { linear, log };
    std::string label = {};
    std::optional<double> low = {}, high = {};  ///< empty: from the data
    Scale scale = Scale::linear;
    bool whole = false;                        ///< ticks at whole numbers only
    bool reversed = false;                     ///< lowest at the top (right)
    std::vector<std::string> categories = {};  ///< category k sits at the whole number k; no other ticks
};

struct Tick {
    double value = 0.0;
    std::string label = {};
};

/// Round numbers in [low, high], least to greatest: multiples of 1, 2 or 5 times a power of ten, the step for which there
/// are about `count` intervals (at most 1.5 times as many).
std::vector<Tick> linear_ticks(double low, double high, int count, bool whole = false);

/// Powers of ten in [low, high], every n-th so that there are about `count` intervals; 1, 2 and 5 times powers of ten when
/// the range is below two decades, linear ticks below a factor of three. Both ends above zero.
std::vector<Tick> log_ticks(double low, double high, int count);

/// From data to pixels along one axis.
struct AxisMap {
    double low = 0.0, high = 1.0;  ///< data
    double from = 0.0, to = 1.0;   ///< pixels of low and of high
    Axis::Scale scale = Axis::Scale::linear;
    double operator()(double value) const;  ///< not a number for values a log axis cannot show
};

/// The range [low, high] an axis shows: as the axis says, else the data's with a margin (none for categories).
/// Never empty: a single value gets room around it.
struct Range {
    double low = 0.0, high = 1.0;
};
Range axis_range(const Axis& axis, Range data, bool with_margin);

}  // namespace summand::plot
