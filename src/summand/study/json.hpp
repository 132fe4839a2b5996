// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/definition.hpp"

#include <functional>
#include <string>

// The one codec between values and JSON text: what a storage keeps, programs read, and commands print.
// Options have theirs in optimizer/options.hpp. Numbers come back bit for bit.
namespace summand::study {

/// [{"name": "x", "type": "real", "low": 0.0, "high": 1.0, "scale": "linear"}, ...]
std::string space_to_json(const SearchSpace& space);
SearchSpace space_from_json(const std::string& json);

/// {"x": 0.5, "solver": "adam"}, in the order of the space.
/// Literals (StudySettings) are written without quotes.
std::string point_to_json(const SearchSpace& space, const Point& point,
                          const std::map<std::string, std::vector<std::string>>& literals = {});
/// Throws InvalidArgument for a name that is missing, unknown or a value that is not allowed.
Point point_from_json(const SearchSpace& space, const std::string& json);

/// {"accuracy": 0.9, "seconds": 3.5}; no values are no text.
std::string also_to_json(const NamedValues& also);
NamedValues also_from_json(const std::string& json);

std::string settings_to_json(const StudySettings& settings);
StudySettings settings_from_json(const std::string& json);

/// Runs a reader of JSON text; where it is not JSON, or not of this form, throws InvalidArgument with a sentence about `what`.
void reading(const char* what, const std::function<void()>& read);

const char* to_string(InputMode mode);
const char* to_string(ResultMode mode);
const char* to_string(ExecutorKind kind);

}  // namespace summand::study
