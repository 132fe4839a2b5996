// SPDX-License-Identifier: Apache-2.0
#include "summand/space/parameter.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace summand {
namespace {

template <class... Cases>
struct Overload : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;  // for clang before 17

std::string number(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string interval(const std::string& low, const std::string& high) {
    return "[" + low + ", " + high + "]";
}

std::string quoted(const std::string& text) {
    return '"' + text + '"';
}

std::string prefix(const std::string& name) {
    return "parameter " + quoted(name) + " ";
}

std::string problem_in(const Real& p) {
    const std::string bounds = interval(number(p.low), number(p.high));
    if (!std::isfinite(p.low) || !std::isfinite(p.high))
        return prefix(p.name) + "has bounds " + bounds + "; both must be finite numbers";
    if (!(p.low < p.high))
        return prefix(p.name) + "has bounds " + bounds +
               "; low must be below high (to fix a value, leave the parameter out)";
    if (p.scale == Scale::log && p.low <= 0)
        return prefix(p.name) + "has log scale on " + bounds + "; a log scale needs low > 0 (for example 1e-6)";
    if (!std::isfinite(p.high - p.low))
        return prefix(p.name) + "has bounds " + bounds + "; their difference overflows, so rescale the parameter";
    return {};
}

std::string problem_in(const Integer& p) {
    const std::string bounds = interval(std::to_string(p.low), std::to_string(p.high));
    if (!(p.low < p.high))
        return prefix(p.name) + "has bounds " + bounds +
               "; low must be below high (to fix a value, leave the parameter out)";
    if (p.scale == Scale::log && p.low < 1)
        return prefix(p.name) + "has log scale on " + bounds + "; a log scale needs low >= 1";
    // Beyond 2^53 a double no longer tells neighbouring integers apart.
    constexpr std::int64_t largest = std::int64_t{1} << 53;
    if (p.low < -largest || p.high > largest)
        return prefix(p.name) + "has bounds " + bounds + "; integers must lie within -2^53 and 2^53";
    return {};
}

std::string problem_in(const Choice& p) {
    if (p.values.size() < 2)
        return prefix(p.name) + "has " + std::to_string(p.values.size()) +
               " values; a choice needs at least two (to fix a value, leave the parameter out)";
    std::set<std::string> seen;
    for (const auto& value : p.values)
        if (!seen.insert(value).second)
            return prefix(p.name) + "lists the value " + quoted(value) + " twice; list each value once";
    return {};
}

std::string problem_in(const Levels& p) {
    if (p.values.size() < 2)
        return prefix(p.name) + "has " + std::to_string(p.values.size()) +
               " levels; it needs at least two (to fix a value, leave the parameter out)";
    for (std::size_t i = 0; i < p.values.size(); ++i) {
        if (!std::isfinite(p.values[i]))
            return prefix(p.name) + "has the level " + number(p.values[i]) + "; levels must be finite numbers";
        if (i > 0 && !(p.values[i - 1] < p.values[i]))
            return prefix(p.name) + "has the level " + number(p.values[i]) + " after " + number(p.values[i - 1]) +
                   "; list levels in increasing order, each once";
    }
    if (!std::isfinite(p.values.back() - p.values.front()))
        return prefix(p.name) + "has levels from " + number(p.values.front()) + " to " + number(p.values.back()) +
               "; their difference overflows, so rescale the parameter";
    if (p.scale == Scale::log && p.values.front() <= 0)
        return prefix(p.name) + "has log scale and the level " + number(p.values.front()) +
               "; a log scale needs levels > 0";
    return {};
}

// A value as a double, if it is a number.
const double* as_double(const Value& value, double& storage) {
    if (const auto* real = std::get_if<double>(&value)) return real;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        storage = static_cast<double>(*integer);
        return &storage;
    }
    return nullptr;
}

std::string shown(const Value& value) {
    return std::holds_alternative<std::string>(value) ? quoted(std::get<std::string>(value)) : to_text(value);
}

std::string listed(const std::vector<std::string>& values) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + quoted(value);
    return text;
}

bool is_level(const Levels& p, double value) {
    return std::binary_search(p.values.begin(), p.values.end(), value);
}

}  // namespace

Levels equally_spaced_levels(std::string name, double low, double high, int count, Scale scale) {
    const std::string problem = problem_with(Real{name, low, high, scale});
    if (!problem.empty()) throw InvalidArgument("equally_spaced_levels: " + problem);
    if (count < 2)
        throw InvalidArgument("equally_spaced_levels: " + prefix(name) + "asks for " + std::to_string(count) +
                              " levels; at least two are needed");
    Levels levels{std::move(name), {}, scale};
    for (int k = 0; k < count; ++k) {
        const double t = static_cast<double>(k) / (count - 1);
        const double power = std::pow(high / low, t);
        levels.values.push_back(scale == Scale::linear ? low + (high - low) * t
                                : std::isfinite(power) ? low * power
                                                       : std::exp(std::log(low) * (1 - t) + std::log(high) * t));
    }
    levels.values.back() = high;
    return levels;
}

const std::string& name_of(const Parameter& parameter) {
    return std::visit([](const auto& p) -> const std::string& { return p.name; }, parameter);
}

const char* type_name(const Parameter& parameter) {
    return std::visit(Overload{[](const Real&) { return "real"; }, [](const Integer&) { return "integer"; },
                               [](const Choice&) { return "choice"; }, [](const Levels&) { return "levels"; }},
                      parameter);
}

std::string problem_with(const Parameter& parameter) {
    if (name_of(parameter).empty())
        return "a " + std::string(type_name(parameter)) + " parameter has no name; give it one";
    return std::visit([](const auto& p) { return problem_in(p); }, parameter);
}

std::string problem_with(const Parameter& parameter, const Value& value) {
    const auto wrong = [&](const std::string& allowed) {
        return prefix(name_of(parameter)) + "was given " + shown(value) + "; " + allowed;
    };
    double storage = 0;
    const double* const x = as_double(value, storage);
    return std::visit(
        Overload{[&](const Real& p) {
                     if (x != nullptr && *x >= p.low && *x <= p.high) return std::string();
                     return wrong("allowed is a number in " + interval(number(p.low), number(p.high)));
                 },
                 [&](const Integer& p) {
                     const bool good = x != nullptr && std::floor(*x) == *x && *x >= static_cast<double>(p.low) &&
                                       *x <= static_cast<double>(p.high);
                     if (good) return std::string();
                     return wrong("allowed is a whole number in " +
                                  interval(std::to_string(p.low), std::to_string(p.high)));
                 },
                 [&](const Choice& p) {
                     const auto* word = std::get_if<std::string>(&value);
                     const bool good =
                         word != nullptr && std::find(p.values.begin(), p.values.end(), *word) != p.values.end();
                     return good ? std::string() : wrong("allowed is one of " + listed(p.values));
                 },
                 [&](const Levels& p) {
                     if (x != nullptr && is_level(p, *x)) return std::string();
                     return wrong("allowed is one of its " + std::to_string(p.values.size()) + " levels from " +
                                  number(p.values.front()) + " to " + number(p.values.back()));
                 }},
        parameter);
}

Value canonical(const Parameter& parameter, const Value& value) {
    double storage = 0;
    const double* const x = as_double(value, storage);
    if (std::holds_alternative<Choice>(parameter)) return value;
    if (std::holds_alternative<Integer>(parameter)) return static_cast<std::int64_t>(*x);
    return *x;
}

std::string to_text(const Value& value) {
    return std::visit(
        Overload{[](double real) { return number(real); }, [](std::int64_t integer) { return std::to_string(integer); },
                 [](const std::string& word) { return word; }},
        value);
}

}  // namespace summand
