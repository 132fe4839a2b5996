// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

// Numbers and words as they stand in a picture. Nothing here depends on the locale.
namespace summand::plot {

/// A coordinate: at most two decimals, no exponent, no trailing zeros, never "-0". Not finite: "0".
std::string coordinate(double value);

/// For people: `digits` significant digits, trailing zeros dropped, an exponent only below 1e-4 and from 1e6 on
/// (3.14159 -> "3.142", 2.5e-7 -> "2.5e-7"). "nan", "inf", "-inf" when not finite.
std::string short_number(double value, int digits = 4);
/// "0.31 ± 0.12": the value rounded where the second digit of its standard deviation ends.
std::string with_uncertainty(double value, double stddev);

/// For people: "850 ms", "12.3 s", "4 min 10 s", "3 h 5 min", "2 d 4 h".
std::string duration(double seconds);

/// Text as it may stand in XML and HTML, in an element or between quotes: & < > " ' are written as entities, characters
/// that XML forbids are left out, bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// How wide a line of sans-serif text is, in pixels, estimated from the class of each character; errs on the wide side.
double text_width(std::string_view text, double size, bool bold = false);

/// The text, cut with "…" so that it is no wider than `width` pixels.
std::string shortened(std::string_view text, double width, double size);

}  // namespace summand::plot
