// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace summand::study {

/// On one line, or indented; bytes that are no UTF-8 become U+FFFD.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace summand::study
