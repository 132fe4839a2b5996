// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace summand::cli {

struct CsvRow {
    int line = 0;  ///< where it begins, from 1
    std::vector<std::string> fields = {};
};

/// A file whose first line names the columns.
struct CsvTable {
    std::string file = {};
    std::vector<std::string> header = {};
    std::vector<CsvRow> rows = {};

    std::string at(const CsvRow& row) const;                      ///< "data.csv: line 3"
    std::string at(const CsvRow& row, std::size_t column) const;  ///< "data.csv: line 3, column 2 (width)"
    std::optional<std::size_t> find(const std::string& column) const;
};

/// The one reader of comma-separated files ("-": standard input): "quoted, fields" with "" for a quote, blanks around fields, CRLF, a byte order
/// mark and empty lines are understood. Throws InvalidArgument for a file that cannot be read or a quote that is not closed.
std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path);
/// The same with a header; also throws for an empty file, columns of the same or no name, and rows of another length.
CsvTable read_csv(const std::filesystem::path& path);

/// Without the blanks at both ends.
std::string trimmed(const std::string& text);
/// The field, in quotes if it needs them.
std::string csv_field(const std::string& text);
/// The number that the whole text is, infinities and NaN included.
std::optional<double> number_in(const std::string& text);

}  // namespace summand::cli
