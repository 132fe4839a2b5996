// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

// Plots and tables for a terminal or a text file.
namespace summand::plot {

/// One character of eight heights for each value, from the lowest to the highest of them ("▁▂▅█"); a space where a value is
/// not finite. More than `width` values are cut into runs, each shown by its mean.
std::string sparkline(const std::vector<double>& values, std::size_t width = 60);

/// A bar of `width` characters that is full up to `share` (0 to 1), in eighths of a character: "███▌      ".
std::string text_bar(double share, std::size_t width = 20);

/// Rows of plain text under headings. `align`: a letter for each column, l or r; l where it ends.
struct TextTable {
    std::vector<std::string> head = {};
    std::vector<std::vector<std::string>> rows = {};
    std::string align = {};
    std::string plain() const;     ///< columns padded with spaces, two between; a line under the headings
    std::string markdown() const;  ///< a table of Markdown, padded as well; | is written as \|
};

}  // namespace summand::plot
