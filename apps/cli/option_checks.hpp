// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

// For check() of an option: why the text is not what is needed; empty if it is.
namespace summand::cli {

/// CLI11 would take -1 for 2^64 - 1.
inline std::string not_negative(const std::string& text) {
    return text.starts_with('-') ? text + " is given; a whole number of at least 0 is needed" : "";
}

inline std::string at_least_one(const std::string& text) {
    constexpr int most = 1'000'000'000;
    int value = 0;
    const bool counts = CLI::detail::lexical_cast(text, value) && value >= 1 && value <= most;
    return counts ? "" : text + " is given; a whole number from 1 to 1000000000 is needed";
}

inline std::string above_zero(const std::string& text) {
    double value = 0.0;
    const bool fits = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0.0;
    return fits ? "" : text + " is given; a number above 0 is needed";
}

inline std::string finite_number(const std::string& text) {
    double value = 0.0;
    const bool finite = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
    return finite ? "" : text + " is given; a finite number is needed";
}

/// An option of version 0.1, not shown in the help: whoever gives it is told the new name.
inline void add_renamed(CLI::App& command, const std::string& before, const std::string& now) {
    command
        .add_option_function<std::string>(
            before,
            [=](const std::string&) { throw CLI::ValidationError(before, "is called " + now + " since version 0.2"); })
        ->group("");
}

}  // namespace summand::cli
