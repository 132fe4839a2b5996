// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace summand::cli {

/// A file of numbers with a header: comma-separated, parameters first, `y` last.
struct DataTable {
    std::vector<std::string> names = {};  ///< of the parameters
    Matrix X = {};                        ///< in the units of the file
    Vector y = {};
};

/// Throws InvalidArgument naming line and column for anything that is not a finite number, for rows of another length than
/// the header, for fewer than two columns or rows, for a header without `y` at its end and for a constant y.
DataTable read_data_table(const std::filesystem::path& path);

/// Columns mapped to [0,1]: from the bounds of the file `name,low,high` (a header is allowed), else from the data.
/// A column that never changes becomes 0.
Matrix scaled_to_unit_cube(const DataTable& table, const std::filesystem::path& bounds);

}  // namespace summand::cli
