// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/error.hpp"

#include <stop_token>

namespace summand {

/// Long computations call this at every step that takes milliseconds, so that Ctrl-C is heeded at once.
inline void throw_if_stopped(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Interrupted();
}

}  // namespace summand
