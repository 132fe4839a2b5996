// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

// Numbers that stand somewhere in what a program prints.
namespace summand::study {

/// The number after `prefix` in the last line that begins with it (spaces before it and after it do not count):
/// "loss:" finds 0.25 in "  loss: 0.25 (epoch 3)".
std::optional<double> number_after(const std::string& text, const std::string& prefix);

/// The number that the parentheses of a regular expression (ECMAScript) take from the last line where it is found; without
/// parentheses, all that it matches. Lines of more than 4096 bytes are passed over.
std::optional<double> number_captured(const std::string& text, const std::string& pattern);

/// Why an expression cannot be used; empty if it can.
std::string problem_with_pattern(const std::string& pattern);

}  // namespace summand::study
