// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

namespace summand::server {

/// Of a clock that nobody sets.
inline double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace summand::server
