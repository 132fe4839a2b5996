// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace summand::cli {

/// A file of evaluations (evaluation_file.hpp) whose parameters are all numbers.
struct DataTable {
    std::vector<std::string> names = {};  ///< of the parameters
    Matrix X = {};                        ///< in the units of the file
    Vector y = {};
    std::size_t left_out = 0;  ///< lines without a value: failed or unfinished evaluations
};

/// Throws InvalidArgument naming line and column for a parameter that is not a finite number, for fewer than two points and
/// for constant values; and what read_csv and evaluation_columns throw.
DataTable read_data_table(const std::filesystem::path& path, const std::string& value_column);

/// Columns mapped to [0,1]: from the bounds of the file `name,low,high` (a header is allowed), else from the data.
/// A column that never changes becomes 0.
Matrix scaled_to_unit_cube(const DataTable& table, const std::filesystem::path& bounds);

/// Columns of X that cannot be told from nothing, because they never change, or from another one, because they are its copy up
/// to scale, leave X and the names; a sentence for each. Throws InvalidArgument if fewer than two are left: there is nothing to group.
std::vector<std::string> leave_out_silent(std::vector<std::string>& names, Matrix& X);

}  // namespace summand::cli
