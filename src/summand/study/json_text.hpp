// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace summand::study {

/// On one line, or indented; bytes that are no UTF-8 become U+FFFD.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);
/// Throws nlohmann's exceptions for what is no JSON, InvalidArgument for what is nested too deep to be shown or copied.
nlohmann::ordered_json parsed(const std::string& text);

}  // namespace summand::study
