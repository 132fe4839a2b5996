// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace summand {

enum class Scale { linear, log };  ///< log: equal ratios are equally far apart; needs low > 0

/// Any number in [low, high].
struct Real {
    std::string name = {};
    double low = 0.0;
    double high = 1.0;
    Scale scale = Scale::linear;
    bool operator==(const Real&) const = default;
};

/// A whole number in low .. high, both included.
struct Integer {
    std::string name = {};
    std::int64_t low = 0;
    std::int64_t high = 1;
    Scale scale = Scale::linear;
    bool operator==(const Integer&) const = default;
};

/// One of some words without an order.
struct Choice {
    std::string name = {};
    std::vector<std::string> values = {};
    bool operator==(const Choice&) const = default;
};

/// One of some numbers, in increasing order: a real parameter restricted to given values.
struct Levels {
    std::string name = {};
    std::vector<double> values = {};
    Scale scale = Scale::linear;
    bool operator==(const Levels&) const = default;
};

using Parameter = std::variant<Real, Integer, Choice, Levels>;

/// `count` equally spaced levels from low to high, both included (equal ratios on a log scale).
/// The paper gives each dimension of its walker 40 of them.
Levels equally_spaced_levels(std::string name, double low, double high, int count, Scale scale = Scale::linear);

/// What a parameter takes: a double for Real and Levels, an integer for Integer, a word for Choice.
using Value = std::variant<double, std::int64_t, std::string>;

const std::string& name_of(const Parameter& parameter);

/// "real", "integer", "choice" or "levels": the word used in TOML, JSON and SQL.
const char* type_name(const Parameter& parameter);

/// The mistake in one parameter, as a sentence that names it and says what to do; empty if there is none.
std::string problem_with(const Parameter& parameter);

/// The mistake in giving `value` to `parameter`, as a sentence; empty if the value is allowed.
/// A whole double is accepted for an Integer and an integer for Real and Levels: JSON and TOML do not tell them apart.
std::string problem_with(const Parameter& parameter, const Value& value);

/// `value` in the parameter's own type (see above). The value must be allowed.
Value canonical(const Parameter& parameter, const Value& value);

/// For people and CSV: the shortest decimal that reads back as the same number, or the word itself.
std::string to_text(const Value& value);

}  // namespace summand
