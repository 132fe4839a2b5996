// SPDX-License-Identifier: Apache-2.0
#include "data_table.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace summand::cli {
namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\""), last = text.find_last_not_of(" \t\r\"");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::size_t start = 0;
    for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', start)) {
        fields.push_back(trimmed(line.substr(start, comma - start)));
        start = comma + 1;
    }
    fields.push_back(trimmed(line.substr(start)));
    return fields;
}

std::optional<double> number_in(const std::string& text) {
    double value = 0;
    const char* first = text.data() + (!text.empty() && text.front() == '+' ? 1 : 0);
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || end != last) return {};
    return value;
}

struct Line {
    int number = 0;
    std::vector<std::string> fields = {};
};

std::vector<Line> lines_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) throw InvalidArgument(path.string() + ": cannot be opened; check the name and that it may be read");
    std::vector<Line> lines;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        if (number == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // a byte order mark
        if (!trimmed(text).empty()) lines.push_back({number, fields_of(text)});
    }
    return lines;
}

double checked_number(const std::string& where, const std::string& field, const std::string& name) {
    const std::string what = where + " (" + name + "): ";
    if (field.empty()) throw InvalidArgument(what + "the value is missing; give a number or leave the whole line out");
    const auto value = number_in(field);
    if (!value)
        throw InvalidArgument(what + "\"" + field +
                              "\" is not a number; every column must hold numbers such as 0.5 or 1e-3");
    if (!std::isfinite(*value))
        throw InvalidArgument(what + "\"" + field +
                              "\" is not a finite number; leave the line out if the evaluation failed");
    return *value;
}

std::vector<std::string> checked_header(const std::string& where, const std::vector<std::string>& header) {
    if (header.size() < 2)
        throw InvalidArgument(where +
                              "there is 1 column; at least one parameter and, last, y are needed, separated by commas");
    for (std::size_t c = 0; c < header.size(); ++c)
        if (header[c].empty())
            throw InvalidArgument(where + "column " + std::to_string(c + 1) +
                                  " has no name; the first line names the columns");
    if (header.back() != "y")
        throw InvalidArgument(where + "the last column is \"" + header.back() +
                              "\"; the first line names the columns, and the last one must be y");
    if (std::set<std::string>(header.begin(), header.end()).size() != header.size())
        throw InvalidArgument(where + "two columns have the same name; names must differ");
    return {header.begin(), header.end() - 1};
}

using Bounds = std::map<std::string, std::pair<double, double>>;

Bounds read_bounds(const std::filesystem::path& path, const std::vector<std::string>& names) {
    Bounds bounds;
    for (const Line& line : lines_of(path)) {
        const std::string where = path.string() + ": line " + std::to_string(line.number);
        if (line.fields.size() != 3)
            throw InvalidArgument(where + " has " + std::to_string(line.fields.size()) +
                                  " fields; name,low,high is needed");
        if (bounds.empty() && line.fields[1] == "low") continue;  // a header
        if (std::find(names.begin(), names.end(), line.fields[0]) == names.end())
            throw InvalidArgument(where + ": no parameter is called \"" + line.fields[0] +
                                  "\"; use the names of the data's first line");
        const double low = checked_number(where + ", column 2", line.fields[1], "low");
        const double high = checked_number(where + ", column 3", line.fields[2], "high");
        if (!(low < high)) throw InvalidArgument(where + ": low is not below high; exchange them or widen the range");
        bounds[line.fields[0]] = {low, high};
    }
    return bounds;
}

}  // namespace

DataTable read_data_table(const std::filesystem::path& path) {
    const std::vector<Line> lines = lines_of(path);
    if (lines.empty())
        throw InvalidArgument(path.string() + ": the file is empty; a header and at least two lines are needed");
    DataTable table;
    table.names = checked_header(path.string() + ": line " + std::to_string(lines[0].number) + ": ", lines[0].fields);
    if (lines.size() < 3)
        throw InvalidArgument(path.string() + ": " + std::to_string(lines.size() - 1) +
                              " line of data; at least two points are needed, and some tens to learn anything");
    const auto D = static_cast<Index>(table.names.size()), N = static_cast<Index>(lines.size()) - 1;
    table.X.resize(N, D);
    table.y.resize(N);
    for (Index i = 0; i < N; ++i) {
        const Line& line = lines[static_cast<std::size_t>(i) + 1];
        const std::string where = path.string() + ": line " + std::to_string(line.number);
        if (static_cast<Index>(line.fields.size()) != D + 1)
            throw InvalidArgument(
                where + ", column " +
                std::to_string(std::min<std::size_t>(line.fields.size(), static_cast<std::size_t>(D + 1))) +
                ": the line has " + std::to_string(line.fields.size()) + " values, the header " +
                std::to_string(D + 1) + "; give one for each column");
        for (Index c = 0; c <= D; ++c) {
            const auto k = static_cast<std::size_t>(c);
            const double value = checked_number(where + ", column " + std::to_string(c + 1), line.fields[k],
                                                c < D ? table.names[k] : "y");
            (c < D ? table.X(i, c) : table.y(i)) = value;
        }
    }
    if (table.y.maxCoeff() == table.y.minCoeff())
        throw InvalidArgument(path.string() + ": line " + std::to_string(lines[1].number) + " to " +
                              std::to_string(lines.back().number) + ", column " + std::to_string(D + 1) +
                              " (y): all values are equal; nothing can be learned from a constant");
    return table;
}

Matrix scaled_to_unit_cube(const DataTable& table, const std::filesystem::path& bounds_file) {
    const Bounds given = bounds_file.empty() ? Bounds{} : read_bounds(bounds_file, table.names);
    Matrix unit = table.X;
    for (Index j = 0; j < unit.cols(); ++j) {
        const std::string& name = table.names[static_cast<std::size_t>(j)];
        auto [low, high] = std::pair(unit.col(j).minCoeff(), unit.col(j).maxCoeff());
        if (const auto found = given.find(name); found != given.end()) {
            if (low < found->second.first || high > found->second.second)
                throw InvalidArgument(bounds_file.string() + ": the data have values of " + name + " from " +
                                      std::to_string(low) + " to " + std::to_string(high) +
                                      ", outside the bounds given; widen them");
            std::tie(low, high) = found->second;
        }
        unit.col(j) = (unit.col(j).array() - low) / (high > low ? high - low : 1.0);
    }
    return unit;
}

}  // namespace summand::cli
