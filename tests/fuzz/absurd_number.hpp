// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fuzz/choices.hpp"

#include <cmath>
#include <limits>

namespace summand::fuzz {

/// A finite number of any size, often one that breaks arithmetic, often the same as before.
inline double absurd_number(Choices& choices) {
    using Limits = std::numeric_limits<double>;
    const double sign = choices.coin() ? 1.0 : -1.0;
    switch (choices.below(8)) {
        case 0:
            return 0.0;
        case 1:
            return sign;
        case 2:
            return sign * choices.unit();
        case 3:
            return sign * std::pow(10.0, choices.below(201) * 3 - 300);
        case 4:
            return sign * choices.unit() * std::pow(10.0, choices.below(201) * 3 - 300);
        case 5: {
            const double edges[] = {Limits::max(), Limits::min(), Limits::denorm_min(), 1e160, 1e-170, 1e300};
            return sign * edges[choices.below(6)];
        }
        case 6: {
            const double value = choices.any();
            return std::isfinite(value) ? value : 0.0;
        }
        default:
            return 1.0 + sign * Limits::epsilon() * choices.below(4);
    }
}

}  // namespace summand::fuzz
