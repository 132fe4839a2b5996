// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/domain.hpp"

namespace summand::test {

/// The domain of small_gp.hpp: four numbers and a choice of three.
inline Domain small_domain() {
    return Domain({Column::continuous(), Column::continuous(), Column::continuous(), Column::continuous(),
                   Column::unordered({0.5 / 3, 1.5 / 3, 2.5 / 3})});
}

inline Column levels(int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<double>(i) / (count - 1));
    return Column::ordered(values);
}

}  // namespace summand::test
