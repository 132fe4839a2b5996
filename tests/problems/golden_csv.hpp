// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace summand::problems {

/// One line of a golden file: its text by column name, and the first columns as a vector.
struct GoldenRow {
    std::map<std::string, std::string> text = {};
    std::vector<std::string> fields = {};

    double number(const std::string& column) const { return std::stod(text.at(column)); }
    Vector head(Index count) const {
        Vector values(count);
        for (Index i = 0; i < count; ++i) values[i] = std::stod(fields[static_cast<std::size_t>(i)]);
        return values;
    }
};

inline std::vector<std::string> split_commas(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    return fields;
}

inline std::vector<GoldenRow> read_golden(const std::string& file) {
    std::ifstream stream(std::string(SUMMAND_GOLDEN_DIR "/") + file);
    std::string line;
    std::getline(stream, line);
    const auto columns = split_commas(line);
    std::vector<GoldenRow> rows;
    while (std::getline(stream, line)) {
        GoldenRow row;
        row.fields = split_commas(line);
        for (std::size_t i = 0; i < columns.size(); ++i) row.text[columns[i]] = row.fields[i];
        rows.push_back(row);
    }
    EXPECT_FALSE(rows.empty()) << file;
    return rows;
}

}  // namespace summand::problems
