// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

#include <map>
#include <string>

// What people and programs are shown, as JSON: the same from the command and over HTTP. Bytes that are not UTF-8, which
// programs may write, are replaced.
namespace summand::study {

using Literals = std::map<std::string, std::vector<std::string>>;  ///< StudySettings::literals

std::string trial_to_json(const SearchSpace& space, const Literals& literals, const Trial& trial);
Trial trial_from_json(const SearchSpace& space, const std::string& json);

std::string structure_to_json(const StructureView& structure);
StructureView structure_from_json(const std::string& json);

std::string recommended_to_json(const SearchSpace& space, const Literals& literals, const Recommended& recommended);

}  // namespace summand::study
