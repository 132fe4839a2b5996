// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace summand::study {

/// All of the text as a number; empty if it is none.
std::optional<double> parse_number(const std::string& text);
/// "90s", "30m", "2h", "1d", "1h30m", "1.5h": in seconds; empty if it is none of these.
std::optional<double> parse_duration(const std::string& text);
/// "512MB", "2GiB", "100k": in bytes; decimal unless there is an i; empty if it is none of these.
std::optional<std::int64_t> parse_size(const std::string& text);
/// For people: "0.4 ms", "12.3 s", "4 min 05 s", "2 h 10 min".
std::string format_duration(double seconds);

}  // namespace summand::study
