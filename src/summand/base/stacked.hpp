// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <vector>

namespace summand {

/// The rows of all blocks, one block below the other; each has `columns` columns.
inline Matrix stacked(const std::vector<Matrix>& blocks, Index columns) {
    Index rows = 0;
    for (const Matrix& block : blocks) rows += block.rows();
    Matrix result(rows, columns);
    Index row = 0;
    for (const Matrix& block : blocks) {
        result.middleRows(row, block.rows()) = block;
        row += block.rows();
    }
    return result;
}

}  // namespace summand
