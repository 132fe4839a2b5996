// SPDX-License-Identifier: Apache-2.0
#include "csv.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <utility>

namespace summand::cli {

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    if (path == "-") {
        text << std::cin.rdbuf();
        return text.str();
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw InvalidArgument(path.string() + " is a directory; give a CSV file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InvalidArgument(path.string() + " cannot be read; check the name, and that you may read it");
    text << file.rdbuf();
    return text.str();
}

/// Cuts a text into rows, character by character.
class RowReader {
  public:
    std::vector<CsvRow> rows_of(const std::string& text, const std::string& file) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '\n') ++line_;
            if (quoted_ && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
                field_ += text[++i];
            else if (c == '"' && (quoted_ || trimmed(field_).empty()))
                turn_quote();
            else if (quoted_)
                field_ += c;
            else if (c == ',')
                end_field();
            else if (c == '\n')
                end_row();
            else
                field_ += c;
        }
        if (quoted_)
            throw InvalidArgument(file + ": line " + std::to_string(quote_line_) +
                                  ": a quote is opened and never closed; close it, or double it if it means itself");
        if (!field_.empty() || !row_.fields.empty()) end_row();
        return std::move(rows_);
    }

  private:
    void turn_quote() {
        if (!quoted_) field_.clear();
        quoted_ = !quoted_;
        quote_line_ = line_;
        was_quoted_ = true;
    }
    void end_field() {
        row_.fields.push_back(was_quoted_ ? field_ : trimmed(field_));
        field_.clear();
        was_quoted_ = false;
    }
    void end_row() {
        const bool blank = row_.fields.empty() && !was_quoted_ && trimmed(field_).empty();
        end_field();
        if (!blank) rows_.push_back(row_);
        row_ = {line_, {}};
    }

    std::vector<CsvRow> rows_;
    CsvRow row_ = {1, {}};
    std::string field_;
    bool quoted_ = false, was_quoted_ = false;
    int line_ = 1, quote_line_ = 1;
};

void check_header(const CsvTable& table, int line) {
    const std::string where = table.file + ": line " + std::to_string(line) + ": ";
    if (table.header.size() == 1 && table.header[0].find(';') != std::string::npos)
        throw InvalidArgument(where + "there are semicolons and no commas; separate the columns by commas");
    std::set<std::string> seen;
    for (std::size_t c = 0; c < table.header.size(); ++c) {
        if (table.header[c].empty())
            throw InvalidArgument(where + "column " + std::to_string(c + 1) +
                                  " has no name; the first line names the columns");
        if (!seen.insert(table.header[c]).second)
            throw InvalidArgument(where + "two columns are named \"" + table.header[c] + "\"; rename or remove one");
    }
}

}  // namespace

std::string trimmed(const std::string& text) {
    constexpr const char* blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string CsvTable::at(const CsvRow& row) const {
    return file + ": line " + std::to_string(row.line);
}

std::string CsvTable::at(const CsvRow& row, std::size_t column) const {
    return at(row) + ", column " + std::to_string(column + 1) + " (" + header[column] + ")";
}

std::optional<std::size_t> CsvTable::find(const std::string& column) const {
    const auto found = std::find(header.begin(), header.end(), column);
    return found == header.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - header.begin()));
}

std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path) {
    std::string text = text_of(path);
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // a byte order mark
    return RowReader().rows_of(text, path.string());
}

CsvTable read_csv(const std::filesystem::path& path) {
    CsvTable table;
    table.file = path.string();
    table.rows = read_csv_rows(path);
    if (table.rows.empty())
        throw InvalidArgument(table.file + ": the file is empty; its first line must name the columns");
    const int line = table.rows[0].line;
    table.header = std::move(table.rows[0].fields);
    table.rows.erase(table.rows.begin());
    check_header(table, line);
    for (const CsvRow& row : table.rows)
        if (row.fields.size() != table.header.size())
            throw InvalidArgument(table.at(row) + ": the line has " + std::to_string(row.fields.size()) +
                                  " values, the header " + std::to_string(table.header.size()) +
                                  "; give one for each column (a value with a comma in it needs quotes)");
    return table;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos && trimmed(text) == text) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::optional<double> number_in(const std::string& text) {
    double value = 0.0;
    const char* first = text.data() + (!text.empty() && text.front() == '+' ? 1 : 0);
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, value);
    return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

}  // namespace summand::cli
