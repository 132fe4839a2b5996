// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace summand {

enum class Goal { maximize, minimize };  ///< "maximize", "minimize"

/// Whether value a is better than b; of equal ones neither is.
constexpr bool better(Goal goal, double a, double b) {
    return goal == Goal::maximize ? a > b : a < b;
}

}  // namespace summand
