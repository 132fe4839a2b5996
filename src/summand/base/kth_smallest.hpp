// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace summand {

/// The entry of y that k others stand before in increasing order, 0 <= k < y.size(). O(n).
inline double kth_smallest(const Vector& y, Index k) {
    std::vector<double> values(y.data(), y.data() + y.size());
    const auto kth = values.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(values.begin(), kth, values.end());
    return *kth;
}

}  // namespace summand
