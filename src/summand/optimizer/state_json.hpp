// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/model/kernel.hpp"
#include "summand/optimizer/planner.hpp"

#include <nlohmann/json_fwd.hpp>

// How planners write their state. Numbers are written so that they read back bit for bit.
namespace summand::optimizer {

nlohmann::json to_json(const Vector& vector);
nlohmann::json to_json(const Partition& partition);
nlohmann::json to_json(const Hyperparameters& hyperparameters);
nlohmann::json to_json(const Learned& learned);

// These throw nlohmann::json::exception or InvalidArgument if the text is not from the functions above.
Vector vector_from(const nlohmann::json& json);
Partition partition_from(const nlohmann::json& json);
Hyperparameters hyperparameters_from(const nlohmann::json& json);
Learned learned_from(const nlohmann::json& json);

}  // namespace summand::optimizer
