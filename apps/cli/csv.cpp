// SPDX-License-Identifier: Apache-2.0
#include "csv.hpp"

#include <istream>
#include <utility>

namespace summand::cli {

std::vector<std::vector<std::string>> read_csv(std::istream& in) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row;
    std::string field;
    bool quoted = false;
    const auto end_field = [&] { row.push_back(std::exchange(field, {})); };
    const auto end_row = [&] {
        end_field();
        if (row.size() > 1 || !row[0].empty()) rows.push_back(row);
        row.clear();
    };
    for (char c = 0; in.get(c);) {
        if (quoted && c == '"' && in.peek() == '"')
            field += static_cast<char>(in.get());
        else if (c == '"' && (quoted || field.empty()))
            quoted = !quoted;
        else if (quoted)
            field += c;
        else if (c == ',')
            end_field();
        else if (c == '\n')
            end_row();
        else if (c != '\r')
            field += c;
    }
    if (!field.empty() || !row.empty()) end_row();
    return rows;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

}  // namespace summand::cli
