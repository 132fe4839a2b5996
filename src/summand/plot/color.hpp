// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace summand::plot {

/// A colour: a fixed one, or a role that follows the reader's light or dark theme (stylesheet() says how).
struct Color {
    std::string light = "none";  ///< "#rrggbb" or "none"
    std::string dark = {};       ///< the same on a dark ground; empty: fixed, as in light
    std::string role = {};       ///< names the CSS classes pf-ROLE (fill) and ps-ROLE (stroke); empty: fixed

    static Color none() { return {}; }
    static Color fixed(std::string hex) { return {std::move(hex), {}, {}}; }
    static Color ink();      ///< text and the data of a single series
    static Color muted();    ///< axes, secondary text
    static Color grid();     ///< lines behind the data
    static Color paper();    ///< the ground
    static Color warning();  ///< failures
    /// Series i: the palette of Okabe and Ito, safe for the colour-blind, reordered so that neighbours differ most and
    /// with its yellow darkened to be seen on white. Repeats after 8.
    static Color series(int i);
    bool operator==(const Color&) const = default;
};

/// How numbers become colours on [low, high]; values outside take the nearest end.
struct ColorScale {
    enum class Map {
        sequential,  ///< dark violet to yellow over blue and green, lightness linear in the value: also reads in grey
        tint         ///< the first series' colour, as opaque as the value is high: for shares and probabilities
    };
    Map map = Map::sequential;
    double low = 0.0;
    double high = 1.0;

    /// The share of the way from low to high, in [0, 1]; 0 if the value is not a number.
    double position(double value) const;
    /// "#rrggbb" of the sequential map at a position in [0, 1].
    static std::string sequential_hex(double position);
};

/// The rules that recolour every role on a dark ground. A picture of its own carries them; a page includes them once.
std::string stylesheet();

}  // namespace summand::plot
