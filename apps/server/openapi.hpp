// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace summand::server {

const std::string& openapi_yaml();  ///< openapi.yaml, compiled in

}  // namespace summand::server
